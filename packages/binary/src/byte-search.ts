import type { ByteSource } from "@rea/core";
import type { FileRange } from "./image.js";

const pieceBytes = 16 * 1024 * 1024;

/** Offset of the first occurrence of `pattern` in a range, undefined when there is none. */
export function findBytes(source: ByteSource, range: FileRange, pattern: Uint8Array): number | undefined {
  const end = Math.min(range.offset + range.size, source.size);
  for (let at = Math.max(0, range.offset); at + pattern.length <= end; at += pieceBytes) {
    const bytes = source.read(at, Math.min(pieceBytes + pattern.length - 1, end - at));
    const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(pattern);
    if (found >= 0) return at + found;
  }
  return undefined;
}
