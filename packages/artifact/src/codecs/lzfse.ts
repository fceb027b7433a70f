import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { longestPackedHeader, packedHeader, packedHeaderBytes, packedHeaderLength, plainHeader, plainHeaderBytes, type LzfseBlock } from "./lzfse/block-header.js";
import { decodeBlock } from "./lzfse/decode-block.js";
import { longestLzvnCode, lzvnCodes, type LzvnState } from "./lzfse/lzvn-codes.js";
import { SlidingOutput } from "./lzfse/sliding-output.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";
import { turn } from "./turn.js";

/** Distances are smaller than 2¹⁸. */
const windowBytes = 1 << 18;
const lzvnWindowBytes = 1 << 16;
const inputBytes = 1 << 16;

/**
 * Decodes an LZFSE stream: blocks of finite state coded matches (`bvx1`, `bvx2`), of LZVN (`bvxn`) or of plain bytes
 * (`bvx-`), up to the end marker `bvx$`. Matches reach back into earlier blocks. There is no checksum.
 */
async function* decodeLzfse(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new SlidingOutput(windowBytes);
  for (;;) {
    const magic = Buffer.from(await reader.peek(4)).toString("latin1");
    if (magic === "bvx$") break;
    yield* lzfseBlock(reader, magic, output, options);
    await turn(options.signal);
  }
  await reader.skip(4);
  if (output.pending > 0) yield output.take();
}

async function* lzfseBlock(reader: SequentialReader, magic: string, output: SlidingOutput, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  switch (magic) {
    case "bvx-":
      return yield* plainBlock(reader, output);
    case "bvx1":
      return yield* codedBlock(reader, plainHeader(await whole(reader, plainHeaderBytes)), output);
    case "bvx2":
      return yield* codedBlock(reader, packedHeader(await whole(reader, await packedLength(reader))), output);
    case "bvxn":
      return yield* lzvnBlock(reader, output, options);
    default:
      throw brokenData(magic.length < 4 ? "The LZFSE data ends without its end marker." : "An LZFSE block starts with no known magic.", reader.position);
  }
}

async function packedLength(reader: SequentialReader): Promise<number> {
  const start = Buffer.from(await reader.peek(packedHeaderBytes));
  const length = start.byteLength < packedHeaderBytes ? 0 : packedHeaderLength(start);
  if (length < packedHeaderBytes || length > longestPackedHeader) throw brokenData("The header of an LZFSE block is cut short or has a size out of range.", reader.position);
  return length;
}

async function whole(reader: SequentialReader, length: number): Promise<Buffer> {
  const bytes = Buffer.from(await reader.read(length));
  if (bytes.byteLength < length) throw brokenData("An LZFSE block is cut short.", reader.position);
  return bytes;
}

async function* codedBlock(reader: SequentialReader, block: LzfseBlock, output: SlidingOutput): AsyncGenerator<Uint8Array, void, undefined> {
  yield* decodeBlock(block, await whole(reader, block.literalBytes + block.matchBytes), output);
}

async function* plainBlock(reader: SequentialReader, output: SlidingOutput): AsyncGenerator<Uint8Array, void, undefined> {
  let left = (await whole(reader, 8)).readUInt32LE(4);
  while (left > 0) {
    const piece = await reader.some(Math.min(left, 4096));
    if (piece.byteLength === 0) throw brokenData("The LZFSE data ends inside a plain block.", reader.position);
    output.write(piece, 0, piece.byteLength);
    left -= piece.byteLength;
    if (output.isFull) yield output.take();
  }
}

async function* lzvnBlock(reader: SequentialReader, output: SlidingOutput, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const header = await whole(reader, 12);
  let left = header.readUInt32LE(4);
  const end = reader.position + header.readUInt32LE(8);
  for await (const piece of lzvnPieces(reader, output, { ...options, end })) {
    left -= piece.before;
    if (piece.bytes !== undefined) yield piece.bytes;
  }
  if (left !== 0 || reader.position !== end) throw brokenData("An LZVN block has not the size its header declares.", reader.position);
}

/** Bytes that came out at each step, and those to hand over. */
interface LzvnStep {
  readonly before: number;
  readonly bytes: Uint8Array | undefined;
}

async function* lzvnPieces(
  reader: SequentialReader,
  output: SlidingOutput,
  { signal, end }: DecoderOptions & { readonly end: number },
): AsyncGenerator<LzvnStep, void, undefined> {
  const state: LzvnState = { distance: 0, ended: false };
  while (!state.ended) {
    const wanted = Math.min(inputBytes, end - reader.position);
    const input = await reader.peek(wanted);
    if (input.byteLength === 0) throw brokenData("LZVN data ends without its end marker.", reader.position);
    const before = output.pending;
    const isLast = input.byteLength < inputBytes;
    await reader.skip(lzvnCodes(input, output, state, isLast ? 0 : longestLzvnCode));
    yield { before: output.pending - before, bytes: output.isFull ? output.take() : undefined };
    await turn(signal);
  }
}

/** Decodes LZVN data without any header, as compressed files of HFS+ and APFS hold it, up to its end marker. */
async function* decodeLzvn(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new SlidingOutput(lzvnWindowBytes);
  for await (const { bytes } of lzvnPieces(reader, output, { ...options, end: Number.POSITIVE_INFINITY })) if (bytes !== undefined) yield bytes;
  if (output.pending > 0) yield output.take();
}

/** LZFSE. */
export const lzfse = codecOf(decodeLzfse);
/** LZVN by itself. */
export const lzvn = codecOf(decodeLzvn);
