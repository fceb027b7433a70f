import { checkRange, type ByteSource } from "@rea/core";

const windowBytes = 256 * 1024;

/** Many small reads near one another, from pieces of 256 KiB. */
export class PieceWindow {
  readonly source: ByteSource;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(source: ByteSource) {
    this.source = source;
  }

  get size(): number {
    return this.source.size;
  }

  /** Exactly `length` bytes, a view that stays valid; throws `artifact_operation_failed` outside the source. */
  bytes(offset: number, length: number): Buffer {
    const held = this.atHand(offset, length);
    if (held !== undefined) return held;
    checkRange(offset, length, this.source.size);
    this.#bytes = bufferOf(this.source.read(offset, Math.min(Math.max(length, windowBytes), this.source.size - offset)));
    this.#start = offset;
    return this.#bytes.subarray(0, length);
  }

  /** Bytes that happen to be at hand; undefined when they would have to be read. */
  atHand(offset: number, length: number): Buffer | undefined {
    const into = offset - this.#start;
    return into >= 0 && into + length <= this.#bytes.byteLength ? this.#bytes.subarray(into, into + length) : undefined;
  }

  /** Whether the bytes lie inside the source. */
  holds(offset: number, length: number): boolean {
    return offset >= 0 && Number.isSafeInteger(offset) && Number.isSafeInteger(length) && length >= 0 && offset + length <= this.source.size;
  }

  /** The 32-bit number there; undefined outside the source. */
  u32(offset: number): number | undefined {
    return this.holds(offset, 4) ? this.bytes(offset, 4).readUInt32LE(0) : undefined;
  }
}

/** The same memory with the readers of `Buffer`. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A 64-bit size or offset; infinite beyond 2^53, which no file reaches. */
export function size64(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}
