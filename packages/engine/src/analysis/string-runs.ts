import { scanStrings, type BinaryImage, type StringEncoding } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";
import { firstAtLeast, sortedOrder } from "./sort-order.js";
import type { WorkBounds } from "./work-bounds.js";

/** One run of text as the search found it. */
export interface StringRun {
  readonly start: number;
  readonly end: number;
  readonly encoding: StringEncoding;
  readonly terminated: boolean;
}

/** A run, and what the search does between two of its pauses, as instructions. */
const unitsPerRun = 4;
const unitsPerPause = 8192;

const encodings: readonly StringEncoding[] = ["ascii", "utf-8", "utf-16le", "utf-16be"];

/** What the search for text found in mapped data: runs in order of their addresses, held as numbers. */
export class StringRuns {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #encodings: Uint8Array;
  readonly #terminated: Uint8Array;
  #last = -1;

  constructor(image: BinaryImage, memory: MemoryMap, bounds: WorkBounds) {
    const scan = scanStrings(image, { pause: () => bounds.worked(unitsPerPause) });
    const starts = new Float64Array(scan.count);
    let placed = 0;
    const rows = new Uint32Array(scan.count);
    for (let index = 0; index < scan.count; index += 1) {
      bounds.worked(unitsPerRun);
      const { va } = scan.row(index);
      const start = va === undefined ? undefined : memory.toRva(va);
      if (start === undefined) continue;
      starts[placed] = start;
      rows[placed] = index;
      placed += 1;
    }
    const order = sortedOrder(starts.subarray(0, placed), () => bounds.checkStop());
    this.#starts = new Float64Array(placed);
    this.#ends = new Float64Array(placed);
    this.#encodings = new Uint8Array(placed);
    this.#terminated = new Uint8Array(placed);
    for (let place = 0; place < placed; place += 1) {
      bounds.worked(unitsPerRun);
      const at = order[place] ?? 0;
      const row = scan.row(rows[at] ?? 0);
      const start = starts[at] ?? 0;
      this.#starts[place] = start;
      this.#ends[place] = start + row.byteLength;
      this.#encodings[place] = encodings.indexOf(row.encoding);
      this.#terminated[place] = row.terminated ? 1 : 0;
    }
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
      encoding: encodings[this.#encodings[index] ?? 0] ?? "ascii",
      terminated: this.#terminated[index] === 1,
    };
  }

  #covers(index: number, rva: number): boolean {
    return rva >= this.startOf(index) && rva < this.endOf(index);
  }
}
