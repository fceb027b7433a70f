import { throwIfAborted } from "@rea/core";
import { brokenData } from "./broken-data.js";
import type { Codec, CodecOptions } from "./codec.js";
import { BitInput } from "./deflate64/bit-input.js";
import { fixedCodes, readCodes, tableBytes, type BlockCodes } from "./deflate64/block-codes.js";
import { symbolOf } from "./deflate64/huffman.js";

/**
 * DEFLATE64 (method 9 of APPNOTE): RFC 1951 with a window of 64 KiB, two more distance codes, and length code 285 for
 * 3 plus sixteen bits.
 */
export const deflate64: Codec = { decompress: inflate64 };

const windowBytes = 65_536;
const pieceBytes = 256 * 1024;
/** No length and distance take more bits than these bytes hold. */
const symbolBytes = 10;

const lengthBase = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 3];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 16];
const distanceBits = Array.from({ length: 32 }, (_, code) => Math.max(0, (code >> 1) - 1));
const distanceBase = distanceBits.map((bits, code) => (code < 2 ? code + 1 : ((2 + (code & 1)) << bits) + 1));

async function* inflate64(compressed: AsyncIterable<Uint8Array>, options: CodecOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const input = new BitInput(compressed);
  const output = new Output();
  try {
    yield* blocks(input, output, options);
    options.onEnd?.(input.usedBytes);
  } catch (error) {
    yield* output.rest();
    throw error;
  } finally {
    await input.close();
  }
}

async function* blocks(input: BitInput, output: Output, { signal }: CodecOptions): AsyncGenerator<Uint8Array, void, undefined> {
  let last = false;
  while (!last) {
    throwIfAborted(signal, "decompress");
    await input.prepare(tableBytes);
    last = input.take(1) === 1;
    const type = input.take(2);
    if (type === 0) yield* storedBlock(input, output);
    else if (type === 1) yield* codedBlock(input, output, { codes: fixedCodes(), signal });
    else if (type === 2) yield* codedBlock(input, output, { codes: readCodes(input), signal });
    else throw brokenData("A block is of no known kind.", input.usedBytes);
  }
  yield* output.rest();
}

async function* storedBlock(input: BitInput, output: Output): AsyncGenerator<Uint8Array, void, undefined> {
  input.alignToByte();
  const length = input.take(16);
  if ((input.take(16) ^ 0xffff) !== length) throw brokenData("A stored block's length contradicts its complement.", input.usedBytes);
  for (let left = length; left > 0; ) {
    await input.prepare(1);
    const bytes = input.bytes(Math.min(left, output.room));
    if (bytes.byteLength === 0) throw brokenData("The deflated data is cut short.", input.usedBytes);
    output.append(bytes);
    left -= bytes.byteLength;
    if (output.isFull) yield output.flush();
  }
}

interface CodedBlock {
  readonly codes: BlockCodes;
  readonly signal: AbortSignal;
}

async function* codedBlock(input: BitInput, output: Output, { codes, signal }: CodedBlock): AsyncGenerator<Uint8Array, void, undefined> {
  while (true) {
    await input.prepare(symbolBytes);
    if (decodeSome(input, output, codes)) return;
    if (!output.isFull) continue;
    throwIfAborted(signal, "decompress");
    yield output.flush();
  }
}

/** Decodes until the block ends (true), input runs short or the output is full. */
function decodeSome(input: BitInput, output: Output, codes: BlockCodes): boolean {
  while (input.isReady(symbolBytes) && !output.isFull) {
    const symbol = symbolOf(codes.literals, input);
    if (symbol < 256) output.literal(symbol);
    else if (symbol === 256) return true;
    else copyMatch(input, output, { code: symbol - 257, codes });
  }
  return false;
}

function copyMatch(input: BitInput, output: Output, { code, codes }: { readonly code: number; readonly codes: BlockCodes }): void {
  const base = lengthBase[code];
  if (base === undefined) throw brokenData("A length code stands for nothing.", input.usedBytes);
  const length = base + input.take(lengthBits[code] ?? 0);
  const distanceCode = symbolOf(codes.distances, input);
  const distance = (distanceBase[distanceCode] ?? 0) + input.take(distanceBits[distanceCode] ?? 0);
  if (!output.copy(distance, length)) throw brokenData("A match reaches before the start of the data.", input.usedBytes);
}

/** The window and what was not handed on yet, in one buffer. A match may run over the piece by its own length. */
class Output {
  readonly #buffer = Buffer.alloc(windowBytes + pieceBytes + windowBytes + 3);
  #from = 0;
  #to = 0;

  get isFull(): boolean {
    return this.#to >= windowBytes + pieceBytes;
  }

  /** Bytes that may be appended before a flush. */
  get room(): number {
    return this.#buffer.byteLength - this.#to;
  }

  literal(byte: number): void {
    this.#buffer[this.#to] = byte;
    this.#to += 1;
  }

  append(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#to);
    this.#to += bytes.byteLength;
  }

  /** False when the distance leads before the start. */
  copy(distance: number, length: number): boolean {
    if (distance > this.#to) return false;
    const start = this.#to;
    if (distance >= length) this.#buffer.copyWithin(start, start - distance, start - distance + length);
    else for (let at = 0; at < length; at += 1) this.#buffer[start + at] = this.#buffer[start - distance + at] ?? 0;
    this.#to += length;
    return true;
  }

  /** What is new, as a copy; the window stays. */
  flush(): Uint8Array {
    const piece = Uint8Array.prototype.slice.call(this.#buffer, this.#from, this.#to);
    const start = Math.max(0, this.#to - windowBytes);
    this.#buffer.copyWithin(0, start, this.#to);
    this.#to -= start;
    this.#from = this.#to;
    return piece;
  }

  *rest(): Generator<Uint8Array, void, undefined> {
    if (this.#to > this.#from) yield this.flush();
  }
}
