import type { ByteSource } from "@rea/core";

/** A source of which both ends are at hand: only what lies between them is read. */
export function endsSource(source: ByteSource, head: Uint8Array, tail: Uint8Array): ByteSource {
  const { size } = source;
  const tailStart = size - tail.byteLength;
  return {
    size,
    read(offset, length) {
      const end = offset + length;
      if (offset >= 0 && end <= head.byteLength) return head.subarray(offset, end);
      if (offset >= tailStart && end <= size) return tail.subarray(offset - tailStart, end - tailStart);
      return source.read(offset, length);
    },
  };
}
