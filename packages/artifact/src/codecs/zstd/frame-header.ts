import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";

/** What a frame says of itself (RFC 8878 §3.1.1.1). */
export interface ZstdFrameHeader {
  readonly windowBytes: number;
  readonly contentBytes: bigint | undefined;
  readonly checked: boolean;
}

/** Reads a frame header, its magic included. */
export async function readFrameHeader(reader: SequentialReader): Promise<ZstdFrameHeader> {
  const head = Buffer.from(await reader.read(5));
  const descriptor = head[4];
  if (descriptor === undefined) throw brokenData("The Zstandard frame header is cut short.", reader.position);
  if ((descriptor & 8) !== 0) throw brokenData("A Zstandard frame header has a reserved flag set.", reader.position);
  const single = (descriptor & 0x20) !== 0;
  const windowCode = single ? undefined : Number(await number(reader, 1));
  const dictionary = await number(reader, [0, 1, 2, 4][descriptor & 3] ?? 0);
  if (dictionary !== 0n) throw brokenData("The Zstandard frame needs a dictionary that is not in the file.", reader.position);
  const contentBytes = await contentSize(reader, descriptor >> 6, single);
  const windowBytes = windowCode === undefined ? Number(contentBytes ?? 0n) : windowOf(windowCode);
  return { windowBytes, contentBytes, checked: (descriptor & 4) !== 0 };
}

function windowOf(code: number): number {
  const base = 2 ** (10 + (code >> 3));
  return base + (base / 8) * (code & 7);
}

async function contentSize(reader: SequentialReader, flag: number, single: boolean): Promise<bigint | undefined> {
  if (flag === 0 && !single) return undefined;
  const size = await number(reader, 1 << flag);
  return flag === 1 ? size + 256n : size;
}

async function number(reader: SequentialReader, length: number): Promise<bigint> {
  const bytes = await reader.read(length);
  if (bytes.byteLength < length) throw brokenData("The Zstandard frame header is cut short.", reader.position);
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
