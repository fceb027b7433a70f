import { brokenData } from "../broken-data.js";
import type { BitWindow } from "./bit-window.js";

const longestCode = 20;
const quickBits = 10;

/** Canonical prefix codes of at most 20 bits: one look-up for the short ones, a walk by length for the others. */
export class HuffmanTable {
  /** `symbol << 5 | length` for each pattern of 10 bits; 0 where the code is longer. */
  readonly #quick = new Uint16Array(1 << quickBits);
  readonly #symbols: Uint16Array;
  /** First code of each length, one behind the last, and the place of the first one's symbol. */
  readonly #first = new Int32Array(longestCode + 2);
  readonly #end = new Int32Array(longestCode + 2);
  readonly #index = new Int32Array(longestCode + 2);

  constructor(lengths: Uint8Array) {
    this.#symbols = new Uint16Array(lengths.length);
    let code = 0;
    let placed = 0;
    for (let length = 1; length <= longestCode; length += 1) {
      this.#first[length] = code;
      this.#index[length] = placed;
      for (let symbol = 0; symbol < lengths.length; symbol += 1) {
        if (lengths[symbol] !== length) continue;
        this.#symbols[placed] = symbol;
        if (length <= quickBits) this.#fill(code, length, symbol);
        placed += 1;
        code += 1;
      }
      this.#end[length] = code;
      code <<= 1;
    }
  }

  read(window: BitWindow): number {
    const entry = this.#quick[window.peek(quickBits)] ?? 0;
    if (entry === 0) return this.#readLong(window);
    window.skip(entry & 31);
    return entry >>> 5;
  }

  #fill(code: number, length: number, symbol: number): void {
    const start = code << (quickBits - length);
    // Over-full code sets run past the table; what lies outside is never looked up.
    this.#quick.fill((symbol << 5) | length, start, start + (1 << (quickBits - length)));
  }

  #readLong(window: BitWindow): number {
    for (let length = 1; length <= longestCode; length += 1) {
      const code = window.peek(length);
      if (code >= (this.#end[length] ?? 0) || code < (this.#first[length] ?? 0)) continue;
      window.skip(length);
      return this.#symbols[(this.#index[length] ?? 0) + code - (this.#first[length] ?? 0)] ?? 0;
    }
    throw brokenData("The bzip2 data holds a code that no symbol has.");
  }
}
