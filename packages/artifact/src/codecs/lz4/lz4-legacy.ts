import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";
import type { DecoderOptions } from "../reader-codec.js";
import { turn } from "../turn.js";
import { decodeLz4Block } from "./lz4-block.js";
import { pieces } from "./lz4-frame.js";

const blockBytes = 8 * 1024 * 1024;
/** The most a block of 8 MiB can take when nothing in it repeats. */
const longestPacked = blockBytes + Math.floor(blockBytes / 255) + 16;

/**
 * Decodes a legacy frame whose magic was taken: sized blocks of 8 MiB of content, the last one shorter, without any
 * checksum. It ends with the data, or where a size cannot be one (the magic of another frame).
 */
export async function* decodeLz4Legacy(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const out = new Uint8Array(blockBytes);
  for (;;) {
    const size = Buffer.from(await reader.peek(4));
    if (size.byteLength < 4) return;
    const packedBytes = size.readUInt32LE(0);
    if (packedBytes === 0 || packedBytes > longestPacked) return;
    await reader.skip(4);
    const block = await reader.read(packedBytes);
    if (block.byteLength < packedBytes) throw brokenData("The LZ4 data ends inside a block.", reader.position);
    const end = decodeLz4Block(block, out, 0);
    yield* pieces(out.subarray(0, end));
    await turn(options.signal);
    if (end < blockBytes) return;
  }
}
