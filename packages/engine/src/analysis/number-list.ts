/** Growing list of numbers in one typed array. */
export class NumberList {
  length = 0;
  #items: Float64Array;

  constructor(capacity = 1024) {
    this.#items = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.#items.length) this.#grow();
    this.#items[this.length] = value;
    this.length += 1;
  }

  get(index: number): number {
    return this.#items[index] ?? -1;
  }

  set(index: number, value: number): void {
    this.#items[index] = value;
  }

  pop(): number {
    this.length -= 1;
    return this.#items[this.length] ?? -1;
  }

  /** The items as an array of exactly their number. */
  toArray(): Float64Array {
    return this.#items.slice(0, this.length);
  }

  #grow(): void {
    const larger = new Float64Array(Math.max(16, this.#items.length * 2));
    larger.set(this.#items);
    this.#items = larger;
  }
}
