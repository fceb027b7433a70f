import type { ByteSource } from "@rea/core";
import type { FileRange } from "./image.js";

const pieceBytes = 4 * 1024 * 1024;

/** Shannon entropy of bytes in thousandths of a bit per byte, rounded: 0 for one repeated value, 8000 for noise. */
export function entropyMillibits(source: ByteSource, range: FileRange): number {
  const counts = new Float64Array(256);
  for (let at = 0; at < range.size; at += pieceBytes) {
    countBytes(source.read(range.offset + at, Math.min(pieceBytes, range.size - at)), counts);
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / range.size) * Math.log2(count / range.size);
  return Math.min(8000, Math.max(0, Math.round(bits * 1000)));
}

function countBytes(bytes: Uint8Array, counts: Float64Array): void {
  const piece = new Uint32Array(256);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    piece[byte] = (piece[byte] ?? 0) + 1;
  }
  for (let byte = 0; byte < 256; byte += 1) counts[byte] = (counts[byte] ?? 0) + (piece[byte] ?? 0);
}
