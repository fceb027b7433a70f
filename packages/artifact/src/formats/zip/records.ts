import { widen } from "./extra-fields.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { fixedBytes, flagBits, signatures } from "./signatures.js";

/** What a central record and a local header both say of a member. */
export interface MemberFields {
  /** Where the record starts in the container. */
  readonly at: number;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly name: Buffer;
  readonly extra: Buffer;
  /** A size or offset is said to be in a zip64 field that does not have it. */
  readonly lacksZip64: boolean;
  readonly hasZip64: boolean;
}

export interface CentralRecord extends MemberFields {
  readonly end: number;
  /** Host system of the version-made-by field: 3 Unix, 19 macOS, 0 DOS. */
  readonly host: number;
  readonly disk: number;
  readonly externalAttributes: number;
  /** As written: counted from the start of the archive, not of the container. */
  readonly localOffset: number;
}

export interface LocalHeader extends MemberFields {
  readonly dataOffset: number;
  readonly versionNeeded: number;
}

/** The central record at `at`; undefined when there is none, or it does not end before `limit`. */
export function centralRecord(window: PieceWindow, at: number, limit: number): CentralRecord | undefined {
  if (at + fixedBytes.central > limit || window.u32(at) !== signatures.central) return undefined;
  const lengths = window.bytes(at, fixedBytes.central);
  const nameBytes = lengths.readUInt16LE(28);
  const extraBytes = lengths.readUInt16LE(30);
  const end = at + fixedBytes.central + nameBytes + extraBytes + lengths.readUInt16LE(32);
  if (end > limit) return undefined;
  const record = window.bytes(at, end - at);
  const extra = record.subarray(fixedBytes.central + nameBytes, fixedBytes.central + nameBytes + extraBytes);
  const wide = widen(
    { bytes: record.readUInt32LE(24), compressedBytes: record.readUInt32LE(20), offset: record.readUInt32LE(42), disk: record.readUInt16LE(34) },
    extra,
  );
  return {
    at,
    end,
    host: record.readUInt8(5),
    flags: record.readUInt16LE(8),
    method: record.readUInt16LE(10),
    crc32: record.readUInt32LE(16),
    compressedBytes: wide.compressedBytes,
    bytes: wide.bytes,
    name: record.subarray(fixedBytes.central, fixedBytes.central + nameBytes),
    extra,
    lacksZip64: wide.lacking,
    hasZip64: wide.zip64,
    disk: wide.disk,
    externalAttributes: record.readUInt32LE(38),
    localOffset: wide.offset,
  };
}

/** The local header at `at`; undefined when there is none or it is cut short by the container's end. */
export function localHeader(window: PieceWindow, at: number): LocalHeader | undefined {
  if (!window.holds(at, fixedBytes.local)) return undefined;
  const fixed = window.bytes(at, fixedBytes.local);
  if (fixed.readUInt32LE(0) !== signatures.local) return undefined;
  const nameBytes = fixed.readUInt16LE(26);
  const extraBytes = fixed.readUInt16LE(28);
  const length = fixedBytes.local + nameBytes + extraBytes;
  if (!window.holds(at, length)) return undefined;
  const header = window.bytes(at, length);
  const extra = header.subarray(fixedBytes.local + nameBytes);
  const wide = widen({ bytes: header.readUInt32LE(22), compressedBytes: header.readUInt32LE(18), offset: 0, disk: 0 }, extra);
  return {
    at,
    versionNeeded: header.readUInt16LE(4),
    flags: header.readUInt16LE(6),
    method: header.readUInt16LE(8),
    crc32: header.readUInt32LE(14),
    compressedBytes: wide.compressedBytes,
    bytes: wide.bytes,
    name: header.subarray(fixedBytes.local, fixedBytes.local + nameBytes),
    extra,
    lacksZip64: wide.lacking,
    hasZip64: wide.zip64,
    dataOffset: at + length,
  };
}

/** Sizes and CRC stand behind the data. */
export function hasDescriptor(fields: MemberFields): boolean {
  return (fields.flags & flagBits.descriptor) !== 0;
}
