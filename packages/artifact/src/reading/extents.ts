/** Ranges of the container that something lays claim to, in memory of 24 bytes each. */
export class Extents {
  #starts = new Float64Array(1024);
  #ends = new Float64Array(1024);
  #records = new Float64Array(1024);
  #count = 0;

  /** `record` is where the claim comes from; negative for structures of the archive itself. */
  add(start: number, end: number, record: number): void {
    if (this.#count === this.#starts.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#records[this.#count] = record;
    this.#count += 1;
  }

  /** By start; among equal starts by end. */
  *sorted(): Generator<{ readonly start: number; readonly end: number; readonly record: number }, void, undefined> {
    const order = new Uint32Array(this.#count).map((_, index) => index);
    order.sort((a, b) => this.#start(a) - this.#start(b) || this.#end(a) - this.#end(b));
    for (const index of order) yield { start: this.#start(index), end: this.#end(index), record: this.#records[index] ?? -1 };
  }

  /** Answers whether a claim starts exactly at an offset, for the claims there are now. */
  startLookup(): (offset: number) => boolean {
    const starts = this.#starts.slice(0, this.#count).sort();
    return (offset) => starts[lowerBound(starts, offset)] === offset;
  }

  #start(index: number): number {
    return this.#starts[index] ?? 0;
  }

  #end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  #grow(): void {
    this.#starts = doubled(this.#starts);
    this.#ends = doubled(this.#ends);
    this.#records = doubled(this.#records);
  }
}

function doubled(array: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Index of the first number that is not smaller. */
function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
