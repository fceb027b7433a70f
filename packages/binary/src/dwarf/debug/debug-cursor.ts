import { checkRange } from "@rea/core";

/** Ten bytes hold 64 bits; more is damage. */
const longestLeb = 10;

/** Reads numbers of debug information one after another; every read past the end throws the range error. */
export class DebugCursor {
  readonly bytes: Uint8Array;
  readonly littleEndian: boolean;
  readonly end: number;
  at: number;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, littleEndian: boolean, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.littleEndian = littleEndian;
    this.at = at;
    this.end = Math.min(end, bytes.length);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves on by that many bytes and returns where they started. */
  take(length: number): number {
    const start = this.at;
    if (!(length >= 0 && start + length <= this.end)) checkRange(start, length, this.end);
    this.at = start + length;
    return start;
  }

  u8(): number {
    return this.#view.getUint8(this.take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.take(2), this.littleEndian);
  }

  u24(): number {
    const at = this.take(3);
    const [a = 0, b = 0, c = 0] = this.bytes.subarray(at, at + 3);
    return this.littleEndian ? a | (b << 8) | (c << 16) : c | (b << 8) | (a << 16);
  }

  u32(): number {
    return this.#view.getUint32(this.take(4), this.littleEndian);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.take(8), this.littleEndian);
  }

  /** An offset or length of a section: 4 or 8 bytes; beyond 2^53 is damage. */
  offset(size: 4 | 8): number {
    return size === 4 ? this.u32() : this.#whole(this.u64());
  }

  /** An unsigned number of that many bytes. */
  unsigned(size: number): bigint {
    switch (size) {
      case 1:
        return BigInt(this.u8());
      case 2:
        return BigInt(this.u16());
      case 4:
        return BigInt(this.u32());
      case 8:
        return this.u64();
      default:
        checkRange(this.at, Number.POSITIVE_INFINITY, this.end);
        return 0n;
    }
  }

  /** ULEB128 as a number; beyond 2^53 is damage. */
  uleb(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 8; count += 1) {
      const byte = this.u8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value > Number.MAX_SAFE_INTEGER ? this.#whole(1n << 63n) : value;
      factor *= 128;
    }
    this.at -= 8;
    return this.#whole(this.ulebBig());
  }

  ulebBig(): bigint {
    return this.#leb().value;
  }

  slebBig(): bigint {
    const { value, width } = this.#leb();
    return BigInt.asIntN(width, value);
  }

  /** Bytes up to a NUL, which is passed over. */
  text(): Uint8Array {
    const end = this.bytes.indexOf(0, this.at);
    const start = this.at;
    if (end < 0 || end >= this.end) checkRange(start, Number.POSITIVE_INFINITY, this.end);
    this.at = end + 1;
    return this.bytes.subarray(start, end);
  }

  #leb(): { readonly value: bigint; readonly width: number } {
    let value = 0n;
    for (let count = 0; count < longestLeb; count += 1) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) return { value: BigInt.asUintN(64, value), width: Math.min(64, 7 * (count + 1)) };
    }
    checkRange(this.at, Number.POSITIVE_INFINITY, this.end);
    return { value, width: 64 };
  }

  #whole(value: bigint): number {
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) checkRange(this.at, Number.POSITIVE_INFINITY, this.end);
    return Number(value);
  }
}
