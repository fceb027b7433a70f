import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";
import type { DecoderOptions } from "../reader-codec.js";
import { turn } from "../turn.js";
import { decodeLz4Block } from "./lz4-block.js";
import { Xxh32, xxh32 } from "./xxh32.js";

interface FrameHeader {
  readonly linked: boolean;
  readonly blockChecks: boolean;
  readonly contentCheck: boolean;
  readonly blockBytes: number;
  readonly contentBytes: bigint | undefined;
}

const historyBytes = 65_536;
const plainBlock = 0x80000000;
const longestHeader = 19;

/** Decodes a frame whose magic was taken (LZ4 frame format 1.6): checks header, block and content checksums. */
export async function* decodeLz4Frame(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const header = await frameHeader(reader);
  const content = new Xxh32();
  let total = 0n;
  for await (const piece of blocks(reader, header)) {
    if (header.contentCheck) content.update(piece);
    total += BigInt(piece.byteLength);
    yield piece;
    await turn(options.signal);
  }
  if (total !== (header.contentBytes ?? total)) throw brokenData("An LZ4 frame holds another number of bytes than it declares.", reader.position);
  if (header.contentCheck && (await word(reader)) !== content.digest()) throw brokenData("The checksum of an LZ4 frame does not hold.", reader.position);
}

async function frameHeader(reader: SequentialReader): Promise<FrameHeader> {
  const seen = Buffer.from(await reader.peek(longestHeader - 4));
  const flags = seen[0] ?? 0;
  const sized = (flags & 8) !== 0;
  const dictionary = (flags & 1) !== 0;
  const length = 3 + (sized ? 8 : 0) + (dictionary ? 4 : 0);
  if (seen.byteLength < length) throw brokenData("The LZ4 frame header is cut short.", reader.position);
  if (flags >> 6 !== 1 || (flags & 2) !== 0) throw brokenData("The LZ4 frame has an unknown version.", reader.position);
  const blockCode = (seen.readUInt8(1) >> 4) & 7;
  if (((xxh32(seen.subarray(0, length - 1)) >>> 8) & 0xff) !== seen[length - 1]) throw brokenData("The checksum of an LZ4 frame header does not hold.", reader.position);
  if (dictionary) throw brokenData("The LZ4 frame needs a dictionary that is not in the file.", reader.position);
  if (blockCode < 4) throw brokenData("The LZ4 frame has an unknown block size.", reader.position);
  await reader.skip(length);
  return {
    linked: (flags & 0x20) === 0,
    blockChecks: (flags & 0x10) !== 0,
    contentCheck: (flags & 4) !== 0,
    blockBytes: 1 << (8 + 2 * blockCode),
    contentBytes: sized ? seen.readBigUInt64LE(2) : undefined,
  };
}

/** The frame's blocks up to the end mark. Blocks of 4 MiB come in pieces. */
async function* blocks(reader: SequentialReader, header: FrameHeader): AsyncGenerator<Uint8Array, void, undefined> {
  const out = new Uint8Array(historyBytes + header.blockBytes);
  let history = 0;
  for (;;) {
    const size = await word(reader);
    if (size === 0) return;
    const end = await readBlock(reader, { size, header, out, history });
    yield* pieces(out.subarray(history, end));
    history = header.linked ? keepHistory(out, end) : 0;
  }
}

interface BlockInput {
  readonly size: number;
  readonly header: FrameHeader;
  readonly out: Uint8Array;
  readonly history: number;
}

async function readBlock(reader: SequentialReader, { size, header, out, history }: BlockInput): Promise<number> {
  const packedBytes = size % plainBlock;
  if (packedBytes > header.blockBytes) throw brokenData("An LZ4 block is larger than its frame allows.", reader.position);
  const block = Buffer.from(await reader.read(packedBytes));
  if (block.byteLength < packedBytes) throw brokenData("The LZ4 data ends inside a block.", reader.position);
  if (header.blockChecks && (await word(reader)) !== xxh32(block)) throw brokenData("The checksum of an LZ4 block does not hold.", reader.position);
  const room = out.subarray(0, history + header.blockBytes);
  if (size < plainBlock) return decodeLz4Block(block, room, history);
  room.set(block, history);
  return history + block.byteLength;
}

/** Moves the last 64 KiB to the front; answers how many there are. */
function keepHistory(out: Uint8Array, end: number): number {
  const kept = Math.min(end, historyBytes);
  out.copyWithin(0, end - kept, end);
  return kept;
}

const pieceBytes = 1 << 20;

/** Copies, because the buffer is used again. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.slice(at, at + pieceBytes);
}

async function word(reader: SequentialReader): Promise<number> {
  const bytes = Buffer.from(await reader.read(4));
  if (bytes.byteLength < 4) throw brokenData("The LZ4 data ends inside a frame.", reader.position);
  return bytes.readUInt32LE(0);
}
