import { brokenData } from "./broken-data.js";

/** Plain bytes of a codec that works in frames: a window that matches copy from, and the bytes of the present frame. */
export class SlidingWindow {
  readonly #ring: Uint8Array;
  readonly #mask: number;
  #at = 0;
  /** Bytes that a match may reach back. */
  #valid = 0;
  readonly #frame: Uint8Array;
  #filled = 0;

  /** A window of 2^`bits` bytes, and room for frames of `frameBytes` with the longest match behind them. */
  constructor(bits: number, frameBytes: number) {
    this.#ring = new Uint8Array(2 ** bits);
    this.#mask = this.#ring.byteLength - 1;
    this.#frame = new Uint8Array(frameBytes + 1024);
  }

  /** Bytes of the present frame so far. */
  get filled(): number {
    return this.#filled;
  }

  put(byte: number): void {
    this.#ring[this.#at] = byte;
    this.#at = (this.#at + 1) & this.#mask;
    this.#frame[this.#filled] = byte;
    this.#filled += 1;
    if (this.#valid <= this.#mask) this.#valid += 1;
  }

  copy(distance: number, length: number): void {
    if (distance > this.#valid || distance < 1) throw brokenData("A match reaches back before the start of the data.");
    const ring = this.#ring;
    const frame = this.#frame;
    const mask = this.#mask;
    const end = this.#filled + length;
    let at = this.#at;
    let from = (at - distance) & mask;
    for (let filled = this.#filled; filled < end; filled += 1) {
      const byte = ring[from] ?? 0;
      ring[at] = byte;
      frame[filled] = byte;
      at = (at + 1) & mask;
      from = (from + 1) & mask;
    }
    this.#at = at;
    this.#filled = end;
    this.#valid = Math.min(this.#valid + length, mask + 1);
  }

  /** The first bytes of the frame, as a copy; what a match wrote beyond them starts the next frame. */
  take(length: number): Uint8Array {
    const frame = this.#frame.slice(0, length);
    this.#frame.copyWithin(0, length, this.#filled);
    this.#filled = Math.max(0, this.#filled - length);
    return frame;
  }
}
