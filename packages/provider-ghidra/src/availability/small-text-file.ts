import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const maximumBytes = 64 * 1024;

/** Reads a small regular file of an installation; null when there is none, it is no regular file, or it is longer than 64 KiB. */
export function readSmallTextFile(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return null;
    const bytes = Buffer.alloc(maximumBytes + 1);
    let held = 0;
    for (;;) {
      const read = readSync(descriptor, bytes, held, bytes.length - held, null);
      if (read === 0) break;
      held += read;
    }
    return held > maximumBytes ? null : bytes.toString("utf8", 0, held);
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
