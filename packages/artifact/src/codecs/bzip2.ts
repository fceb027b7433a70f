import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { BitWindow } from "./bzip2/bit-window.js";
import { readBlock } from "./bzip2/block-symbols.js";
import { BlockText } from "./bzip2/block-text.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";
import { turn } from "./turn.js";

/** No block takes more compressed bytes: 900,000 symbols of 20 bits, and its tables. */
const longestBlockBytes = 2_400_000;
const headerBytes = 4;
const blockStart = [0x314159, 0x265359];
const streamEnd = [0x177245, 0x385090];

/** True when a bzip2 stream starts here. */
export function startsBzip2Stream(bytes: Uint8Array): boolean {
  return /^BZh[1-9](1AY&SY|\x17rE8P\x90)/.test(Buffer.from(bytes.subarray(0, 10)).toString("latin1"));
}

/** Decodes one bzip2 stream and checks the CRC of each block and of the whole. */
export async function* decodeBzip2(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const header = Buffer.from(await reader.read(headerBytes)).toString("latin1");
  if (!/^BZh[1-9]$/.test(header)) throw brokenData("The bzip2 header is malformed or cut short.", reader.position);
  const column = new Uint32Array(Number(header[3]) * 100_000);
  let skipBits = 0;
  let combined = 0;
  for (;;) {
    const window = new BitWindow(await reader.peek(longestBlockBytes), skipBits);
    const magic = [window.bits(24), window.bits(24)];
    if (isMagic(magic, streamEnd)) return finish(reader, window, combined);
    if (!isMagic(magic, blockStart)) throw brokenData("A bzip2 block does not start with its magic.", reader.position);
    const block = readBlock(window, column);
    const text = new BlockText(column, block);
    for (let piece = text.next(); piece !== undefined; piece = text.next()) {
      yield piece;
      await turn(options.signal);
    }
    if (text.crc !== block.crc) throw brokenData("The CRC of a bzip2 block does not hold.", reader.position);
    combined = (((combined << 1) | (combined >>> 31)) ^ text.crc) >>> 0;
    await reader.skip(Math.floor(window.usedBits / 8));
    skipBits = window.usedBits % 8;
  }
}

function isMagic(read: readonly number[], wanted: readonly number[]): boolean {
  return read[0] === wanted[0] && read[1] === wanted[1];
}

async function finish(reader: SequentialReader, window: BitWindow, combined: number): Promise<void> {
  const declared = window.word();
  await reader.skip(Math.ceil(window.usedBits / 8));
  if (declared !== combined) throw brokenData("The CRC of a bzip2 stream does not hold.", reader.position);
}

/** One bzip2 stream; more streams may follow where it ends. */
export const bzip2 = codecOf(decodeBzip2);
