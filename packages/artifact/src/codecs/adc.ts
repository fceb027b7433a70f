import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { SlidingOutput } from "./lzfse/sliding-output.js";
import { codecOf, type DecoderOptions } from "./reader-codec.js";
import { turn } from "./turn.js";

const inputBytes = 1 << 16;
const windowBytes = 1 << 16;
/** A run of literals with its first byte. */
const longestCode = 129;

/**
 * Decodes Apple Data Compression, as old disk images have it. A code's first byte tells its kind: 1xxxxxxx a run of
 * literals, 01xxxxxx a match with a distance of two bytes, 00xxxxdd a short one. The data ends with the input.
 */
async function* decodeAdc(reader: SequentialReader, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new SlidingOutput(windowBytes);
  for (;;) {
    const input = await reader.peek(inputBytes);
    if (input.byteLength === 0) break;
    await reader.skip(codes(input, output, input.byteLength < inputBytes ? 0 : longestCode));
    if (output.isFull) yield output.take();
    await turn(options.signal);
  }
  if (output.pending > 0) yield output.take();
}

/** Decodes codes until fewer than `kept` bytes are left or the output is full; answers the bytes used. */
function codes(input: Uint8Array, output: SlidingOutput, kept: number): number {
  let at = 0;
  while (at < input.byteLength - kept && !output.isFull) {
    const first = input[at] ?? 0;
    const length = first & 0x80 ? (first & 0x7f) + 2 : first & 0x40 ? 3 : 2;
    if (at + length > input.byteLength) throw brokenData("ADC data ends inside a code.");
    const second = input[at + 1] ?? 0;
    if (first & 0x80) output.write(input, at + 1, length - 1);
    else if (first & 0x40) output.copy(second * 256 + (input[at + 2] ?? 0) + 1, (first & 0x3f) + 4);
    else output.copy((first & 3) * 256 + second + 1, (first >> 2) + 3);
    at += length;
  }
  return at;
}

/** Apple Data Compression. It has no checksum and no end marker. */
export const adc = codecOf(decodeAdc);
