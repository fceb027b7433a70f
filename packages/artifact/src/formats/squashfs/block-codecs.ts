import { inflateSync } from "node:zlib";
import { brokenData } from "../../codecs/broken-data.js";
import { decodeLz4Block } from "../../codecs/lz4/lz4-block.js";
import { decodeLzma } from "../../codecs/lzma.js";
import type { StreamDecoder } from "../../codecs/reader-codec.js";
import { decodeXz } from "../../codecs/xz.js";
import { decodeZstd } from "../../codecs/zstd.js";
import { SequentialReader } from "../../reading/sequential-reader.js";

/** Writers ask for windows up to the size of a data block, also for the small blocks of metadata. */
const maxWindowBytes = 2 * 1024 * 1024;

/** Decodes one block; throws `artifact_operation_failed` when it is damaged or gives more than `maximum` bytes. */
export type BlockCodec = (block: Uint8Array, maximum: number, signal: AbortSignal) => Promise<Uint8Array>;

/** By the number in the superblock. */
const codecs: { readonly [compression: number]: BlockCodec | undefined } = {
  1: (block, maximum) => Promise.resolve(inflated(block, maximum)),
  2: streamed(decodeLzma),
  4: streamed(decodeXz),
  5: (block, maximum) => Promise.resolve(lz4Block(block, maximum)),
  6: streamed(decodeZstd),
};

const names: { readonly [compression: number]: string | undefined } = { 1: "gzip", 2: "lzma", 3: "lzo", 4: "xz", 5: "lz4", 6: "zstd" };

export function blockCodec(compression: number): BlockCodec | undefined {
  return codecs[compression];
}

/** What a compression is called; its number when it has no name. */
export function compressionName(compression: number): string {
  return names[compression] ?? `of number ${String(compression)}`;
}

function inflated(block: Uint8Array, maximum: number): Uint8Array {
  try {
    return inflateSync(block, { maxOutputLength: maximum });
  } catch (error) {
    if (error instanceof Error && "code" in error) throw brokenData("A deflated block is damaged, or larger than a block may be.");
    throw error;
  }
}

function lz4Block(block: Uint8Array, maximum: number): Uint8Array {
  const room = new Uint8Array(maximum);
  return room.subarray(0, decodeLz4Block(block, room, 0));
}

function streamed(decode: StreamDecoder): BlockCodec {
  return async (block, maximum, signal) => {
    const reader = new SequentialReader(once(block));
    const pieces: Uint8Array[] = [];
    let total = 0;
    for await (const piece of decode(reader, { signal, maxWindowBytes })) {
      total += piece.byteLength;
      if (total > maximum) throw brokenData("A compressed block gives more bytes than a block may have.");
      pieces.push(piece.slice());
    }
    return pieces.length === 1 ? (pieces[0] ?? new Uint8Array(0)) : Buffer.concat(pieces);
  };
}

async function* once(block: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(block);
}
