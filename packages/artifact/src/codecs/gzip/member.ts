import { crc32 } from "node:zlib";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";
import type { DecoderOptions } from "../reader-codec.js";
import { inflate } from "./inflate.js";

/** A member's trailer beside what its data gave. */
export interface GzipTrailer {
  readonly declaredCrc: number;
  readonly crc: number;
  /** Modulo 2³². */
  readonly declaredBytes: number;
  readonly bytes: number;
}

/** Decodes a member behind its header; answers its trailer, which is compared by the caller. */
export async function* decodeGzipData(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, GzipTrailer, undefined> {
  let crc = 0;
  let bytes = 0;
  for await (const piece of inflate(reader, options.signal)) {
    crc = crc32(piece, crc);
    bytes += piece.byteLength;
    yield piece;
  }
  const trailer = Buffer.from(await reader.read(8));
  if (trailer.byteLength < 8) throw brokenData("A gzip member ends inside its trailer.", reader.position);
  return { declaredCrc: trailer.readUInt32LE(0), crc, declaredBytes: trailer.readUInt32LE(4), bytes };
}
