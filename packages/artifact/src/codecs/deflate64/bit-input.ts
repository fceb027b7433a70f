import { brokenData } from "../broken-data.js";

const none = new Uint8Array(0);

/**
 * Bits of pieces that arrive one after another, lowest first. `prepare` waits for bytes; everything else works at once on
 * what is there.
 */
export class BitInput {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #bytes: Uint8Array = none;
  #at = 0;
  #taken = 0;
  #ended = false;
  #bits = 0;
  #count = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Whole bytes used, a byte of which any bit was taken counted. */
  get usedBytes(): number {
    return this.#taken + this.#at - (this.#count >> 3);
  }

  /** True when `bytes` are at hand, or all that is left is. */
  isReady(bytes: number): boolean {
    return this.#ended || this.#bytes.byteLength - this.#at >= bytes;
  }

  async prepare(bytes: number): Promise<void> {
    while (!this.isReady(bytes)) {
      const next = await this.#pieces.next();
      if (next.done === true) {
        this.#ended = true;
        return;
      }
      this.#append(next.value);
    }
  }

  /** Up to 25 bits without taking them; zeros stand for what is behind the end. */
  peek(count: number): number {
    while (this.#count < count && this.#at < this.#bytes.byteLength) {
      this.#bits |= (this.#bytes[this.#at] ?? 0) << this.#count;
      this.#at += 1;
      this.#count += 8;
    }
    return this.#bits & ((1 << count) - 1);
  }

  /** Takes bits that `peek` has shown; throws when the data ended before them. */
  drop(count: number): void {
    if (count > this.#count) throw brokenData("The deflated data is cut short.", this.usedBytes);
    this.#bits >>>= count;
    this.#count -= count;
  }

  take(count: number): number {
    const value = this.peek(count);
    this.drop(count);
    return value;
  }

  alignToByte(): void {
    this.drop(this.#count & 7);
  }

  /** Whole bytes at hand behind an aligned position, at most `maximum`; empty when there are none. */
  bytes(maximum: number): Uint8Array {
    this.#at -= this.#count >> 3;
    this.#bits = 0;
    this.#count = 0;
    const part = this.#bytes.subarray(this.#at, this.#at + maximum);
    this.#at += part.byteLength;
    return part;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #append(piece: Uint8Array): void {
    const kept = this.#count >> 3;
    const start = this.#at - kept;
    this.#taken += start;
    this.#bytes = Buffer.concat([this.#bytes.subarray(start), piece]);
    this.#at = kept;
  }
}
