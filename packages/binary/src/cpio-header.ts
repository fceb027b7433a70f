import type { ByteSource } from "@rea/core";

const headerBytes = 26;
const longestName = 4096;
/** Types of a mode (`S_IFMT`); the trailer's is 0. */
const types: ReadonlySet<number> = new Set([0, 0o01, 0o02, 0o04, 0o06, 0o10, 0o12, 0o14]);

/**
 * A cpio archive in the binary layout of either byte order (cpio(5)). Its magic is two bytes only, so the header must
 * also be that of a possible member: a type that exists, at least one link, and a name that ends with its only NUL.
 */
export function isBinaryCpio(source: ByteSource): boolean {
  if (source.size < headerBytes) return false;
  const head = source.read(0, headerBytes);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const little = view.getUint16(0, true) === 0o070707;
  if (!little && view.getUint16(0, false) !== 0o070707) return false;
  const word = (index: number): number => view.getUint16(index * 2, little);
  const nameBytes = word(10);
  if (!types.has(word(3) >> 12) || word(6) === 0 || nameBytes < 2 || nameBytes > longestName || headerBytes + nameBytes > source.size) return false;
  const name = source.read(headerBytes, nameBytes);
  return name.indexOf(0) === nameBytes - 1 && name.subarray(0, -1).every((byte) => byte >= 0x20 && byte !== 0x7f);
}
