import { brokenData } from "../../codecs/broken-data.js";

/** Reads the numbers, vectors and checksums of a 7z header; throws `artifact_operation_failed` (reason `format`) past its end. */
export class HeaderBytes {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.byteLength - this.at;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw brokenData("The archive's header ends in the middle of a record.");
    this.at += 1;
    return byte;
  }

  /** A view of the next bytes. */
  take(length: number): Buffer {
    if (length > this.left) throw brokenData("A length in the archive's header reaches past its end.");
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }

  u32(): number {
    return this.take(4).readUInt32LE(0);
  }

  /**
   * A number of one to nine bytes: the leading ones of the first byte tell how many follow, least significant first.
   * Infinite beyond 2^53, which nothing reaches.
   */
  number(): number {
    const first = this.byte();
    let value = 0;
    for (let count = 0; count < 8; count += 1) {
      const mask = 0x80 >> count;
      if ((first & mask) === 0) return safe(value + (first & (mask - 1)) * 2 ** (8 * count));
      value += this.byte() * 2 ** (8 * count);
    }
    return safe(value);
  }

  /** A number of things each of which takes `bitsEach` bits of the header or more. */
  count(bitsEach: number, what: string): number {
    const count = this.number();
    if (count > Math.floor((this.left * 8) / bitsEach)) {
      throw brokenData(`The archive's header claims ${String(count)} ${what}, for which it has no room.`);
    }
    return count;
  }

  /** A vector of bits, most significant first; one byte for each. */
  bits(count: number): Uint8Array<ArrayBuffer> {
    const packed = this.take(Math.ceil(count / 8));
    const bits = new Uint8Array(count);
    for (let index = 0; index < count; index += 1) bits[index] = ((packed[index >> 3] ?? 0) >> (7 - (index & 7))) & 1;
    return bits;
  }

  /** Which of `count` things have a value: all of them, or those of a vector. */
  defined(count: number): Uint8Array<ArrayBuffer> {
    return this.byte() === 0 ? this.bits(count) : new Uint8Array(count).fill(1);
  }

  /** CRC-32 values; −1 where none is given. */
  digests(count: number): Float64Array {
    const digests = new Float64Array(count).fill(-1);
    const defined = this.defined(count);
    for (let index = 0; index < count; index += 1) if (defined[index] === 1) digests[index] = this.u32();
    return digests;
  }
}

function safe(value: number): number {
  return Number.isSafeInteger(value) ? value : Number.POSITIVE_INFINITY;
}
