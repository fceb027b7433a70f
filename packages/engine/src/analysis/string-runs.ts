import { scanStrings, type BinaryImage, type StringEncoding } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";
import { firstAtLeast, sortedOrder } from "./sort-order.js";

/** One run of text as the search found it. */
export interface StringRun {
  readonly start: number;
  readonly end: number;
  readonly encoding: StringEncoding;
  readonly terminated: boolean;
}

/** What the search for text found in mapped data: runs in order of their addresses, held as numbers. */
export class StringRuns {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #encodings: readonly StringEncoding[];
  readonly #terminated: Uint8Array;
  #last = -1;

  constructor(image: BinaryImage, memory: MemoryMap) {
    const rows = [...scanStrings(image).rows()].flatMap((row) => {
      const start = row.va === undefined ? undefined : memory.toRva(row.va);
      return start === undefined ? [] : [{ start, ...row }];
    });
    const order = sortedOrder(Float64Array.from(rows, (row) => row.start));
    const sorted = Array.from(order, (index) => rows[index]).filter((row) => row !== undefined);
    this.#starts = Float64Array.from(sorted, (row) => row.start);
    this.#ends = Float64Array.from(sorted, (row) => row.start + row.byteLength);
    this.#encodings = sorted.map((row) => row.encoding);
    this.#terminated = Uint8Array.from(sorted, (row) => (row.terminated ? 1 : 0));
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Index of the run that covers the address, -1 without one. */
  indexAt(rva: number): number {
    if (this.#last >= 0 && this.#covers(this.#last, rva)) return this.#last;
    const index = firstAtLeast(this.#starts, rva + 1) - 1;
    if (index < 0 || !this.#covers(index, rva)) return -1;
    this.#last = index;
    return index;
  }

  startOf(index: number): number {
    return this.#starts[index] ?? -1;
  }

  endOf(index: number): number {
    return this.#ends[index] ?? -1;
  }

  run(index: number): StringRun {
    return {
      start: this.startOf(index),
      end: this.endOf(index),
      encoding: this.#encodings[index] ?? "ascii",
      terminated: this.#terminated[index] === 1,
    };
  }

  #covers(index: number, rva: number): boolean {
    return rva >= this.startOf(index) && rva < this.endOf(index);
  }
}
