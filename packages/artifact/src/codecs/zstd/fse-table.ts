import { brokenData } from "../broken-data.js";
import type { BackwardBits } from "./backward-bits.js";

/** A table of finite state entropy: symbol, bits to read and base of the next state for each state (RFC 8878 §4.1.1). */
export interface FseTable {
  readonly accuracy: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** Builds a table from the share of each symbol; −1 stands for less than one. */
export function fseTable(shares: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const { symbols, next } = spread(shares, size);
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state += 1) {
    const symbol = symbols[state] ?? 0;
    const count = next[symbol] ?? 1;
    next[symbol] = count + 1;
    const width = accuracy - (31 - Math.clz32(count));
    bits[state] = width;
    bases[state] = (count << width) - size;
  }
  return { accuracy, symbols, bits, bases };
}

/** Gives each symbol its states; the rare ones take those at the end. */
function spread(shares: readonly number[], size: number): { readonly symbols: Uint8Array; readonly next: Uint16Array } {
  const symbols = new Uint8Array(size);
  const next = new Uint16Array(256);
  let end = size;
  for (const [symbol, share] of shares.entries()) {
    next[symbol] = Math.abs(share);
    if (share === -1) symbols[(end -= 1)] = symbol;
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (const [symbol, share] of shares.entries()) {
    for (let left = share; left > 0; left -= 1) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= end);
    }
  }
  return { symbols, next };
}

/** A table of one symbol that takes no bits. */
export function singleSymbol(symbol: number): FseTable {
  return { accuracy: 0, symbols: Uint8Array.of(symbol), bits: Uint8Array.of(0), bases: Uint16Array.of(0) };
}

/** Reads a table's description at the start of `bytes`; answers the bytes it took. */
export function readFseTable(bytes: Uint8Array, maximumAccuracy: number, maximumSymbol: number): { readonly table: FseTable; readonly length: number } {
  let bit = 4;
  const read = (count: number): number => {
    const at = bit >> 3;
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    bit += count;
    return (word >>> ((bit - count) & 7)) & ((1 << count) - 1);
  };
  const accuracy = ((bytes[0] ?? 0) & 15) + 5;
  if (accuracy > maximumAccuracy) throw brokenData("A Zstandard table is more accurate than it may be.");
  const shares: number[] = [];
  let left = 1 << accuracy;
  while (left > 0 && shares.length <= maximumSymbol) {
    const width = 32 - Math.clz32(left + 1);
    const value = read(width);
    const lower = value & ((1 << (width - 1)) - 1);
    const spare = (1 << width) - 2 - left;
    if (lower < spare) bit -= 1;
    const share = (lower < spare ? lower : value >= 1 << (width - 1) ? value - spare : value) - 1;
    left -= Math.abs(share);
    shares.push(share);
    for (let more = share === 0; more; ) {
      const zeros = read(2);
      for (let zero = 0; zero < zeros; zero += 1) shares.push(0);
      more = zeros === 3;
    }
    if (bit > bytes.byteLength * 8) throw brokenData("A Zstandard table is cut short.");
  }
  if (left !== 0 || shares.length > maximumSymbol + 1) throw brokenData("A Zstandard table does not add up.");
  return { table: fseTable(shares, accuracy), length: (bit + 7) >> 3 };
}

/** A state that walks through a table. */
export class FseState {
  readonly #table: FseTable;
  readonly #stream: BackwardBits;
  #state: number;

  constructor(table: FseTable, stream: BackwardBits) {
    this.#table = table;
    this.#stream = stream;
    this.#state = stream.read(table.accuracy);
  }

  get symbol(): number {
    return this.#table.symbols[this.#state] ?? 0;
  }

  next(): void {
    this.#state = (this.#table.bases[this.#state] ?? 0) + this.#stream.read(this.#table.bits[this.#state] ?? 0);
  }
}
