import type { SequentialReader } from "../../reading/sequential-reader.js";
import { storedContent } from "../sequential/stored-content.js";
import type { SparseMap } from "./sparse-map.js";

const hole = new Uint8Array(1 << 18);

/** The whole file of a sparse member: its data where the map says, zeros between. The zeros are one shared buffer. */
export async function* sparseContent(reader: SequentialReader, { extents, realBytes }: SparseMap): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for (const { offset, length } of extents) {
    yield* zeros(offset - at);
    yield* storedContent(reader, length);
    at = offset + length;
  }
  yield* zeros(realBytes - at);
}

function* zeros(length: number): Generator<Uint8Array, void, undefined> {
  for (let left = length; left > 0; left -= hole.byteLength) yield hole.subarray(0, Math.min(left, hole.byteLength));
}
