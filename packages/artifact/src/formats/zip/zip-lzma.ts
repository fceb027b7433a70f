import { brokenData } from "../../codecs/broken-data.js";
import type { Codec } from "../../codecs/codec.js";
import { decodeRawLzma } from "../../codecs/lzma.js";
import { codecOf } from "../../codecs/reader-codec.js";

/** General purpose bit 1 with method 14: the data has an end marker. */
const endMarkerFlag = 0x0002;
/** SDK version (2), length of the properties (2), properties (1), dictionary (4). */
const headerBytes = 9;

/** LZMA as zip members hold it (APPNOTE 5.8): a header of nine bytes, then raw LZMA up to the member's size or its end marker. */
export function zipLzma({ bytes, flags }: { readonly bytes: number | null; readonly flags: number }): Codec {
  return codecOf(async function* (reader, options) {
    const header = Buffer.from(await reader.read(headerBytes));
    if (header.byteLength < headerBytes) throw brokenData("The LZMA header is cut short.");
    if (header.readUInt16LE(2) !== 5) throw brokenData("The LZMA properties are not five bytes long.");
    const plainBytes = bytes === null || (flags & endMarkerFlag) !== 0 ? undefined : bytes;
    yield* decodeRawLzma(reader, { properties: header.readUInt8(4), dictionaryBytes: header.readUInt32LE(5), plainBytes }, options);
  });
}
