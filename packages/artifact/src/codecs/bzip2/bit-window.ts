import { brokenData } from "../broken-data.js";

/** Bits, most significant first, of bytes in memory. */
export class BitWindow {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #heldBits = 0;

  constructor(bytes: Uint8Array, skipBits: number) {
    this.#bytes = bytes;
    this.bits(skipBits);
  }

  /** Bits taken since the start. */
  get usedBits(): number {
    return this.#at * 8 - this.#heldBits;
  }

  /** The next bits, at most 24, as a number. */
  bits(count: number): number {
    const value = this.peek(count);
    this.skip(count);
    return value;
  }

  /** The next bits without taking them; zeros stand behind the end. At most 24. */
  peek(count: number): number {
    while (this.#heldBits < count) {
      this.#held = ((this.#held << 8) | (this.#bytes[this.#at] ?? 0)) & 0x7fffffff;
      this.#at += 1;
      this.#heldBits += 8;
    }
    return (this.#held >>> (this.#heldBits - count)) & ((1 << count) - 1);
  }

  /** Passes over peeked bits; throws when they are not all there. */
  skip(count: number): void {
    this.#heldBits -= count;
    if (this.#at > this.#bytes.byteLength && this.usedBits > this.#bytes.byteLength * 8) throw brokenData("The bzip2 data ends inside a block.");
  }

  /** A 32-bit number. */
  word(): number {
    return ((this.bits(16) << 16) | this.bits(16)) >>> 0;
  }
}
