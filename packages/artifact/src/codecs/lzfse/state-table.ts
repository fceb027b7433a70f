import { brokenData } from "../broken-data.js";

/** A decoding table of a finite state coder; each entry gives a symbol and, with some bits, the next state. */
export interface StateTable {
  readonly symbols: Uint8Array;
  /** Bits to read for the next state. */
  readonly bits: Uint8Array;
  readonly deltas: Int16Array;
}

/**
 * Spreads symbols over states by their frequencies: symbol after symbol, each as many states as its frequency, those
 * in front with one bit more where the frequency is no power of two. Throws when they do not fit; states that no symbol
 * has read 255 bits, which no stream holds.
 */
export function stateTable(frequencies: Uint16Array, stateCount: number): StateTable {
  const table = { symbols: new Uint8Array(stateCount), bits: new Uint8Array(stateCount).fill(255), deltas: new Int16Array(stateCount) };
  let state = 0;
  for (let symbol = 0; symbol < frequencies.length; symbol += 1) {
    const frequency = frequencies[symbol] ?? 0;
    if (frequency === 0) continue;
    if (state + frequency > stateCount) throw brokenData("The frequencies of an LZFSE block are more than its states.");
    const bits = Math.clz32(frequency) - Math.clz32(stateCount);
    const longer = ((2 * stateCount) >> bits) - frequency;
    for (let index = 0; index < frequency; index += 1, state += 1) {
      const isLonger = index < longer;
      table.symbols[state] = symbol;
      table.bits[state] = isLonger ? bits : bits - 1;
      table.deltas[state] = isLonger ? ((frequency + index) << bits) - stateCount : (index - longer) << (bits - 1);
    }
  }
  return table;
}

/** Bits of a stream that is read from its end. */
export class BitsFromEnd {
  readonly #bytes: Uint8Array;
  #left: number;

  /** `spare` is minus the unused bits at the end, which must be zero. */
  constructor(bytes: Uint8Array, spare: number) {
    this.#bytes = bytes;
    this.#left = bytes.byteLength * 8 + spare;
    const last = bytes[bytes.byteLength - 1] ?? 0;
    if (spare < 0 && (bytes.byteLength === 0 || last >> (8 + spare) !== 0)) throw brokenData("A stream of an LZFSE block does not end as its header says.");
  }

  /** The next bits, at most 24. */
  take(count: number): number {
    this.#left -= count;
    if (this.#left < 0) throw brokenData("A stream of an LZFSE block ends too early.");
    const at = this.#left >> 3;
    const bytes = this.#bytes;
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    return (word >>> (this.#left & 7)) & ((1 << count) - 1);
  }
}
