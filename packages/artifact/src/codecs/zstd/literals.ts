import { brokenData } from "../broken-data.js";
import { BackwardBits } from "./backward-bits.js";
import { decodeLiterals, readLiteralCodes, type LiteralCodes } from "./literal-codes.js";

const longest = 1 << 17;

/** The literals section of blocks; codes are kept from one block for the next (RFC 8878 §3.1.1.3.1). */
export class LiteralsReader {
  #codes: LiteralCodes | undefined;

  /** The literals at the start of a block, and the bytes the section took. */
  read(block: Uint8Array): { readonly literals: Uint8Array; readonly length: number } {
    const kind = (block[0] ?? 0) & 3;
    return kind < 2 ? plain(block, kind === 1) : this.#coded(block, kind === 2);
  }

  #coded(block: Uint8Array, ownCodes: boolean): { readonly literals: Uint8Array; readonly length: number } {
    const format = ((block[0] ?? 0) >> 2) & 3;
    const headBytes = format < 2 ? 3 : format + 2;
    const sizeBits = [10, 10, 14, 18][format] ?? 0;
    const head = number(block, headBytes);
    const size = Math.floor(head / 16) % 2 ** sizeBits;
    const packedBytes = Math.floor(head / 2 ** (4 + sizeBits));
    const length = headBytes + packedBytes;
    if (size > longest || length > block.byteLength) throw brokenData("Zstandard literals reach past their block.");
    let packed = block.subarray(headBytes, length);
    if (ownCodes) {
      const described = readLiteralCodes(packed);
      this.#codes = described.codes;
      packed = packed.subarray(described.length);
    }
    if (this.#codes === undefined) throw brokenData("A Zstandard block goes on with literal codes that were never set.");
    const literals = new Uint8Array(size);
    if (format === 0) decodeLiterals(new BackwardBits(packed), this.#codes, literals);
    else fourStreams(packed, this.#codes, literals);
    return { literals, length };
  }
}

function plain(block: Uint8Array, run: boolean): { readonly literals: Uint8Array; readonly length: number } {
  const format = ((block[0] ?? 0) >> 2) & 3;
  const headBytes = format === 1 ? 2 : format === 3 ? 3 : 1;
  const size = format % 2 === 0 ? (block[0] ?? 0) >> 3 : Math.floor(number(block, headBytes) / 16);
  const length = headBytes + (run ? 1 : size);
  if (size > longest || length > block.byteLength) throw brokenData("Zstandard literals reach past their block.");
  const literals = run ? new Uint8Array(size).fill(block[headBytes] ?? 0) : block.subarray(headBytes, length);
  return { literals, length };
}

/** A table of three lengths, then four streams of a quarter each. */
function fourStreams(packed: Uint8Array, codes: LiteralCodes, literals: Uint8Array): void {
  const quarter = (literals.byteLength + 3) >> 2;
  let at = 6;
  for (let stream = 0; stream < 4; stream += 1) {
    const end = stream === 3 ? packed.byteLength : at + number(packed.subarray(stream * 2), 2);
    if (end > packed.byteLength || quarter * stream > literals.byteLength) throw brokenData("Streams of Zstandard literals reach past their section.");
    decodeLiterals(new BackwardBits(packed.subarray(at, end)), codes, literals.subarray(quarter * stream, quarter * (stream + 1)));
    at = end;
  }
}

function number(bytes: Uint8Array, length: number): number {
  if (bytes.byteLength < length) throw brokenData("The Zstandard literals header is cut short.");
  let value = 0;
  for (let at = length - 1; at >= 0; at -= 1) value = value * 256 + (bytes[at] ?? 0);
  return value;
}
