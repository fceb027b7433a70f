import { checkRange, type ByteSource } from "@rea/core";
import { bufferOf } from "../../reading/piece-window.js";

/** A range of the file. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

/** A checksum with the number of its kind. */
export interface UdifChecksum {
  readonly kind: number;
  /** Of the value, in bits. */
  readonly bits: number;
  readonly value: Buffer;
}

/** What the trailer says of the image. Ranges are as they are declared. */
export interface UdifTrailer {
  readonly offset: number;
  readonly version: number;
  readonly dataFork: Range;
  readonly resourceFork: Range;
  readonly list: Range;
  readonly signature: Range;
  readonly segment: number;
  readonly segments: number;
  readonly dataChecksum: UdifChecksum;
  readonly masterChecksum: UdifChecksum;
  readonly sectors: number;
}

export const trailerBytes = 512;
export const sectorBytes = 512;
export const crc32Kind = 2;

/** The trailers there are: at the end, where it belongs, and at the start, where images written to a stream have it. */
export function udifTrailers(source: ByteSource): readonly UdifTrailer[] {
  if (source.size < trailerBytes) return [];
  const places = source.size === trailerBytes ? [0] : [source.size - trailerBytes, 0];
  return places.flatMap((offset) => {
    const bytes = bufferOf(source.read(offset, trailerBytes));
    return bytes.toString("latin1", 0, 4) === "koly" && bytes.readUInt32BE(8) === trailerBytes ? [trailerOf(bytes, offset)] : [];
  });
}

function trailerOf(bytes: Buffer, offset: number): UdifTrailer {
  const range = (at: number): Range => ({ offset: size(bytes, at), length: size(bytes, at + 8) });
  return {
    offset,
    version: bytes.readUInt32BE(4),
    dataFork: range(24),
    resourceFork: range(40),
    segment: bytes.readUInt32BE(56),
    segments: bytes.readUInt32BE(60),
    dataChecksum: checksumOf(bytes, 80),
    list: range(216),
    signature: range(296),
    masterChecksum: checksumOf(bytes, 352),
    sectors: size(bytes, 492),
  };
}

/** A checksum record: kind, bits, 128 bytes of which as many count. */
export function checksumOf(bytes: Buffer, at: number): UdifChecksum {
  checkRange(at, 136, bytes.byteLength);
  const bits = bytes.readUInt32BE(at + 4);
  return { kind: bytes.readUInt32BE(at), bits, value: bytes.subarray(at + 8, at + 8 + Math.min(128, bits >>> 3)) };
}

/** The value of a CRC-32; undefined for checksums of other kinds. */
export function crcOf({ kind, bits, value }: UdifChecksum): number | undefined {
  return kind === crc32Kind && bits === 32 ? value.readUInt32BE(0) : undefined;
}

/** Infinite beyond 2^53, which no file reaches. */
export function size(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64BE(at);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}
