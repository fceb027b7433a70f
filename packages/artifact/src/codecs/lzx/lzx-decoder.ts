import { brokenData } from "../broken-data.js";
import { SlidingWindow } from "../sliding-window.js";
import { restoreCalls } from "./call-targets.js";
import { CodeTable } from "./code-table.js";
import { LzxBits } from "./lzx-bits.js";

const lzxFrameBytes = 32_768;
export const leastLzxWindow = 15;
export const greatestLzxWindow = 21;

const verbatimBlock = 1;
const alignedBlock = 2;
const plainBlock = 3;
const literals = 256;
const lengthSymbols = 249;
const shortestMatch = 2;
/** Position slots by window bits, from 15 on. */
const slotsOfWindow = [30, 32, 34, 36, 38, 42, 50];
const footerBits = Array.from({ length: 51 }, (_, slot) => Math.min(17, Math.max(0, (slot >> 1) - 1)));
const positions = footerBits.reduce<number[]>((bases, bits) => [...bases, (bases.at(-1) ?? 0) + 2 ** bits], [0]);

/**
 * LZX as cabinets hold it ([MS-PATCH] and the LZX document of the cabinet SDK): frames of 32 KiB, each with bytes of
 * its own, blocks that run on from frame to frame.
 */
export class LzxDecoder {
  readonly #window: SlidingWindow;
  readonly #mainLengths: Uint8Array;
  readonly #lengthLengths = new Uint8Array(lengthSymbols);
  #main = new CodeTable(new Uint8Array(1));
  #lengths = new CodeTable(new Uint8Array(1));
  #aligned = new CodeTable(new Uint8Array(1));
  #kind = 0;
  #left = 0;
  /** The present plain block has an odd length, and a byte of padding follows. */
  #padded = false;
  #recent0 = 1;
  #recent1 = 1;
  #recent2 = 1;
  #started = false;
  /** Size of the file that call targets were counted from; 0 for data without such targets. */
  #callSize = 0;
  #frame = 0;

  constructor(windowBits: number) {
    this.#window = new SlidingWindow(windowBits, lzxFrameBytes);
    this.#mainLengths = new Uint8Array(literals + 8 * (slotsOfWindow[windowBits - leastLzxWindow] ?? 50));
  }

  /** Decodes one frame. Throws `artifact_operation_failed` (reason `format`) for damage. */
  decode(packed: Uint8Array, plainBytes: number): Uint8Array {
    const bits = new LzxBits(packed);
    if (!this.#started) this.#start(bits);
    while (this.#window.filled < plainBytes) {
      if (this.#left === 0) this.#beginBlock(bits);
      const target = Math.min(plainBytes, this.#window.filled + this.#left);
      const before = this.#window.filled;
      if (this.#kind === plainBlock) this.#plain(bits, target);
      else this.#matches(bits, target);
      this.#left -= this.#window.filled - before;
      if (this.#left < 0) throw brokenData("A match reaches past the end of its LZX block.");
      if (bits.isOver) throw brokenData("The LZX data ends before its frame does.");
    }
    // The padding behind an odd plain block stands in this frame's bytes or opens the next one's.
    if (this.#left === 0 && bits.bytesLeft > 0) this.#padded = false;
    const frame = this.#window.take(plainBytes);
    if (this.#callSize !== 0 && this.#frame < lzxFrameBytes) restoreCalls(frame, this.#frame * lzxFrameBytes, this.#callSize);
    this.#frame += 1;
    return frame;
  }

  #start(bits: LzxBits): void {
    this.#started = true;
    if (bits.take(1) === 1) this.#callSize = bits.take(32);
  }

  #beginBlock(bits: LzxBits): void {
    if (this.#padded) bits.bytes(1);
    this.#padded = false;
    this.#kind = bits.take(3);
    this.#left = bits.take(24);
    if (this.#left === 0) throw brokenData("An LZX block is empty.");
    if (this.#kind === plainBlock) this.#beginPlain(bits);
    else if (this.#kind === verbatimBlock) this.#readCodes(bits);
    else if (this.#kind === alignedBlock) {
      this.#aligned = new CodeTable(Uint8Array.from({ length: 8 }, () => bits.take(3)));
      this.#readCodes(bits);
    } else throw brokenData("An LZX block is of no known kind.");
  }

  #beginPlain(bits: LzxBits): void {
    bits.align();
    const recent = Buffer.from(bits.bytes(12));
    if (recent.byteLength < 12) throw brokenData("The LZX data ends in a block's header.");
    this.#recent0 = recent.readUInt32LE(0);
    this.#recent1 = recent.readUInt32LE(4);
    this.#recent2 = recent.readUInt32LE(8);
    this.#padded = this.#left % 2 === 1;
  }

  #readCodes(bits: LzxBits): void {
    readLengths(bits, this.#mainLengths, { from: 0, to: literals });
    readLengths(bits, this.#mainLengths, { from: literals, to: this.#mainLengths.length });
    this.#main = new CodeTable(this.#mainLengths);
    readLengths(bits, this.#lengthLengths, { from: 0, to: lengthSymbols });
    this.#lengths = new CodeTable(this.#lengthLengths);
  }

  #plain(bits: LzxBits, target: number): void {
    const wanted = target - this.#window.filled;
    const bytes = bits.bytes(wanted);
    if (bytes.byteLength < wanted) throw brokenData("The LZX data ends inside a plain block.");
    for (const byte of bytes) this.#window.put(byte);
  }

  #matches(bits: LzxBits, target: number): void {
    const window = this.#window;
    while (window.filled < target) {
      const symbol = this.#main.decode(bits);
      if (symbol < literals) window.put(symbol);
      else this.#match(bits, symbol - literals);
      if (bits.isOver) return;
    }
  }

  #match(bits: LzxBits, symbol: number): void {
    const header = symbol & 7;
    const length = shortestMatch + (header === 7 ? 7 + this.#lengths.decode(bits) : header);
    const distance = this.#distance(bits, symbol >>> 3);
    this.#window.copy(distance, length);
  }

  #distance(bits: LzxBits, slot: number): number {
    if (slot === 0) return this.#recent0;
    const distance = slot === 1 ? this.#recent1 : slot === 2 ? this.#recent2 : (positions[slot] ?? 0) - 2 + this.#footer(bits, footerBits[slot] ?? 0);
    if (slot !== 1) {
      // The third of the recent distances changes places with the first.
      this.#recent2 = slot === 2 ? this.#recent0 : this.#recent1;
    }
    if (slot !== 2) this.#recent1 = this.#recent0;
    this.#recent0 = distance;
    return distance;
  }

  #footer(bits: LzxBits, count: number): number {
    if (this.#kind !== alignedBlock || count < 3) return bits.take(count);
    return bits.take(count - 3) * 8 + this.#aligned.decode(bits);
  }
}

/** Code lengths as differences from those of the block before, themselves in prefix codes. */
function readLengths(bits: LzxBits, lengths: Uint8Array, { from, to }: { readonly from: number; readonly to: number }): void {
  const codes = new CodeTable(Uint8Array.from({ length: 20 }, () => bits.take(4)));
  for (let at = from; at < to; ) {
    const symbol = codes.decode(bits);
    if (symbol < 17) {
      lengths[at] = ((lengths[at] ?? 0) + 17 - symbol) % 17;
      at += 1;
      continue;
    }
    const run = symbol === 17 ? 4 + bits.take(4) : symbol === 18 ? 20 + bits.take(5) : 4 + bits.take(1);
    const value = symbol === 19 ? ((lengths[at] ?? 0) + 17 - codes.decode(bits)) % 17 : 0;
    if (at + run > to) throw brokenData("A run of LZX code lengths reaches past their end.");
    lengths.fill(value, at, at + run);
    at += run;
    if (bits.isOver) throw brokenData("The LZX data ends in a block's codes.");
  }
}
