import type { FunctionRecord, NameRecord } from "../program.js";
import { rowsOf, type Rows } from "./rows.js";
import { firstAtLeast } from "./sort-order.js";
import type { WorkBounds } from "./work-bounds.js";

/** Functions by entry, and where their ranges lie. */
export interface FunctionTable {
  readonly rows: Rows<FunctionRecord>;
  /** Sorted, one for each row. */
  readonly entries: Float64Array;
  /** Starts of all ranges, sorted; with the end and the row of each. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly owners: Uint32Array;
}

/** `functions` sorted by entry. */
export function functionTable(functions: readonly FunctionRecord[], bounds: WorkBounds): FunctionTable {
  const ranges = functions.flatMap((fn, owner) => fn.ranges.map((range) => ({ range, owner })));
  ranges.sort(bounds.watchedOrder((a, b) => a.range.start - b.range.start));
  bounds.checkStop();
  return {
    rows: rowsOf(functions),
    entries: Float64Array.from(functions, (fn) => fn.entry),
    starts: Float64Array.from(ranges, ({ range }) => range.start),
    ends: Float64Array.from(ranges, ({ range }) => range.end),
    owners: Uint32Array.from(ranges, ({ owner }) => owner),
  };
}

/** Names by address. */
export interface NameTable {
  readonly rows: Rows<NameRecord>;
  /** Sorted, one for each row. */
  readonly rvas: Float64Array;
}

export function nameTable(names: readonly NameRecord[]): NameTable {
  return { rows: rowsOf(names), rvas: Float64Array.from(names, ({ rva }) => rva) };
}

/** Finds functions by entry and by any address inside. */
export class RangeIndex {
  readonly #table: FunctionTable;

  constructor(table: FunctionTable) {
    this.#table = table;
  }

  at(entry: number): FunctionRecord | undefined {
    const { entries, rows } = this.#table;
    const row = firstAtLeast(entries, entry);
    return entries[row] === entry ? rows.at(row) : undefined;
  }

  containing(rva: number): FunctionRecord | undefined {
    const { starts, ends, owners, rows } = this.#table;
    const row = firstAtLeast(starts, rva + 1) - 1;
    // Ranges overlap only where instructions do; looking a few rows back finds the other one.
    for (let index = row; index >= 0 && index > row - 4; index -= 1) {
      if (rva < (ends[index] ?? 0)) return rows.at(owners[index] ?? 0);
    }
    return undefined;
  }
}
