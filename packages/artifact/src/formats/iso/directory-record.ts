import { both32 } from "./both-endian.js";

/** Bytes of a record before its identifier (ECMA-119 §9.1). */
const fixedBytes = 33;
export const recordFlags = { hidden: 1, directory: 2, associated: 4, more: 0x80 } as const;

/** One record of a directory. Extents count from the volume's start, in its blocks. */
export interface DirectoryRecord {
  /** Bytes from the image's start. */
  readonly at: number;
  readonly length: number;
  readonly extent: number;
  readonly bytes: number;
  /** Blocks of extended attributes in front of the data. */
  readonly attributeBlocks: number;
  readonly flags: number;
  readonly interleaved: boolean;
  readonly identifier: Uint8Array;
  readonly systemUse: Buffer;
  /** Whether the numbers that are written in both byte orders are the same. */
  readonly agrees: boolean;
}

/** Reads the record that `bytes` start with; undefined when it contradicts its own length. */
export function readRecord(bytes: Buffer, at: number): DirectoryRecord | undefined {
  const length = bytes[0] ?? 0;
  const identifierBytes = bytes[32] ?? 0;
  if (length > bytes.byteLength || length <= fixedBytes || fixedBytes + identifierBytes > length) return undefined;
  const extent = both32(bytes, 2);
  const size = both32(bytes, 10);
  // The identifier is filled up to an even length.
  const systemUseAt = fixedBytes + identifierBytes + ((identifierBytes + 1) % 2);
  return {
    at,
    length,
    extent: extent.value,
    bytes: size.value,
    attributeBlocks: bytes.readUInt8(1),
    flags: bytes.readUInt8(25),
    interleaved: bytes.readUInt16LE(26) !== 0,
    identifier: Uint8Array.from(bytes.subarray(fixedBytes, fixedBytes + identifierBytes)),
    systemUse: Buffer.from(bytes.subarray(systemUseAt, length)),
    agrees: extent.agrees && size.agrees,
  };
}

/** `.` and `..` are records whose identifiers are one byte, 0 and 1. */
export function selfOrParent({ identifier }: DirectoryRecord): "self" | "parent" | undefined {
  if (identifier.byteLength !== 1) return undefined;
  return identifier[0] === 0 ? "self" : identifier[0] === 1 ? "parent" : undefined;
}
