import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { codecOf, defaultWindowBytes, type DecoderOptions } from "./reader-codec.js";
import { isSkippableFrame, skipFrame } from "./skippable-frame.js";
import { turn } from "./turn.js";
import { BlockDecoder } from "./zstd/block-decoder.js";
import { readFrameHeader } from "./zstd/frame-header.js";
import { History } from "./zstd/history.js";
import { Xxh64 } from "./zstd/xxh64.js";

const magic = Buffer.from("28b52ffd", "hex");
const longestBlock = 1 << 17;
const plainBlock = 0;
const runBlock = 1;

/** True when a Zstandard frame of any kind starts here. */
export function startsZstdFrame(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, 4)) || isSkippableFrame(bytes);
}

/**
 * Decodes one Zstandard frame (RFC 8878), or passes over a skippable one. Its window is bounded, its declared size and
 * XXH64 are checked.
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

async function* blocks(reader: SequentialReader, windowBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  const history = new History(windowBytes);
  const decoder = new BlockDecoder(history);
  for (let last = false; !last; ) {
    const block = await nextBlock(reader, Math.min(longestBlock, Math.max(windowBytes, 1024)));
    last = block.last;
    history.begin();
    if (block.kind === plainBlock) history.write(block.bytes, 0, block.bytes.byteLength);
    else if (block.kind === runBlock) history.fill(block.bytes[0] ?? 0, block.size);
    else decoder.decode(block.bytes);
    yield history.end();
  }
}

interface Block {
  readonly kind: number;
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

async function nextBlock(reader: SequentialReader, maximum: number): Promise<Block> {
  const header = Buffer.from(await reader.read(3));
  if (header.byteLength < 3) throw brokenData("The Zstandard data ends between blocks.", reader.position);
  const word = header.readUIntLE(0, 3);
  const kind = (word >> 1) & 3;
  const size = word >> 3;
  if (kind === 3 || size > maximum) throw brokenData("A Zstandard block header is malformed.", reader.position);
  const length = kind === runBlock ? 1 : size;
  const bytes = await reader.read(length);
  if (bytes.byteLength < length) throw brokenData("The Zstandard data ends inside a block.", reader.position);
  return { kind, size, bytes, last: (word & 1) === 1 };
}

async function compareChecksum(reader: SequentialReader, hash: bigint): Promise<void> {
  const declared = Buffer.from(await reader.read(4));
  if (declared.byteLength < 4) throw brokenData("The Zstandard frame ends inside its checksum.", reader.position);
  if (BigInt(declared.readUInt32LE(0)) !== BigInt.asUintN(32, hash)) throw brokenData("The checksum of a Zstandard frame does not hold.", reader.position);
}

/** One Zstandard frame; more frames may follow where it ends. */
export const zstd = codecOf(decodeZstd);
