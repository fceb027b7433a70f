import { brokenData } from "../broken-data.js";

/** The arithmetic decoder of Quantum: an interval of 16 bits, and plain bits in between, most significant first. */
export class QuantumCoder {
  readonly #bytes: Uint8Array;
  #bit = 0;
  #low = 0;
  #high = 0xffff;
  #code = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#code = this.bits(16);
  }

  /** Plain bits. */
  bits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left -= 1) value = value * 2 + this.#next();
    return value;
  }

  /** Which of `total` shares of the interval the code lies in. */
  share(total: number): number {
    const range = this.#high - this.#low + 1;
    return Math.floor(((this.#code - this.#low + 1) * total - 1) / range) & 0xffff;
  }

  /** Narrows the interval to the shares `from` to `to`. */
  take({ from, to, total }: { readonly from: number; readonly to: number; readonly total: number }): void {
    const range = this.#high - this.#low + 1;
    this.#high = this.#low + Math.floor((to * range) / total) - 1;
    this.#low += Math.floor((from * range) / total);
    if (this.#high < this.#low) throw brokenData("The Quantum data narrows its interval to nothing.");
    while (this.#canShift()) {
      this.#low = (this.#low << 1) & 0xffff;
      this.#high = ((this.#high << 1) & 0xffff) | 1;
      this.#code = ((this.#code << 1) & 0xffff) | this.#next();
    }
  }

  /** True when the interval's first bit is settled; an interval around the middle is widened first. */
  #canShift(): boolean {
    if ((this.#low & 0x8000) === (this.#high & 0x8000)) return true;
    if ((this.#low & 0x4000) === 0 || (this.#high & 0x4000) !== 0) return false;
    this.#code ^= 0x4000;
    this.#low &= 0x3fff;
    this.#high |= 0x4000;
    return true;
  }

  #next(): number {
    const byte = this.#bytes[this.#bit >> 3];
    // The packer leaves out what follows from zeros; two bytes are more than it ever can.
    if (byte === undefined && this.#bit >> 3 > this.#bytes.byteLength + 2) throw brokenData("The Quantum data ends before its frame does.");
    const bit = ((byte ?? 0) >> (7 - (this.#bit & 7))) & 1;
    this.#bit += 1;
    return bit;
  }
}
