import { brokenData } from "../broken-data.js";

const topValue = 2 ** 24;
const empty = new Uint8Array(0);

/** The range decoder of PPMd in 7z: shares of 32 bits, most significant byte first. */
export class SymbolRange {
  #input: Uint8Array = empty;
  #at = 0;
  #range = 0xffff_ffff;
  #code = 0;

  /** Input bytes not yet used. */
  get left(): number {
    return this.#input.byteLength - this.#at;
  }

  /** Bytes of the present input that were used. */
  get used(): number {
    return this.#at;
  }

  feed(input: Uint8Array): void {
    this.#input = input;
    this.#at = 0;
  }

  /** Reads the five bytes before the first symbol. */
  start(): void {
    if (this.#next() !== 0) throw brokenData("PPMd data must start with a zero byte and does not.");
    for (let byte = 0; byte < 4; byte += 1) this.#code = ((this.#code << 8) | this.#next()) >>> 0;
    if (this.#code === 0xffff_ffff) throw brokenData("The PPMd data starts with a value that no encoder writes.");
  }

  /** Divides the range into `total` shares; answers the share the code lies in. */
  share(total: number): number {
    this.#range = Math.floor(this.#range / total);
    return Math.floor(this.#code / this.#range);
  }

  /** Takes `size` shares from `start` on. */
  take(start: number, size: number): void {
    this.#code = (this.#code - Math.imul(start, this.#range)) >>> 0;
    this.#range = Math.imul(size, this.#range) >>> 0;
    this.#normalize();
  }

  /** One bit that is 0 in `zero` of 2¹⁴ cases. */
  bit(zero: number): number {
    const bound = Math.imul(this.#range >>> 14, zero) >>> 0;
    const bit = this.#code < bound ? 0 : 1;
    if (bit === 1) {
      this.#code -= bound;
      this.#range -= bound;
    } else this.#range = bound;
    this.#normalize();
    return bit;
  }

  #normalize(): void {
    for (let step = 0; step < 2 && this.#range < topValue; step += 1) {
      this.#code = ((this.#code << 8) | this.#next()) >>> 0;
      this.#range = (this.#range << 8) >>> 0;
    }
  }

  #next(): number {
    const byte = this.#input[this.#at];
    if (byte === undefined) throw brokenData("The PPMd data ends in the middle of a symbol.");
    this.#at += 1;
    return byte;
  }
}
