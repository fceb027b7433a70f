import { brokenData } from "../broken-data.js";
import { fseTable, readFseTable, singleSymbol, type FseTable } from "./fse-table.js";

/** Lengths and offsets are a base and as many more bits (RFC 8878 §3.1.1.3.2.1.1). */
export interface CodeTable {
  readonly bases: readonly number[];
  readonly bits: readonly number[];
}

function codeTable(first: number, plain: number, bits: readonly number[]): CodeTable {
  const widths = [...new Array<number>(plain).fill(0), ...bits];
  let base = first;
  return { bits: widths, bases: widths.map((width) => (base += 2 ** width) - 2 ** width) };
}

export const literalLengths = codeTable(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
export const matchLengths = codeTable(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

interface Alphabet {
  readonly preset: FseTable;
  readonly maximumAccuracy: number;
  readonly maximumSymbol: number;
}

const ones = (count: number): number[] => new Array<number>(count).fill(1);
const rare = (count: number): number[] => new Array<number>(count).fill(-1);
const literalShares = [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, ...rare(4)];
const matchShares = [1, 4, 3, 2, 2, 2, 2, 2, 2, ...ones(37), ...rare(7)];
const offsetShares = [...ones(6), 2, 2, 2, ...ones(15), ...rare(5)];

/** Literal lengths, offsets, match lengths, in the order of their tables. */
export const alphabets: readonly Alphabet[] = [
  { preset: fseTable(literalShares, 6), maximumAccuracy: 9, maximumSymbol: 35 },
  { preset: fseTable(offsetShares, 5), maximumAccuracy: 8, maximumSymbol: 31 },
  { preset: fseTable(matchShares, 6), maximumAccuracy: 9, maximumSymbol: 52 },
];

/** The table an alphabet uses by its mode: preset, one symbol, described here, as before. */
export function sequenceTable(alphabet: Alphabet, mode: number, bytes: Uint8Array, previous: FseTable | undefined): { readonly table: FseTable; readonly length: number } {
  if (mode === 0) return { table: alphabet.preset, length: 0 };
  if (mode === 2) return readFseTable(bytes, alphabet.maximumAccuracy, alphabet.maximumSymbol);
  if (mode === 3 && previous !== undefined) return { table: previous, length: 0 };
  const [symbol] = bytes;
  if (mode !== 1 || symbol === undefined || symbol > alphabet.maximumSymbol) throw brokenData("A Zstandard block names a table that it does not have.");
  return { table: singleSymbol(symbol), length: 1 };
}
