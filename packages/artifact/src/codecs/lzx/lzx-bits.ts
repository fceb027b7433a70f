/** Bits of LZX data: 16-bit little-endian words, most significant bit first. Past the end come zeros. */
export class LzxBits {
  readonly #bytes: Uint8Array;
  #next = 0;
  #buffer = 0;
  #ready = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True when more bits were taken than there are. */
  get isOver(): boolean {
    return this.#next * 8 - this.#ready > this.#bytes.byteLength * 8 + 16;
  }

  /** The next bits (at most 16), without taking them. */
  peek(count: number): number {
    if (this.#ready < count) this.#load();
    return (this.#buffer >>> (this.#ready - count)) & ((1 << count) - 1);
  }

  drop(count: number): void {
    this.#ready -= count;
  }

  take(count: number): number {
    if (count === 0) return 0;
    if (count > 16) {
      const high = this.take(count - 16);
      return high * 65_536 + this.take(16);
    }
    const bits = this.peek(count);
    this.#ready -= count;
    return bits;
  }

  /** Whole bytes not taken yet. */
  get bytesLeft(): number {
    return this.#bytes.byteLength - Math.ceil((this.#next * 8 - this.#ready) / 8);
  }

  /** Goes to the next word's start, over a whole word when already at one. */
  align(): void {
    const dropped = this.#ready % 16 === 0 ? 16 : this.#ready % 16;
    this.#seek(this.#next - (this.#ready - dropped) / 8);
  }

  /** Bytes as they stand, from an aligned place. */
  bytes(length: number): Uint8Array {
    const at = this.#next - this.#ready / 8;
    const bytes = this.#bytes.subarray(at, at + length);
    this.#seek(at + length);
    return bytes;
  }

  #seek(at: number): void {
    this.#next = at;
    this.#ready = 0;
    this.#buffer = 0;
  }

  #load(): void {
    const low = this.#bytes[this.#next] ?? 0;
    const high = this.#bytes[this.#next + 1] ?? 0;
    this.#buffer = ((this.#buffer & 0xffff) << 16) | (high << 8) | low;
    this.#next += 2;
    this.#ready += 16;
  }
}
