import { brokenData } from "../broken-data.js";
import type { BitInput } from "./bit-input.js";
import { prefixCode, symbolOf, type PrefixCode } from "./huffman.js";

/** The two codes of a compressed block. */
export interface BlockCodes {
  readonly literals: PrefixCode;
  readonly distances: PrefixCode;
}

let fixed: BlockCodes | undefined;

/** RFC 1951 §3.2.6. */
export function fixedCodes(): BlockCodes {
  if (fixed !== undefined) return fixed;
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  fixed = { literals: prefixCode(lengths), distances: prefixCode(new Uint8Array(32).fill(5)) };
  return fixed;
}

/** RFC 1951 §3.2.7: the order in which lengths of the code-length code stand. */
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

/** Bytes of input that hold any block's tables. */
export const tableBytes = 1024;

/** Reads the tables of a block with codes of its own. */
export function readCodes(input: BitInput): BlockCodes {
  const literalCount = input.take(5) + 257;
  const distanceCount = input.take(5) + 1;
  const lengths = readLengths(input, literalCount + distanceCount);
  if (lengths[256] === 0) throw brokenData("A block has no code for its end.", input.usedBytes);
  return { literals: prefixCode(lengths.subarray(0, literalCount)), distances: prefixCode(lengths.subarray(literalCount)) };
}

function readLengths(input: BitInput, total: number): Uint8Array {
  const count = input.take(4) + 4;
  const own = new Uint8Array(19);
  for (const symbol of order.slice(0, count)) own[symbol] = input.take(3);
  const code = prefixCode(own);
  const lengths = new Uint8Array(total);
  for (let at = 0; at < total; ) {
    const symbol = symbolOf(code, input);
    const { value, times } = run(symbol, input, at === 0 ? undefined : lengths[at - 1]);
    if (at + times > total) throw brokenData("A code table is longer than it says.", input.usedBytes);
    lengths.fill(value, at, at + times);
    at += times;
  }
  return lengths;
}

function run(symbol: number, input: BitInput, previous: number | undefined): { readonly value: number; readonly times: number } {
  if (symbol < 16) return { value: symbol, times: 1 };
  if (symbol === 17) return { value: 0, times: 3 + input.take(3) };
  if (symbol === 18) return { value: 0, times: 11 + input.take(7) };
  if (previous === undefined) throw brokenData("A code table starts with a repetition.", input.usedBytes);
  return { value: previous, times: 3 + input.take(2) };
}
