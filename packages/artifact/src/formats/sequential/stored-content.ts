import { brokenData } from "../../codecs/broken-data.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";

/** Bytes that stand in the container as they are; throws when the container ends before. */
export async function* storedContent(reader: SequentialReader, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  const end = reader.position + length;
  yield* reader.take(length);
  if (reader.position < end) throw brokenData(`The archive ends ${String(end - reader.position)} bytes before the end of a member.`, reader.position);
}
