import { brokenData } from "../broken-data.js";
import type { LzxBits } from "./lzx-bits.js";

const longestCode = 16;
const fastBits = 10;

/** Canonical prefix codes of at most 16 bits, read most significant bit first. */
export class CodeTable {
  /** Symbol and length (symbol × 32 + length) for each start of a short code; 0 for the others. */
  readonly #fast = new Uint32Array(1 << fastBits);
  /** First code of each length behind the last of it, aligned to 16 bits. */
  readonly #limits = new Uint32Array(longestCode + 1);
  readonly #firstCodes = new Uint32Array(longestCode + 1);
  readonly #firstSymbols = new Uint32Array(longestCode + 1);
  readonly #symbols: Uint16Array;

  /** Throws when the lengths ask for more codes than there are. */
  constructor(lengths: Uint8Array) {
    const counts = new Uint32Array(longestCode + 2);
    for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
    let code = 0;
    let symbol = 0;
    for (let length = 1; length <= longestCode; length += 1) {
      code <<= 1;
      this.#firstCodes[length] = code;
      this.#firstSymbols[length] = symbol;
      code += counts[length] ?? 0;
      symbol += counts[length] ?? 0;
      if (code > 1 << length) throw brokenData("A set of code lengths has more codes than fit.");
      this.#limits[length] = code << (longestCode - length);
    }
    this.#symbols = sortedSymbols(lengths, this.#firstSymbols, symbol);
    this.#fillFast();
  }

  decode(bits: LzxBits): number {
    const next = bits.peek(longestCode);
    const fast = this.#fast[next >>> (longestCode - fastBits)] ?? 0;
    if (fast !== 0) {
      bits.drop(fast & 31);
      return fast >>> 5;
    }
    for (let length = fastBits + 1; length <= longestCode; length += 1) {
      if (next >= (this.#limits[length] ?? 0)) continue;
      bits.drop(length);
      const index = (next >>> (longestCode - length)) - (this.#firstCodes[length] ?? 0);
      return this.#symbols[(this.#firstSymbols[length] ?? 0) + index] ?? 0;
    }
    throw brokenData("A code stands for no symbol.");
  }

  #fillFast(): void {
    let code = 0;
    for (let length = 1; length <= fastBits; length += 1) {
      const shift = fastBits - length;
      const end = (this.#limits[length] ?? 0) >>> (longestCode - fastBits);
      for (; code < end; code += 1) {
        const index = (code >>> shift) - (this.#firstCodes[length] ?? 0) + (this.#firstSymbols[length] ?? 0);
        this.#fast[code] = (this.#symbols[index] ?? 0) * 32 + length;
      }
    }
  }
}

function sortedSymbols(lengths: Uint8Array, firsts: Uint32Array, count: number): Uint16Array {
  const symbols = new Uint16Array(count);
  const places = firsts.slice();
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    symbols[places[length] ?? 0] = symbol;
    places[length] = (places[length] ?? 0) + 1;
  }
  return symbols;
}
