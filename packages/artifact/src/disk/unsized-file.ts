import { readSync } from "node:fs";

const maximumBytes = 16 * 1024 * 1024;
const firstByte = Buffer.alloc(1);

/** Whether a file of no size holds something all the same, as those do that the system makes up when they are read (proc(5)). */
export function hasContent(handle: number): boolean {
  return readSync(handle, firstByte, 0, 1, 0) > 0;
}

/** All of such a file; undefined when it does not end within 16 MiB. */
export function readUnsized(handle: number): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let total = 0; total <= maximumBytes; ) {
    const piece = Buffer.alloc(64 * 1024);
    const count = readSync(handle, piece, 0, piece.length, total);
    if (count === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, count));
    total += count;
  }
  return undefined;
}
