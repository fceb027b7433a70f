/** Blocks waiting for another look, each at most once, first in first out. */
export class WorkList {
  readonly #waiting: Uint8Array;
  #queue: number[] = [];
  #next = 0;

  constructor(size: number) {
    this.#waiting = new Uint8Array(size);
  }

  add(block: number): void {
    if (this.#waiting[block] === 1) return;
    this.#waiting[block] = 1;
    this.#queue.push(block);
  }

  take(): number {
    const block = this.#queue[this.#next];
    if (block === undefined) return -1;
    this.#next += 1;
    this.#waiting[block] = 0;
    if (this.#next > 65_536) {
      this.#queue = this.#queue.slice(this.#next);
      this.#next = 0;
    }
    return block;
  }
}
