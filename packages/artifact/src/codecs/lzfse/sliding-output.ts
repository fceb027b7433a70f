import { brokenData } from "../broken-data.js";

const chunkBytes = 1 << 17;
/** No token gives more bytes at once. */
const longestToken = 4096;

/** What came out, as far back as matches reach, and the part of it that was not handed over yet. */
export class SlidingOutput {
  readonly #windowBytes: number;
  readonly #bytes: Uint8Array;
  #taken = 0;
  #at = 0;

  constructor(windowBytes: number) {
    this.#windowBytes = windowBytes;
    this.#bytes = new Uint8Array(windowBytes + chunkBytes + longestToken);
  }

  /** True when `take` must be called before the next token. */
  get isFull(): boolean {
    return this.#at - this.#taken >= chunkBytes || this.#at + longestToken > this.#bytes.byteLength;
  }

  get pending(): number {
    return this.#at - this.#taken;
  }

  /** Plain bytes, at most 4,096. */
  write(bytes: Uint8Array, from: number, length: number): void {
    if (length > 32) this.#bytes.set(bytes.subarray(from, from + length), this.#at);
    else for (let at = 0; at < length; at += 1) this.#bytes[this.#at + at] = bytes[from + at] ?? 0;
    this.#at += length;
  }

  /** Repeats at most 4,096 bytes from `distance` back. */
  copy(distance: number, length: number): void {
    const from = this.#at - distance;
    if (distance <= 0 || distance > this.#windowBytes || from < 0) throw brokenData("A match reaches back before the start of the data.");
    const bytes = this.#bytes;
    if (length > 32 && distance >= length) bytes.copyWithin(this.#at, from, from + length);
    else for (let at = 0; at < length; at += 1) bytes[this.#at + at] = bytes[from + at] ?? 0;
    this.#at += length;
  }

  /** A copy of what came out since the last call; makes room. */
  take(): Uint8Array {
    const out = this.#bytes.slice(this.#taken, this.#at);
    const kept = Math.min(this.#at, this.#windowBytes);
    if (this.#at + chunkBytes + longestToken > this.#bytes.byteLength) {
      this.#bytes.copyWithin(0, this.#at - kept, this.#at);
      this.#at = kept;
    }
    this.#taken = this.#at;
    return out;
  }
}
