import { brokenData } from "../broken-data.js";
import type { BitInput } from "./bit-input.js";

const longest = 15;
/** Codes up to this length are found in one step. */
const quickBits = 9;

/** A canonical prefix code (RFC 1951 §3.2.2). */
export interface PrefixCode {
  /** Codes of each length. */
  readonly counts: Uint16Array;
  /** Symbols in order of their codes. */
  readonly symbols: Uint16Array;
  /** By the next bits: symbol · 16 + length, or 0 where the code is longer. */
  readonly quick: Uint16Array;
}

/**
 * Builds the code from the length of each symbol's code. Throws when the lengths ask for more codes than there are, or
 * leave some without meaning; a single code of one bit is the exception that RFC 1951 §3.2.7 makes.
 */
export function prefixCode(lengths: Uint8Array): PrefixCode {
  const counts = new Uint16Array(longest + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  const used = lengths.length - (counts[0] ?? 0);
  let left = 1;
  for (let length = 1; length <= longest; length += 1) {
    left = left * 2 - (counts[length] ?? 0);
    if (left < 0) throw brokenData("A code table has more codes than there is room for.");
  }
  if (left > 0 && used > 1) throw brokenData("A code table is incomplete.");
  return tabled(lengths, counts);
}

function tabled(lengths: Uint8Array, counts: Uint16Array): PrefixCode {
  const places = new Uint16Array(longest + 2);
  const codes = new Uint32Array(longest + 2);
  for (let length = 1; length <= longest; length += 1) {
    const count = length === 1 ? 0 : (counts[length - 1] ?? 0);
    places[length] = (places[length - 1] ?? 0) + count;
    codes[length] = ((codes[length - 1] ?? 0) + count) << 1;
  }
  const symbols = new Uint16Array(lengths.length);
  const quick = new Uint16Array(1 << quickBits);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const place = places[length] ?? 0;
    places[length] = place + 1;
    symbols[place] = symbol;
    const code = codes[length] ?? 0;
    codes[length] = code + 1;
    if (length > quickBits) return;
    for (let at = reversed(code, length); at < quick.length; at += 1 << length) quick[at] = symbol * 16 + length;
  });
  return { counts, symbols, quick };
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit += 1) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** The next symbol; throws for bits that no symbol has. */
export function symbolOf(code: PrefixCode, input: BitInput): number {
  const bits = input.peek(longest);
  const entry = code.quick[bits & ((1 << quickBits) - 1)] ?? 0;
  if (entry !== 0) {
    input.drop(entry & 15);
    return entry >> 4;
  }
  return longSymbol(code, input, bits);
}

/** Walks the lengths: codes of one length are consecutive numbers. */
function longSymbol(code: PrefixCode, input: BitInput, bits: number): number {
  let value = 0;
  let first = 0;
  let place = 0;
  for (let length = 1; length <= longest; length += 1) {
    value |= (bits >> (length - 1)) & 1;
    const count = code.counts[length] ?? 0;
    if (value - first < count) {
      input.drop(length);
      return code.symbols[place + value - first] ?? 0;
    }
    place += count;
    first = (first + count) << 1;
    value <<= 1;
  }
  throw brokenData("A code stands for nothing.", input.usedBytes);
}
