import { brokenData } from "../../codecs/broken-data.js";
import { untilNul, whole } from "./object.js";

export interface Inode {
  /** The id that its extents stand under. */
  readonly privateId: number;
  readonly mode: number;
  readonly isCompressed: boolean;
  /** Of the content, where the inode has one. */
  readonly size: number | undefined;
}

const inodeBytes = 92;
const compressedFlag = 0x20;
const streamField = 8;

/** Reads an inode's value with its extended fields. */
export function inodeOf(value: Buffer): Inode {
  if (value.byteLength < inodeBytes) throw brokenData("An inode of an APFS volume is cut short.");
  const stream = extendedField(value.subarray(inodeBytes), streamField);
  return {
    privateId: whole(value, 8),
    mode: value.readUInt16LE(80),
    isCompressed: (value.readUInt32LE(68) & compressedFlag) !== 0,
    size: stream === undefined ? undefined : whole(stream, 0),
  };
}

/** Fields of 4 bytes each (type, flags, size) come first, then their data, each filled up to eight bytes. */
function extendedField(fields: Buffer, wanted: number): Buffer | undefined {
  if (fields.byteLength < 4) return undefined;
  const count = fields.readUInt16LE(0);
  let at = 4 + count * 4;
  for (let index = 0; index < count && 8 + index * 4 <= fields.byteLength; index += 1) {
    const size = fields.readUInt16LE(6 + index * 4);
    if (fields.readUInt8(4 + index * 4) === wanted) return fields.subarray(at, at + size);
    at += Math.ceil(size / 8) * 8;
  }
  return undefined;
}

export interface DirectoryEntry {
  readonly name: Buffer;
  readonly id: number;
  /** As in `readdir`: 4 directory, 8 file, 10 symbolic link. */
  readonly type: number;
}

/** Reads a directory entry; the key has the name's length, with its hash where the volume hashes names. */
export function directoryEntryOf(key: Buffer, value: Buffer, hasHash: boolean): DirectoryEntry {
  const start = hasHash ? 4 : 2;
  if (key.byteLength < start || value.byteLength < 18) throw brokenData("A directory entry of an APFS volume is cut short.");
  const length = hasHash ? key.readUInt32LE(0) & 0x3ff : key.readUInt16LE(0);
  return { name: untilNul(key.subarray(start, start + length)), id: whole(value, 0), type: value.readUInt16LE(16) & 15 };
}

/** An attribute: its value, or the id and size of the stream that has it. */
export interface Attribute {
  readonly name: string;
  readonly value: Buffer | { readonly id: number; readonly size: number };
}

const isStream = 1;

export function attributeOf(key: Buffer, value: Buffer): Attribute {
  if (key.byteLength < 2 || value.byteLength < 4) throw brokenData("An attribute of an APFS volume is cut short.");
  const name = untilNul(key.subarray(2, 2 + key.readUInt16LE(0))).toString("utf8");
  const data = value.subarray(4, 4 + value.readUInt16LE(2));
  return { name, value: (value.readUInt16LE(0) & isStream) === 0 ? data : { id: whole(data, 0), size: whole(data, 8) } };
}

export interface FileExtent {
  /** Of the content. */
  readonly start: number;
  readonly bytes: number;
  /** 0 for a hole. */
  readonly block: number;
}

const lengthMask = (1n << 56n) - 1n;

export function extentOf(key: Buffer, value: Buffer): FileExtent {
  if (value.byteLength < 16) throw brokenData("An extent of an APFS volume is cut short.");
  const bytes = value.readBigUInt64LE(0) & lengthMask;
  if (bytes > BigInt(Number.MAX_SAFE_INTEGER)) throw brokenData("An extent of an APFS volume is longer than any disk.");
  return { start: whole(key, 0), bytes: Number(bytes), block: whole(value, 8) };
}
