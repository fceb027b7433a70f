import { brokenData } from "../broken-data.js";
import { BackwardBits } from "./backward-bits.js";
import { FseState, readFseTable } from "./fse-table.js";

const longestCode = 11;

/** Prefix codes of literals: `symbol << 4 | length` for each pattern of `width` bits (RFC 8878 §4.2). */
export interface LiteralCodes {
  readonly width: number;
  readonly entries: Uint16Array;
}

/** Reads the codes' description at the start of `bytes`; answers the bytes it took. */
export function readLiteralCodes(bytes: Uint8Array): { readonly codes: LiteralCodes; readonly length: number } {
  const head = bytes[0] ?? 0;
  const packedBytes = head < 128 ? head : (head - 126) >> 1;
  const packed = bytes.subarray(1, 1 + packedBytes);
  if (packed.byteLength < packedBytes || packedBytes === 0) throw brokenData("The Zstandard literal codes are cut short.");
  const weights = head < 128 ? packedWeights(packed) : plainWeights(packed, head - 127);
  return { codes: codesOf(weights), length: 1 + packedBytes };
}

function plainWeights(bytes: Uint8Array, count: number): number[] {
  return Array.from({ length: count }, (_, index) => ((bytes[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15);
}

/** Two states take turns until the stream is used up. */
function packedWeights(bytes: Uint8Array): number[] {
  const { table, length } = readFseTable(bytes, 6, 255);
  const stream = new BackwardBits(bytes.subarray(length));
  let [state, other] = [new FseState(table, stream), new FseState(table, stream)];
  const weights: number[] = [];
  while (weights.length < 255) {
    weights.push(state.symbol);
    state.next();
    [state, other] = [other, state];
    if (stream.left >= 0) continue;
    weights.push(state.symbol);
    return weights;
  }
  throw brokenData("There are too many Zstandard literal codes.");
}

/** The last weight is what makes the sum a power of two. */
function codesOf(weights: number[]): LiteralCodes {
  const sum = weights.reduce((total, weight) => total + (weight === 0 ? 0 : 2 ** (weight - 1)), 0);
  if (sum === 0) throw brokenData("No Zstandard literal has a code.");
  const width = Math.floor(Math.log2(sum)) + 1;
  const last = Math.log2(2 ** width - sum);
  if (width > longestCode || !Number.isInteger(last)) throw brokenData("The Zstandard literal codes do not add up.");
  const all = [...weights, last + 1];
  const entries = new Uint16Array(1 << width);
  let at = 0;
  for (let weight = 1; weight <= width; weight += 1) {
    for (const [symbol, of] of all.entries()) {
      if (of !== weight) continue;
      entries.fill((symbol << 4) | (width + 1 - weight), at, (at += 1 << (weight - 1)));
    }
  }
  return { width, entries };
}

/** Decodes one stream of literals, which must be used up exactly. */
export function decodeLiterals(stream: BackwardBits, { width, entries }: LiteralCodes, out: Uint8Array): void {
  for (let at = 0; at < out.byteLength; at += 1) {
    const entry = entries[stream.peek(width)] ?? 0;
    stream.left -= entry & 15;
    out[at] = entry >> 4;
  }
  if (stream.left !== 0) throw brokenData("A stream of Zstandard literals does not end where it should.");
}
