import type { PeFile } from "./pe-file.js";

export interface RichHeader {
  readonly offset: number;
  readonly size: number;
  readonly key: number;
  /** The key is a checksum over the DOS header, stub and entries; false when it differs. */
  readonly checksumValid: boolean;
  readonly entries: readonly { readonly productId: number; readonly build: number; readonly count: number }[];
}

const rich = 0x68636952;
const dans = 0x536e6144;

/**
 * The tool list that Microsoft's linker hides between the DOS stub and the PE header: pairs of (product, build) and
 * count, all words XORed with a key that stands after "Rich". Undocumented by its maker; method as commonly described.
 */
export function readRichHeader(file: PeFile): RichHeader | undefined {
  const { reader, headers } = file;
  const limit = Math.min(headers.peOffset, reader.size) - 8;
  let end = 0x40;
  while (end <= limit && reader.u32(end) !== rich) end += 4;
  if (end > limit) return undefined;
  const key = reader.u32(end + 4);
  let offset = end - 4;
  while (offset >= 0x40 && (reader.u32(offset) ^ key) >>> 0 !== dans) offset -= 4;
  if (offset < 0x40) return undefined;
  const entries = [];
  for (let at = offset + 16; at + 8 <= end; at += 8) {
    const id = (reader.u32(at) ^ key) >>> 0;
    entries.push({ productId: id >>> 16, build: id & 0xffff, count: (reader.u32(at + 4) ^ key) >>> 0 });
  }
  return { offset, size: end + 8 - offset, key, entries, checksumValid: checksum(file, offset, entries) === key };
}

function checksum(file: PeFile, offset: number, entries: RichHeader["entries"]): number {
  let sum = offset;
  for (let at = 0; at < offset; at += 1) {
    // e_lfanew (4 bytes at 0x3c) is not known yet when the linker computes this.
    if (at < 0x3c || at >= 0x40) sum += rotateLeft(file.reader.u8(at), at);
  }
  for (const { productId, build, count } of entries) sum += rotateLeft(((productId << 16) | build) >>> 0, count);
  return sum >>> 0 === sum ? sum : Number(BigInt.asUintN(32, BigInt(sum)));
}

function rotateLeft(value: number, count: number): number {
  const bits = count & 31;
  return ((value << bits) | (bits === 0 ? 0 : value >>> (32 - bits))) >>> 0;
}
