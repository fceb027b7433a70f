import type { FunctionFact } from "./provider-facts.js";

/** Answers which function of one provider an address lies inside of, without being its start. */
export class FunctionRanges {
  /** By address; a function of unknown size covers nothing. */
  readonly #sorted: readonly FunctionFact[];

  constructor(functions: readonly FunctionFact[]) {
    this.#sorted = functions.filter(({ size }) => size !== null && size > 0).sort((a, b) => (a.address < b.address ? -1 : 1));
  }

  inside(address: bigint): FunctionFact | undefined {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.#sorted[middle];
      if (at !== undefined && at.address < address) low = middle + 1;
      else high = middle;
    }
    // Ranges may nest and overlap; the nearest start is the one a reader would name.
    const before = this.#sorted[low - 1];
    return before !== undefined && address < before.address + BigInt(before.size ?? 0) ? before : undefined;
  }
}
