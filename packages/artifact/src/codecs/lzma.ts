import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { decodeRawLzma } from "./lzma/raw-lzma.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";

/** Bytes before the LZMA data: properties, dictionary size, length. */
export const lzmaHeaderBytes = 13;

/** The length an LZMA-alone header declares; undefined for a stream that ends with a marker. */
export function declaredLzmaBytes(header: Uint8Array): number | undefined {
  if (header.byteLength < lzmaHeaderBytes) return undefined;
  const length = Buffer.from(header.buffer, header.byteOffset, header.byteLength).readBigUInt64LE(5);
  return length > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(length);
}

/** Decodes one LZMA-alone file (`.lzma`; LZMA SDK, "LZMA file format"): a 13-byte header, then raw LZMA. */
export async function* decodeLzma(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const header = Buffer.from(await reader.read(lzmaHeaderBytes));
  if (header.byteLength < lzmaHeaderBytes) throw brokenData("The LZMA header is cut short.");
  const raw = { properties: header.readUInt8(0), dictionaryBytes: header.readUInt32LE(1), plainBytes: declaredLzmaBytes(header) };
  yield* decodeRawLzma(reader, raw, options);
}

/** LZMA-alone. The format declares a length and no checksum. */
export const lzma = codecOf(decodeLzma);

/** What ZIP method 14 and 7z keep beside LZMA data. */
export { decodeRawLzma } from "./lzma/raw-lzma.js";
