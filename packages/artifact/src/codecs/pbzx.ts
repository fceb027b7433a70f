import { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import type { DecoderOptions } from "./reader-codec.js";
import { turn } from "./turn.js";
import { decodeXz, startsXzStream } from "./xz.js";

const chunkHeaderBytes = 16;
/** Set in a chunk's size while others follow: only full chunks of 16 MiB have it. */
const moreFollows = 1n << 24n;

/**
 * Decodes a pbzx stream: `pbzx`, the size of a full chunk, then chunks of a plain size, a stored size and the data, which
 * is a xz stream unless both sizes are the same.
 */
export async function* decodePbzx(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const header = Buffer.from(await reader.read(12));
  if (header.byteLength < 12 || header.toString("latin1", 0, 4) !== "pbzx") throw brokenData("The pbzx header is malformed or cut short.");
  let flags = header.readBigUInt64BE(4);
  while ((flags & moreFollows) !== 0n || (await startsChunk(reader))) {
    const sizes = Buffer.from(await reader.read(chunkHeaderBytes));
    if (sizes.byteLength === 0) return;
    if (sizes.byteLength < chunkHeaderBytes) throw brokenData("The pbzx data ends inside the header of a chunk.", reader.position);
    flags = sizes.readBigUInt64BE(0);
    yield* chunk(reader, { plainBytes: sized(flags), storedBytes: sized(sizes.readBigUInt64BE(8)) }, options);
  }
}

/** A chunk behind the last one that says so: its size is believable and its data starts like xz. */
async function startsChunk(reader: SequentialReader): Promise<boolean> {
  const bytes = await reader.peek(chunkHeaderBytes + 6);
  return bytes.byteLength === chunkHeaderBytes + 6 && startsXzStream(bytes.subarray(chunkHeaderBytes));
}

function sized(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw brokenData("A pbzx chunk declares a size that no file reaches.");
  return Number(value);
}

async function* chunk(
  reader: SequentialReader,
  { plainBytes, storedBytes }: { readonly plainBytes: number; readonly storedBytes: number },
  options: DecoderOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const end = reader.position + storedBytes;
  let given = 0;
  const isXz = plainBytes !== storedBytes || startsXzStream(await reader.peek(6));
  for await (const piece of isXz ? xzOf(reader, storedBytes, options) : reader.take(storedBytes)) {
    given += piece.byteLength;
    yield piece;
    await turn(options.signal);
  }
  if (given !== plainBytes || reader.position !== end) throw brokenData("A pbzx chunk has not the size it declares.", reader.position);
}

/** The chunk's own bytes only, so that damage in it cannot reach into the next one. */
async function* xzOf(reader: SequentialReader, storedBytes: number, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const own = new SequentialReader(reader.take(storedBytes));
  yield* decodeXz(own, options);
  await own.skip(storedBytes);
}
