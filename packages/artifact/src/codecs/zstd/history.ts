import { brokenData } from "../broken-data.js";

const blockBytes = 1 << 17;

/** What came out, as far back as a match may reach. Grows with what comes out, up to one and a half windows. */
export class History {
  readonly #windowBytes: number;
  readonly #maximum: number;
  #bytes: Uint8Array;
  #start = 0;
  #at = 0;

  constructor(windowBytes: number) {
    this.#windowBytes = windowBytes;
    this.#maximum = windowBytes + Math.max(windowBytes / 2, 4 * blockBytes);
    this.#bytes = new Uint8Array(Math.min(this.#maximum, 2 * blockBytes));
  }

  /** Makes room for a block. */
  begin(): void {
    if (this.#at + blockBytes > this.#bytes.byteLength) this.#makeRoom();
    this.#start = this.#at;
  }

  /** A copy of what the block gave. */
  end(): Uint8Array {
    return this.#bytes.slice(this.#start, this.#at);
  }

  write(bytes: Uint8Array, from: number, length: number): void {
    this.#check(length);
    if (length > 32) this.#bytes.set(bytes.subarray(from, from + length), this.#at);
    else for (let at = 0; at < length; at += 1) this.#bytes[this.#at + at] = bytes[from + at] ?? 0;
    this.#at += length;
  }

  fill(byte: number, length: number): void {
    this.#check(length);
    this.#bytes.fill(byte, this.#at, this.#at + length);
    this.#at += length;
  }

  copy(distance: number, length: number): void {
    this.#check(length);
    const from = this.#at - distance;
    if (from < 0 || distance > this.#windowBytes) throw brokenData("A match reaches back before the window of the Zstandard frame.");
    const bytes = this.#bytes;
    if (length > 32 && distance >= length) bytes.copyWithin(this.#at, from, from + length);
    else for (let at = 0; at < length; at += 1) bytes[this.#at + at] = bytes[from + at] ?? 0;
    this.#at += length;
  }

  #check(length: number): void {
    if (this.#at + length - this.#start > blockBytes) throw brokenData("A Zstandard block is longer than it may be.");
  }

  #makeRoom(): void {
    if (this.#bytes.byteLength < this.#maximum) {
      const larger = new Uint8Array(Math.min(this.#maximum, Math.max(this.#bytes.byteLength * 2, this.#at + blockBytes)));
      larger.set(this.#bytes.subarray(0, this.#at));
      this.#bytes = larger;
      if (this.#at + blockBytes <= larger.byteLength) return;
    }
    const kept = Math.min(this.#at, this.#windowBytes);
    this.#bytes.copyWithin(0, this.#at - kept, this.#at);
    this.#at = kept;
  }
}
