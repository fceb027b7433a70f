import { brokenData } from "../broken-data.js";

const empty = new Uint8Array(0);
/** Unsigned comparison of 32-bit values kept as signed ones. */
const sign = -0x80000000;
const topValue = 1 << 24;

/**
 * The binary range decoder of LZMA, over adaptive probabilities of 11 bits (7-Zip's LZMA specification, "Range Decoder").
 * Values of 32 bits are kept as signed integers, which the engine holds without boxing.
 */
export class RangeDecoder {
  probabilities = new Uint16Array(0);
  #input: Uint8Array = empty;
  #at = 0;
  #range = -1;
  #code = 0;

  /** Input bytes not yet used. */
  get left(): number {
    return this.#input.byteLength - this.#at;
  }

  /** Bytes of the present input that were used. */
  get used(): number {
    return this.#at;
  }

  /** True when the code is zero, as it must be at the end of a chunk. */
  get finished(): boolean {
    return this.#code === 0;
  }

  feed(input: Uint8Array): void {
    this.#input = input;
    this.#at = 0;
  }

  /** Reads the five bytes before the first symbol. */
  start(): void {
    if (this.left < 5) throw brokenData("The LZMA data ends inside its first five bytes.");
    if (this.#next() !== 0) throw brokenData("LZMA data must start with a zero byte and does not.");
    this.#range = -1;
    this.#code = 0;
    for (let byte = 0; byte < 4; byte += 1) this.#code = (this.#code << 8) | this.#next();
  }

  /** One bit, by the adaptive probability at `index`. */
  bit(index: number): number {
    if ((this.#range ^ sign) < (topValue ^ sign)) this.#normalize();
    const probability = this.probabilities[index] ?? 0;
    const bound = Math.imul(this.#range >>> 11, probability);
    if ((this.#code ^ sign) < (bound ^ sign)) {
      this.#range = bound;
      this.probabilities[index] = probability + ((2048 - probability) >>> 5);
      return 0;
    }
    this.#range = (this.#range - bound) | 0;
    this.#code = (this.#code - bound) | 0;
    this.probabilities[index] = probability - (probability >>> 5);
    return 1;
  }

  /** Bits, most significant first, through a tree of probabilities that starts at `base`. */
  tree(base: number, bits: number): number {
    let symbol = 1;
    for (let left = bits; left > 0; left -= 1) symbol = (symbol << 1) | this.bit(base + symbol);
    return symbol - (1 << bits);
  }

  /** Bits, least significant first, through a tree of probabilities. */
  reverseTree(base: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let bit = 0; bit < bits; bit += 1) {
      const read = this.bit(base + node);
      node = (node << 1) | read;
      value |= read << bit;
    }
    return value;
  }

  /** Bits of equal probability, most significant first. */
  direct(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left -= 1) {
      if ((this.#range ^ sign) < (topValue ^ sign)) this.#normalize();
      this.#range >>>= 1;
      const above = (this.#code ^ sign) >= (this.#range ^ sign);
      if (above) this.#code = (this.#code - this.#range) | 0;
      value = (value << 1) | (above ? 1 : 0);
    }
    return value;
  }

  /** Takes the byte that the end of a stream leaves behind. */
  normalizeAtEnd(): void {
    if ((this.#range ^ sign) < (topValue ^ sign)) this.#normalize();
  }

  #normalize(): void {
    this.#range <<= 8;
    this.#code = (this.#code << 8) | this.#next();
  }

  #next(): number {
    const byte = this.#input[this.#at];
    if (byte === undefined) throw brokenData("The LZMA data ends in the middle of a symbol.");
    this.#at += 1;
    return byte;
  }
}
