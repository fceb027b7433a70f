import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { readGzipHeader } from "./gzip/member-header.js";
import { decodeGzipData } from "./gzip/member.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";

/** Decodes one gzip member (RFC 1952) and checks its CRC-32 and length. */
async function* decodeGzip(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  await readGzipHeader(reader);
  const trailer = yield* decodeGzipData(reader, options);
  if (trailer.crc !== trailer.declaredCrc) throw brokenData("The CRC of a gzip member does not hold.", reader.position);
  if (trailer.bytes % 2 ** 32 !== trailer.declaredBytes) throw brokenData("A gzip member holds another number of bytes than it declares.", reader.position);
}

/** One gzip member; more members may follow where it ends. */
export const gzip = codecOf(decodeGzip);
