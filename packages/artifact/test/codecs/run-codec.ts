import type { Codec } from "../../src/codecs/codec.js";
import { bzip2 } from "../../src/codecs/bzip2.js";
import { gzip } from "../../src/codecs/gzip.js";
import { lz4 } from "../../src/codecs/lz4.js";
import { lzma } from "../../src/codecs/lzma.js";
import { xz } from "../../src/codecs/xz.js";
import { zstd } from "../../src/codecs/zstd.js";
import type { SampleName } from "./compressed-samples.js";

export const codecs: { readonly [K in SampleName]: Codec } = { gzip, bzip2, xz, lzma, zstd, lz4 };

export interface Decoded {
  readonly bytes: Buffer;
  /** Compressed bytes used; undefined when the end was not reached. */
  readonly used: number | undefined;
  readonly error: unknown;
}

/** Decodes everything a codec gives, keeping what came before a failure. */
export async function decode(codec: Codec, compressed: Uint8Array, pieceBytes = 1000, maxWindowBytes?: number): Promise<Decoded> {
  const parts: Uint8Array[] = [];
  let used: number | undefined;
  let error: unknown;
  const options = { signal: new AbortController().signal, onEnd: (bytes: number) => void (used = bytes), ...(maxWindowBytes === undefined ? {} : { maxWindowBytes }) };
  try {
    for await (const piece of codec.decompress(cut(compressed, pieceBytes), options)) parts.push(piece);
  } catch (caught) {
    error = caught;
  }
  return { bytes: Buffer.concat(parts), used, error };
}

async function* cut(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
}
