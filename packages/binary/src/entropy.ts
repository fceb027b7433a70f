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

/** Four tables in turn: equal neighbours then do not wait for each other's count. */
function countBytes(bytes: Uint8Array, counts: Float64Array): void {
  const tables = new Uint32Array(1024);
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const a = bytes[at] ?? 0;
    const b = 256 + (bytes[at + 1] ?? 0);
    const c = 512 + (bytes[at + 2] ?? 0);
    const d = 768 + (bytes[at + 3] ?? 0);
    tables[a] = (tables[a] ?? 0) + 1;
    tables[b] = (tables[b] ?? 0) + 1;
    tables[c] = (tables[c] ?? 0) + 1;
    tables[d] = (tables[d] ?? 0) + 1;
  }
  for (const byte of bytes.subarray(whole)) tables[byte] = (tables[byte] ?? 0) + 1;
  tables.forEach((count, index) => {
    counts[index & 255] = (counts[index & 255] ?? 0) + count;
  });
}
