import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { decodeLz4Frame } from "./lz4/lz4-frame.js";
import { decodeLz4Legacy } from "./lz4/lz4-legacy.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";
import { isSkippableFrame, skipFrame } from "./skippable-frame.js";

const frameMagic = 0x184d2204;
const legacyMagic = 0x184c2102;

/** True when an LZ4 frame of any kind starts here. */
export function startsLz4Frame(bytes: Uint8Array): boolean {
  if (bytes.byteLength < 4) return false;
  const magic = Buffer.from(bytes.subarray(0, 4)).readUInt32LE(0);
  return magic === frameMagic || magic === legacyMagic || isSkippableFrame(bytes);
}

/** Decodes one LZ4 frame, modern, legacy or skippable (which has no content). */
export async function* decodeLz4(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const head = Buffer.from(await reader.peek(4));
  if (!startsLz4Frame(head)) throw brokenData("An LZ4 frame does not start with its magic.", reader.position);
  if (isSkippableFrame(head)) return skipFrame(reader);
  await reader.skip(4);
  yield* head.readUInt32LE(0) === legacyMagic ? decodeLz4Legacy(reader, options) : decodeLz4Frame(reader, options);
}

/** One LZ4 frame; more frames may follow where it ends. */
export const lz4 = codecOf(decodeLz4);
