import type { CodeMap } from "./code-map.js";
import type { ReferenceTable } from "./reference-table.js";
import { firstAtLeast } from "./sort-order.js";

/** Finds the analysed item before or after an address: instruction of a function, symbol, string or pointer. */
export class Neighbours {
  readonly #code: CodeMap;
  /** Starts of everything that is not an instruction, sorted. */
  readonly #items: Float64Array;

  constructor(code: CodeMap, references: ReferenceTable, starts: readonly number[]) {
    this.#code = code;
    const items = [...starts];
    for (let row = 0; row < references.length; row += 1) {
      if (references.isFromData(row)) items.push(references.fromOf(row));
    }
    this.#items = Float64Array.from(items).sort();
  }

  after(rva: number): number | undefined {
    const item = this.#items[firstAtLeast(this.#items, rva + 1)];
    const instruction = this.#instructionAfter(rva, item ?? Number.POSITIVE_INFINITY);
    return instruction ?? item;
  }

  before(rva: number): number | undefined {
    const item = this.#items[firstAtLeast(this.#items, rva) - 1];
    const instruction = this.#instructionBefore(rva);
    if (item === undefined || instruction === undefined) return item ?? instruction;
    return Math.max(item, instruction);
  }

  #instructionAfter(rva: number, limit: number): number | undefined {
    for (const region of this.#code.regions) {
      if (region.end <= rva + 1) continue;
      const first = Math.max(0, rva + 1 - region.start);
      for (let at = first; at < region.bytes.byteLength && region.start + at < limit; at += 1) {
        if (region.claimed.has(at)) return region.start + at;
      }
    }
    return undefined;
  }

  #instructionBefore(rva: number): number | undefined {
    for (const region of [...this.#code.regions].reverse()) {
      if (region.start >= rva) continue;
      const at = region.claimed.floor(Math.min(region.bytes.byteLength, rva - region.start) - 1);
      if (at >= 0) return region.start + at;
    }
    return undefined;
  }
}
