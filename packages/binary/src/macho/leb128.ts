import { checkRange, type ByteReader } from "@rea/core";

/** Reads LEB128 numbers, opcodes and strings forward in `[offset, end)`; every read past `end` throws the range error. */
export class LebCursor {
  readonly #reader: ByteReader;
  offset: number;
  readonly end: number;

  constructor(reader: ByteReader, offset: number, end: number) {
    this.#reader = reader;
    this.offset = offset;
    this.end = Math.min(end, reader.size);
  }

  get done(): boolean {
    return this.offset >= this.end;
  }

  u8(): number {
    if (this.done) checkRange(this.offset, Infinity, this.end);
    const value = this.#reader.u8(this.offset);
    this.offset += 1;
    return value;
  }

  /** Unsigned; more than 64 bits throws. */
  uleb(): bigint {
    // Four bytes fit into the integers that are fast.
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.u8();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    checkRange(this.offset, Infinity, this.end);
    return value;
  }

  /** Unsigned, as a number; beyond 2^53 throws. */
  count(): number {
    const value = this.uleb();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) checkRange(this.offset, Infinity, this.end);
    return Number(value);
  }

  sleb(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (byte & 0x40) === 0 ? value : value - (1n << (shift + 7n)));
    }
    checkRange(this.offset, Infinity, this.end);
    return value;
  }

  /** Bytes up to a NUL, which is consumed; an unterminated string throws. */
  cstring(): Uint8Array {
    if (this.done) checkRange(this.offset, Infinity, this.end);
    const { bytes, terminated } = this.#reader.cstring(this.offset, Math.min(65_536, this.end - this.offset));
    if (!terminated) checkRange(this.offset, Infinity, this.end);
    this.offset += bytes.byteLength + 1;
    return bytes;
  }
}
