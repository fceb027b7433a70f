import type { StringEncoding } from "./string-scan.js";

export interface PlacedString {
  readonly offset: number;
  readonly byteLength: number;
  readonly encoding: StringEncoding;
  readonly terminated: boolean;
  readonly region: number;
}

const encodings: readonly StringEncoding[] = ["ascii", "utf-8", "utf-16le", "utf-16be"];

/** Strings as numbers in growing typed arrays: 17 bytes each. */
export class StringRows {
  readonly maximum: number;
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #regions = new Uint32Array(1024);
  /** Encoding index times two, plus one when terminated. */
  #kinds = new Uint8Array(1024);
  #count = 0;
  #full = false;

  constructor(maximum: number) {
    this.maximum = maximum;
  }

  get count(): number {
    return this.#count;
  }

  /** True once a string was refused because the maximum was reached. */
  get full(): boolean {
    return this.#full;
  }

  add(row: PlacedString): void {
    if (this.#count >= this.maximum) {
      this.#full = true;
      return;
    }
    if (this.#count === this.#offsets.length) this.#grow();
    const index = this.#count;
    this.#offsets[index] = row.offset;
    this.#lengths[index] = row.byteLength;
    this.#regions[index] = row.region;
    this.#kinds[index] = encodings.indexOf(row.encoding) * 2 + (row.terminated ? 1 : 0);
    this.#count += 1;
  }

  at(index: number): PlacedString {
    if (index < 0 || index >= this.#count) throw new RangeError("No string has this index.");
    const kind = this.#kinds[index] ?? 0;
    return {
      offset: this.#offsets[index] ?? 0,
      byteLength: this.#lengths[index] ?? 0,
      encoding: encodings[kind >> 1] ?? "ascii",
      terminated: (kind & 1) === 1,
      region: this.#regions[index] ?? 0,
    };
  }

  countOf(encoding: StringEncoding): number {
    const wanted = encodings.indexOf(encoding);
    let count = 0;
    for (let index = 0; index < this.#count; index += 1) if ((this.#kinds[index] ?? 0) >> 1 === wanted) count += 1;
    return count;
  }

  /** Whether a string among `first..last`, which are sorted, shares a byte with the range. */
  overlaps(first: number, last: number, start: number, end: number): boolean {
    let low = first;
    let high = Math.min(last, this.#count);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#offsets[middle] ?? 0) + (this.#lengths[middle] ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    return low < Math.min(last, this.#count) && (this.#offsets[low] ?? 0) < end;
  }

  /** Sorts the strings from `first` on by offset. */
  sortFrom(first: number): void {
    const order = Array.from({ length: this.#count - first }, (_, index) => first + index);
    if (order.every((at) => at === first || (this.#offsets[at - 1] ?? 0) <= (this.#offsets[at] ?? 0))) return;
    order.sort((left, right) => (this.#offsets[left] ?? 0) - (this.#offsets[right] ?? 0));
    this.#offsets.set(Float64Array.from(order, (at) => this.#offsets[at] ?? 0), first);
    this.#lengths.set(Uint32Array.from(order, (at) => this.#lengths[at] ?? 0), first);
    this.#regions.set(Uint32Array.from(order, (at) => this.#regions[at] ?? 0), first);
    this.#kinds.set(Uint8Array.from(order, (at) => this.#kinds[at] ?? 0), first);
  }

  #grow(): void {
    const size = this.#offsets.length * 2;
    const offsets = new Float64Array(size);
    const lengths = new Uint32Array(size);
    const regions = new Uint32Array(size);
    const kinds = new Uint8Array(size);
    offsets.set(this.#offsets);
    lengths.set(this.#lengths);
    regions.set(this.#regions);
    kinds.set(this.#kinds);
    this.#offsets = offsets;
    this.#lengths = lengths;
    this.#regions = regions;
    this.#kinds = kinds;
  }
}
