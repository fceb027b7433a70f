import { brokenData } from "../broken-data.js";

/** Bits read from the end of a stream to its start (RFC 8878 §4.1); its last byte's highest bit marks the end. */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  /** Bits not yet read; below zero behind the start, where zeros are read. */
  left: number;

  constructor(bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    if (last === 0) throw brokenData("A Zstandard bit stream has no end mark.");
    this.#bytes = bytes;
    this.left = bytes.byteLength * 8 - 1 - Math.clz32(last) + 24;
  }

  /** At most 32 bits. */
  read(count: number): number {
    if (count > 24) return this.read(count - 16) * 65_536 + this.read(16);
    this.left -= count;
    return this.#at(this.left, count);
  }

  /** The next bits without taking them, at most 24. */
  peek(count: number): number {
    return this.#at(this.left - count, count);
  }

  #at(start: number, count: number): number {
    if (start < 0) return start + count <= 0 ? 0 : this.#at(0, start + count) << -start;
    const bytes = this.#bytes;
    const at = start >> 3;
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    return (word >>> (start & 7)) & ((1 << count) - 1);
  }
}
