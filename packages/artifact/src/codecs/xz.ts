import { crc32 } from "node:zlib";
import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";
import { decodeBlock, type BlockSizes } from "./xz/block.js";
import { readIndex } from "./xz/index-check.js";

const magic = Buffer.from("fd377a585a00", "hex");
const headerBytes = 12;
const footerBytes = 12;
/** An index entry takes two bytes at least; more blocks than this are refused before they fill memory. */
const maximumBlocks = 1 << 22;

/**
 * Decodes one xz stream (the .xz file format 1.2.0): header, blocks with their checks (CRC32, CRC64, SHA-256), index,
 * footer. Stream padding and further streams are left to the caller.
 */
export async function* decodeXz(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const flags = await streamFlags(reader);
  const blocks: BlockSizes[] = [];
  for (;;) {
    const [next] = await reader.peek(1);
    if (next === undefined) throw brokenData("The xz data ends before its index.", reader.position);
    if (next === 0) break;
    if (blocks.length >= maximumBlocks) throw brokenData("An xz stream has too many blocks.", reader.position);
    blocks.push(yield* decodeBlock(reader, flags & 0x0f, options));
  }
  const indexBytes = await readIndex(reader, blocks);
  await checkFooter(reader, flags, indexBytes);
}

/** True when a stream header starts here. */
export function startsXzStream(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, magic.byteLength));
}

async function streamFlags(reader: SequentialReader): Promise<number> {
  const header = Buffer.from(await reader.read(headerBytes));
  if (header.byteLength < headerBytes) throw brokenData("The xz stream header is cut short.", reader.position);
  if (!startsXzStream(header)) throw brokenData("An xz stream header does not start with its magic.", reader.position);
  if (crc32(header.subarray(6, 8)) !== header.readUInt32LE(8)) throw brokenData("The checksum of an xz stream header does not hold.", reader.position);
  if (header[6] !== 0 || (header.readUInt8(7) & 0xf0) !== 0) throw brokenData("An xz stream header has reserved flags set.", reader.position);
  return header.readUInt8(7);
}

async function checkFooter(reader: SequentialReader, flags: number, indexBytes: number): Promise<void> {
  const footer = Buffer.from(await reader.read(footerBytes));
  if (footer.byteLength < footerBytes) throw brokenData("The xz stream footer is cut short.", reader.position);
  if (footer.toString("latin1", 10) !== "YZ") throw brokenData("The xz stream footer lacks its magic.", reader.position);
  if (crc32(footer.subarray(4, 10)) !== footer.readUInt32LE(0)) throw brokenData("The checksum of an xz stream footer does not hold.", reader.position);
  const agrees = footer[8] === 0 && footer[9] === flags && (footer.readUInt32LE(4) + 1) * 4 === indexBytes;
  if (!agrees) throw brokenData("The xz stream footer disagrees with its header or index.", reader.position);
}

/** One xz stream; more streams may follow where it ends. */
export const xz = codecOf(decodeXz);
