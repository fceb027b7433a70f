import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";

/** Zstandard and LZ4 share frames that carry what a decoder passes over (RFC 8878 §3.1.2). */
export function isSkippableFrame(bytes: Uint8Array): boolean {
  return bytes.byteLength >= 4 && ((bytes[0] ?? 0) & 0xf0) === 0x50 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18;
}

/** Passes over a skippable frame. */
export async function skipFrame(reader: SequentialReader): Promise<void> {
  const head = Buffer.from(await reader.read(8));
  if (head.byteLength < 8) throw brokenData("A skippable frame is cut short.", reader.position);
  const length = head.readUInt32LE(4);
  if ((await reader.skip(length)) < length) throw brokenData("A skippable frame is cut short.", reader.position);
}
