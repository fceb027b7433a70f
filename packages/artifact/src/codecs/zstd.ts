import { Decompress } from "fzstd";
import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { codecOf, defaultWindowBytes, type DecoderOptions } from "./reader-codec.js";
import { isSkippableFrame, skipFrame } from "./skippable-frame.js";
import { turn } from "./turn.js";
import { readFrameHeader, windowCode } from "./zstd/frame-header.js";
import { Xxh64 } from "./zstd/xxh64.js";

const magic = Buffer.from("28b52ffd", "hex");
const longestBlock = 1 << 17;
const runBlock = 1;

/** True when a Zstandard frame of any kind starts here. */
export function startsZstdFrame(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, 4)) || isSkippableFrame(bytes);
}

/**
 * Decodes one Zstandard frame (RFC 8878), or passes over a skippable one. Frame and block headers are read here, so the
 * frame's end is known, its window is bounded, and its size and XXH64 are checked; the library decodes the blocks.
 */
export async function* decodeZstd(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const head = await reader.peek(4);
  if (!startsZstdFrame(head)) throw brokenData("A Zstandard frame does not start with its magic.", reader.position);
  if (isSkippableFrame(head)) return skipFrame(reader);
  const { windowBytes, contentBytes, checked } = await readFrameHeader(reader);
  const maximum = options.maxWindowBytes ?? defaultWindowBytes;
  if (windowBytes > maximum) {
    throw brokenData(`The data asks for a window of ${String(windowBytes)} bytes, more than the ${String(maximum)} allowed.`, reader.position);
  }
  const hash = new Xxh64();
  let total = 0n;
  for await (const piece of blocks(reader, windowBytes)) {
    if (checked) hash.update(piece);
    total += BigInt(piece.byteLength);
    yield piece;
    await turn(options.signal);
  }
  if (total !== (contentBytes ?? total)) throw brokenData("A Zstandard frame holds another number of bytes than it declares.", reader.position);
  if (checked) await compareChecksum(reader, hash.digest());
}

/** Feeds the library a header of our own, without checksum or size, then block by block. */
async function* blocks(reader: SequentialReader, windowBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  let ready: Uint8Array[] = [];
  const decoder = new Decompress((piece) => void ready.push(piece));
  let head: Uint8Array = Buffer.concat([magic, Buffer.from([0, windowCode(windowBytes)])]);
  for (let last = false; !last; head = new Uint8Array(0)) {
    const block = await nextBlock(reader, Math.min(longestBlock, Math.max(windowBytes, 1024)));
    last = block.last;
    push(decoder, Buffer.concat([head, block.bytes]), last, reader.position);
    yield* ready;
    ready = [];
  }
}

function push(decoder: Decompress, bytes: Uint8Array, last: boolean, offset: number): void {
  try {
    decoder.push(bytes, last);
  } catch {
    // The library's message says no more than that its input is wrong.
    throw brokenData("A Zstandard block does not decode.", offset);
  }
}

async function nextBlock(reader: SequentialReader, maximum: number): Promise<{ readonly bytes: Uint8Array; readonly last: boolean }> {
  const header = Buffer.from(await reader.peek(3));
  if (header.byteLength < 3) throw brokenData("The Zstandard data ends between blocks.", reader.position);
  const word = header.readUIntLE(0, 3);
  const kind = (word >> 1) & 3;
  const size = word >> 3;
  if (kind === 3 || size > maximum) throw brokenData("A Zstandard block header is malformed.", reader.position);
  const length = 3 + (kind === runBlock ? 1 : size);
  const bytes = await reader.read(length);
  if (bytes.byteLength < length) throw brokenData("The Zstandard data ends inside a block.", reader.position);
  return { bytes, last: (word & 1) === 1 };
}

async function compareChecksum(reader: SequentialReader, hash: bigint): Promise<void> {
  const declared = Buffer.from(await reader.read(4));
  if (declared.byteLength < 4) throw brokenData("The Zstandard frame ends inside its checksum.", reader.position);
  if (BigInt(declared.readUInt32LE(0)) !== BigInt.asUintN(32, hash)) throw brokenData("The checksum of a Zstandard frame does not hold.", reader.position);
}

/** One Zstandard frame; more frames may follow where it ends. */
export const zstd = codecOf(decodeZstd);
