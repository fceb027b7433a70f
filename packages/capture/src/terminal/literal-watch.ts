/** Tells when a literal has come up in a stream of text for the n-th time, however the stream was cut. */
export class LiteralWatch {
  readonly #value: string;
  #left: number;
  #tail = "";

  constructor(value: string, occurrence: number) {
    this.#value = value;
    this.#left = occurrence;
  }

  /** True once, with the text that completes it. */
  take(text: string): boolean {
    if (this.#left === 0) return false;
    const all = this.#tail + text;
    let from = 0;
    for (let at = all.indexOf(this.#value); at >= 0 && this.#left > 0; at = all.indexOf(this.#value, from)) {
      this.#left -= 1;
      from = at + this.#value.length;
    }
    this.#tail = all.slice(Math.max(from, all.length - this.#value.length + 1));
    return this.#left === 0;
  }
}
