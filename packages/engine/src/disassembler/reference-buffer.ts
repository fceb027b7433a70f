/** The references of one instruction: a handful of numbers, written over by the next. */
export class ReferenceBuffer {
  count = 0;
  readonly #to = new Float64Array(8);
  readonly #kind = new Uint8Array(8);
  readonly #operand = new Uint8Array(8);

  add(to: number, kind: number, operand: number): void {
    if (this.count === this.#to.length) return;
    this.#to[this.count] = to;
    this.#kind[this.count] = kind;
    this.#operand[this.count] = operand;
    this.count += 1;
  }

  to(index: number): number {
    return this.#to[index] ?? -1;
  }

  kind(index: number): number {
    return this.#kind[index] ?? 0;
  }

  operand(index: number): number {
    return this.#operand[index] ?? 0;
  }
}
