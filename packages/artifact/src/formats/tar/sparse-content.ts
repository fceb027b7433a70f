import type { SparseMap } from "./sparse-map.js";

const hole = new Uint8Array(1 << 18);

/**
 * The whole file of a sparse member: its data where the map says, zeros between. The zeros are one shared buffer. `stored`
 * gives the next bytes of the data, so many of them.
 */
export async function* sparseContent({ extents, realBytes }: SparseMap, stored: (length: number) => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for (const { offset, length } of extents) {
    yield* zeros(offset - at);
    yield* stored(length);
    at = offset + length;
  }
  yield* zeros(realBytes - at);
}

function* zeros(length: number): Generator<Uint8Array, void, undefined> {
  for (let left = length; left > 0; left -= hole.byteLength) yield hole.subarray(0, Math.min(left, hole.byteLength));
}
