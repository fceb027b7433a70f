import { checkRange, type ByteSource } from "@rea/core";
import type { Extent } from "./extent.js";

/** The extents of a file as one. They must lie inside the source. */
export function extentSource(source: ByteSource, extents: readonly Extent[]): ByteSource {
  const starts: number[] = [];
  let size = 0;
  for (const { length } of extents) {
    starts.push(size);
    size += length;
  }
  return {
    size,
    read(offset, length) {
      checkRange(offset, length, size);
      const pieces: Uint8Array[] = [];
      let left = length;
      for (let index = lastNotAfter(starts, offset); left > 0; index += 1) {
        const extent = extents[index];
        if (extent === undefined) break;
        const into = offset + length - left - (starts[index] ?? 0);
        const piece = Math.min(left, extent.length - into);
        if (piece > 0) pieces.push(source.read(extent.start + into, piece));
        left -= piece;
      }
      return pieces.length === 1 ? (pieces[0] ?? new Uint8Array(0)) : Buffer.concat(pieces);
    },
  };
}

function lastNotAfter(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
