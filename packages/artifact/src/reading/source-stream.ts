import type { ByteSource } from "@rea/core";

const pieceBytes = 256 * 1024;

/** A part of a source from front to back, in pieces of 256 KiB. The part must lie inside the source. */
export async function* sourceStream(source: ByteSource, offset = 0, length = source.size - offset): AsyncGenerator<Uint8Array, void, undefined> {
  const end = offset + length;
  for (let at = offset; at < end; at += pieceBytes) {
    yield await Promise.resolve(source.read(at, Math.min(pieceBytes, end - at)));
  }
}
