import { brokenData } from "../broken-data.js";
import type { BitWindow } from "./bit-window.js";
import { HuffmanTable } from "./huffman-table.js";

/** A block before its transform is undone. */
export interface TransformedBlock {
  readonly crc: number;
  /** Place of the original text among the sorted rotations. */
  readonly origin: number;
  readonly length: number;
}

const groupSymbols = 50;
const usedSelectors = 18_002;
const runA = 0;
const runB = 1;

/** Reads a block behind its magic into `last`, the last column of the sorted rotations, low 8 bits of each entry. */
export function readBlock(window: BitWindow, last: Uint32Array): TransformedBlock {
  const crc = window.word();
  if (window.bits(1) === 1) throw brokenData("A bzip2 block is randomised, as only writers before 1.0 did; it is not supported.");
  const origin = window.bits(24);
  const values = usedBytes(window);
  const groups = window.bits(3);
  if (groups < 2 || groups > 6 || values.length === 0) throw brokenData("A bzip2 block has malformed coding tables.");
  const selectors = readSelectors(window, groups);
  const tables = Array.from({ length: groups }, () => new HuffmanTable(codeLengths(window, values.length + 2)));
  const length = readSymbols({ window, last, values, selectors, tables });
  if (origin >= length) throw brokenData("A bzip2 block starts outside of itself.");
  return { crc, origin, length };
}

/** The byte values that occur: a bit for each 16, then bits for the values among them. */
function usedBytes(window: BitWindow): Uint8Array {
  const ranges = window.bits(16);
  const used: number[] = [];
  for (let high = 0; high < 16; high += 1) {
    if ((ranges & (0x8000 >> high)) === 0) continue;
    const low = window.bits(16);
    for (let bit = 0; bit < 16; bit += 1) if ((low & (0x8000 >> bit)) !== 0) used.push(high * 16 + bit);
  }
  return Uint8Array.from(used);
}

function readSelectors(window: BitWindow, groups: number): Uint8Array {
  const count = window.bits(15);
  if (count === 0) throw brokenData("A bzip2 block names no coding table.");
  const order = Uint8Array.from({ length: groups }, (_, index) => index);
  const selectors = new Uint8Array(Math.min(count, usedSelectors));
  for (let at = 0; at < count; at += 1) {
    let place = 0;
    while (window.bits(1) === 1) place += 1;
    if (place >= groups) throw brokenData("A bzip2 block names a coding table that it does not have.");
    // Some writers pad the list; what is beyond the longest block is never used.
    if (at < selectors.length) selectors[at] = moveToFront(order, place);
  }
  return selectors;
}

function moveToFront(order: Uint8Array, place: number): number {
  const value = order[place] ?? 0;
  order.copyWithin(1, 0, place);
  order[0] = value;
  return value;
}

function codeLengths(window: BitWindow, count: number): Uint8Array {
  const lengths = new Uint8Array(count);
  let length = window.bits(5);
  for (let symbol = 0; symbol < count; symbol += 1) {
    for (;;) {
      if (length < 1 || length > 20) throw brokenData("A bzip2 block has a code of a length that cannot be.");
      if (window.bits(1) === 0) break;
      length += window.bits(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return lengths;
}

interface SymbolInput {
  readonly window: BitWindow;
  readonly last: Uint32Array;
  readonly values: Uint8Array;
  readonly selectors: Uint8Array;
  readonly tables: readonly HuffmanTable[];
}

/** Undoes prefix codes, zero runs and move-to-front; answers the number of bytes. */
function readSymbols({ window, last, values, selectors, tables }: SymbolInput): number {
  const order = values.slice();
  const endOfBlock = values.length + 1;
  let count = 0;
  let run = 0;
  let weight = 1;
  for (let read = 0; ; read += 1) {
    const table = tables[selectors[Math.floor(read / groupSymbols)] ?? 255];
    if (table === undefined) throw brokenData("A bzip2 block has more symbols than its tables serve.");
    const symbol = table.read(window);
    if (symbol === runA || symbol === runB) {
      run += weight << symbol;
      weight <<= 1;
      if (run > last.length) throw brokenData("A bzip2 block is longer than its stream allows.");
      continue;
    }
    if (count + run > last.length) throw brokenData("A bzip2 block is longer than its stream allows.");
    if (run > 0) {
      last.fill(order[0] ?? 0, count, count + run);
      count += run;
      run = 0;
      weight = 1;
    }
    if (symbol === endOfBlock) return count;
    if (count === last.length) throw brokenData("A bzip2 block is longer than its stream allows.");
    last[count] = moveToFront(order, symbol - 1);
    count += 1;
  }
}
