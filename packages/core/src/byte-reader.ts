import { ReaError } from "./errors.js";

/** Random access to bytes of known size. `read` returns exactly `length` bytes (a view where possible) or throws. */
export interface ByteSource {
  readonly size: number;
  read(offset: number, length: number): Uint8Array;
}

/** A source over bytes in memory; reads are views. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    read(offset, length) {
      checkRange(offset, length, bytes.byteLength);
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** A window of a source, with offsets counted from `offset`. */
export function sourceSlice(source: ByteSource, offset: number, length: number): ByteSource {
  checkRange(offset, length, source.size);
  return {
    size: length,
    read(at, count) {
      checkRange(at, count, length);
      return source.read(offset + at, count);
    },
  };
}

/** Throws `artifact_operation_failed` (reason `format`) unless offset and length are whole, non-negative and inside `size`. */
export function checkRange(offset: number, length: number, size: number): void {
  const whole = Number.isSafeInteger(offset) && Number.isSafeInteger(length);
  if (whole && offset >= 0 && length >= 0 && offset + length <= size) return;
  throw new ReaError("artifact_operation_failed", {
    message: "A structure reaches past the end of its data.",
    details: {
      operation: "read_bytes",
      reason: "format",
      ...(Number.isSafeInteger(offset) ? { offset } : {}),
      ...(Number.isSafeInteger(length) ? { length } : {}),
      size,
    },
  });
}

const windowBytes = 1 << 16;

/**
 * Bounds-checked reads at absolute offsets of a source. Nothing read from a file is trusted: every read past the end
 * throws `artifact_operation_failed` with reason `format`, which readers record as a `malformed` omission.
 */
export class ByteReader {
  readonly source: ByteSource;
  readonly littleEndian: boolean;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;
  #end = 0;

  constructor(source: ByteSource, endian: "little" | "big" = "little") {
    this.source = source;
    this.littleEndian = endian === "little";
  }

  get size(): number {
    return this.source.size;
  }

  u8(offset: number): number {
    return this.#at(offset, 1).getUint8(offset - this.#start);
  }

  u16(offset: number): number {
    return this.#at(offset, 2).getUint16(offset - this.#start, this.littleEndian);
  }

  u32(offset: number): number {
    return this.#at(offset, 4).getUint32(offset - this.#start, this.littleEndian);
  }

  i32(offset: number): number {
    return this.#at(offset, 4).getInt32(offset - this.#start, this.littleEndian);
  }

  u64(offset: number): bigint {
    return this.#at(offset, 8).getBigUint64(offset - this.#start, this.littleEndian);
  }

  i64(offset: number): bigint {
    return this.#at(offset, 8).getBigInt64(offset - this.#start, this.littleEndian);
  }

  /** A 64-bit value used as a size or offset; throws when it is beyond 2^53. */
  size64(offset: number): number {
    const value = this.u64(offset);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) checkRange(offset, Number.POSITIVE_INFINITY, this.size);
    return Number(value);
  }

  /** Exactly `length` bytes, a view where the source allows. */
  bytes(offset: number, length: number): Uint8Array {
    checkRange(offset, length, this.size);
    return this.source.read(offset, length);
  }

  /**
   * Bytes from `offset` up to a NUL, `maximum` bytes or the end of data, whichever comes first; `terminated` tells
   * whether the NUL was there.
   */
  cstring(offset: number, maximum = 65_536): { readonly bytes: Uint8Array; readonly terminated: boolean } {
    checkRange(offset, 0, this.size);
    const chunk = this.bytes(offset, Math.min(maximum, this.size - offset));
    const end = chunk.indexOf(0);
    return end < 0 ? { bytes: chunk, terminated: false } : { bytes: chunk.subarray(0, end), terminated: true };
  }

  /** A reader over a part, offsets counted from its start. */
  slice(offset: number, length: number): ByteReader {
    return new ByteReader(sourceSlice(this.source, offset, length), this.littleEndian ? "little" : "big");
  }

  #at(offset: number, length: number): DataView {
    if (offset >= this.#start && offset + length <= this.#end && Number.isInteger(offset)) return this.#view;
    checkRange(offset, length, this.size);
    const chunk = this.source.read(offset, Math.min(Math.max(length, windowBytes), this.size - offset));
    this.#view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#start = offset;
    this.#end = offset + chunk.byteLength;
    return this.#view;
  }
}
