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

  /** Merges the sorted strings `first..middle` with the sorted ones from `middle` on. */
  merge(first: number, middle: number): void {
    if (first >= middle || middle >= this.#count) return;
    const order = this.#mergedOrder(first, middle);
    this.#offsets.set(gathered(this.#offsets, order, new Float64Array(order.length)), first);
    this.#lengths.set(gathered(this.#lengths, order, new Uint32Array(order.length)), first);
    this.#regions.set(gathered(this.#regions, order, new Uint32Array(order.length)), first);
    this.#kinds.set(gathered(this.#kinds, order, new Uint8Array(order.length)), first);
  }

  #mergedOrder(first: number, middle: number): Uint32Array {
    const order = new Uint32Array(this.#count - first);
    let left = first;
    let right = middle;
    for (let index = 0; index < order.length; index += 1) {
      const takeLeft =
        left < middle && (right >= this.#count || (this.#offsets[left] ?? 0) <= (this.#offsets[right] ?? 0));
      order[index] = takeLeft ? left : right;
      if (takeLeft) left += 1;
      else right += 1;
    }
    return order;
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

function gathered<T extends Float64Array | Uint32Array | Uint8Array>(from: T, order: Uint32Array, into: T): T {
  for (let index = 0; index < order.length; index += 1) into[index] = from[order[index] ?? 0] ?? 0;
  return into;
}
