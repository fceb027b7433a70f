/** Room that is used again and again, for contents one behind the other. */
export class Scratch {
  #bytes = Buffer.allocUnsafeSlow(256 * 1024);
  #filled = 0;

  get filled(): number {
    return this.#filled;
  }

  clear(): void {
    this.#filled = 0;
  }

  /** Room behind what is kept; valid until the next call. */
  room(length: number): Buffer {
    const needed = this.#filled + length;
    if (needed > this.#bytes.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.byteLength * 2));
      this.#bytes.copy(larger, 0, 0, this.#filled);
      this.#bytes = larger;
    }
    return this.#bytes.subarray(this.#filled, needed);
  }

  /** Keeps bytes that were written into the room. */
  keep(length: number): void {
    this.#filled += length;
  }

  /** A copy of what is kept, in memory of its own. */
  take(): Uint8Array<ArrayBuffer> {
    return Uint8Array.prototype.slice.call(this.#bytes, 0, this.#filled);
  }
}
