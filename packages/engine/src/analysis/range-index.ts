import type { FunctionRecord } from "../program.js";
import { firstAtLeast } from "./sort-order.js";

/** Finds functions by entry and by any address inside. */
export class RangeIndex {
  readonly #functions: readonly FunctionRecord[];
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #owners: Uint32Array;
  readonly #entries: Float64Array;

  /** `functions` sorted by entry. */
  constructor(functions: readonly FunctionRecord[]) {
    this.#functions = functions;
    this.#entries = Float64Array.from(functions, (fn) => fn.entry);
    const rows = functions.flatMap((fn, owner) => fn.ranges.map((range) => ({ range, owner })));
    rows.sort((a, b) => a.range.start - b.range.start);
    this.#starts = Float64Array.from(rows, (row) => row.range.start);
    this.#ends = Float64Array.from(rows, (row) => row.range.end);
    this.#owners = Uint32Array.from(rows, (row) => row.owner);
  }

  at(entry: number): FunctionRecord | undefined {
    const row = firstAtLeast(this.#entries, entry);
    return this.#entries[row] === entry ? this.#functions[row] : undefined;
  }

  containing(rva: number): FunctionRecord | undefined {
    const row = firstAtLeast(this.#starts, rva + 1) - 1;
    // Ranges overlap only where instructions do; looking a few rows back finds the other one.
    for (let index = row; index >= 0 && index > row - 4; index -= 1) {
      if (rva < (this.#ends[index] ?? 0)) return this.#functions[this.#owners[index] ?? 0];
    }
    return undefined;
  }
}
