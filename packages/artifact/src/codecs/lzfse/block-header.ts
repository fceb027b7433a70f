import { brokenData } from "../broken-data.js";

/** Symbols of the four alphabets: literal run, match length, distance, literal. */
export const alphabets = { literals: 256, l: 20, m: 20, d: 64 } as const;
/** States of the coder of each. */
export const states = { literals: 1024, l: 64, m: 64, d: 256 } as const;

export interface LzfseBlock {
  readonly plainBytes: number;
  readonly literals: number;
  readonly matches: number;
  readonly literalBytes: number;
  readonly matchBytes: number;
  /** Minus the unused bits of the last byte. */
  readonly literalBits: number;
  readonly matchBits: number;
  readonly literalStates: readonly number[];
  readonly l: number;
  readonly m: number;
  readonly d: number;
  /** Of the symbols of l, m, d and literals, one after another. */
  readonly frequencies: Uint16Array;
}

const mostLiterals = 40_000;
const mostMatches = 10_000;
const frequencyCount = alphabets.l + alphabets.m + alphabets.d + alphabets.literals;

/** Bytes of a header with plain tables (`bvx1`). */
export const plainHeaderBytes = 772;
/** Bytes of a header with packed tables (`bvx2`) before the tables. */
export const packedHeaderBytes = 32;
/** The most that a packed header can have: every frequency in 14 bits. */
export const longestPackedHeader = packedHeaderBytes + Math.ceil((frequencyCount * 14) / 8) + 4;

/** A header of `plainHeaderBytes`. */
export function plainHeader(bytes: Buffer): LzfseBlock {
  const frequencies = new Uint16Array(frequencyCount);
  for (let index = 0; index < frequencyCount; index += 1) frequencies[index] = bytes.readUInt16LE(50 + index * 2);
  return checked({
    plainBytes: bytes.readUInt32LE(4),
    literals: bytes.readUInt32LE(12),
    matches: bytes.readUInt32LE(16),
    literalBytes: bytes.readUInt32LE(20),
    matchBytes: bytes.readUInt32LE(24),
    literalBits: bytes.readInt32LE(28),
    literalStates: [32, 34, 36, 38].map((at) => bytes.readUInt16LE(at)),
    matchBits: bytes.readInt32LE(40),
    l: bytes.readUInt16LE(44),
    m: bytes.readUInt16LE(46),
    d: bytes.readUInt16LE(48),
    frequencies,
  });
}

/** How long a packed header says it is. */
export function packedHeaderLength(bytes: Buffer): number {
  return bytes.readUInt32LE(24);
}

/** A header of its own length, its tables in a code of 2 to 14 bits for each frequency. */
export function packedHeader(bytes: Buffer): LzfseBlock {
  const [first, second, third] = [8, 16, 24].map((at) => bytes.readBigUInt64LE(at));
  const field = (word: bigint | undefined, at: number, bits: number): number => Number(((word ?? 0n) >> BigInt(at)) & ((1n << BigInt(bits)) - 1n));
  return checked({
    plainBytes: bytes.readUInt32LE(4),
    literals: field(first, 0, 20),
    literalBytes: field(first, 20, 20),
    matches: field(first, 40, 20),
    literalBits: field(first, 60, 3) - 7,
    literalStates: [0, 10, 20, 30].map((at) => field(second, at, 10)),
    matchBytes: field(second, 40, 20),
    matchBits: field(second, 60, 3) - 7,
    l: field(third, 32, 10),
    m: field(third, 42, 10),
    d: field(third, 52, 10),
    frequencies: unpacked(bytes.subarray(packedHeaderBytes)),
  });
}

function unpacked(bytes: Uint8Array): Uint16Array {
  const frequencies = new Uint16Array(frequencyCount);
  // A header without tables: every frequency is zero.
  if (bytes.byteLength === 0) return frequencies;
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let index = 0; index < frequencyCount; index += 1) {
    while (bits < 14 && at < bytes.byteLength) {
      held |= (bytes[at] ?? 0) << bits;
      bits += 8;
      at += 1;
    }
    const { length, value } = frequency(held);
    if (length > bits) throw brokenData("The tables of an LZFSE block are cut short.");
    frequencies[index] = value;
    held >>>= length;
    bits -= length;
  }
  if (bits >= 8 || at !== bytes.byteLength) throw brokenData("The header of an LZFSE block is longer than its tables.");
  return frequencies;
}

// The code, lowest bit first: 0 and 2 bits for 0 and 1, 3 bits for 2 and 3, 5 for 4 to 7, 8 for 8 to 23, 14 for more.
function frequency(held: number): { readonly length: number; readonly value: number } {
  if ((held & 1) === 0) return { length: 2, value: (held >> 1) & 1 };
  if ((held & 2) === 0) return { length: 3, value: 2 + ((held >> 2) & 1) };
  if ((held & 4) === 0) return { length: 5, value: 4 + ((held >> 3) & 3) };
  if ((held & 8) === 0) return { length: 8, value: 8 + ((held >> 4) & 0xf) };
  return { length: 14, value: 24 + ((held >> 4) & 0x3ff) };
}

function checked(block: LzfseBlock): LzfseBlock {
  const inRange =
    block.literals <= mostLiterals &&
    block.literals % 4 === 0 &&
    block.matches <= mostMatches &&
    block.literalStates.every((state) => state < states.literals) &&
    block.l < states.l &&
    block.m < states.m &&
    block.d < states.d &&
    [block.literalBits, block.matchBits].every((bits) => bits <= 0 && bits >= -7) &&
    block.literalBytes < 1 << 20 &&
    block.matchBytes < 1 << 20;
  if (!inRange) throw brokenData("The header of an LZFSE block has fields out of range.");
  return block;
}
