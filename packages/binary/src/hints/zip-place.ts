import type { ByteSource } from "@rea/core";
import type { FileRange } from "../image.js";

const endBytes = 22;
const longestComment = 65_535;
const recordBytes = 46;
const recordsLookedAt = 10_000;
const longestDirectory = 4 * 1024 * 1024;

/** The ZIP archive whose end record stands near the end of a source, from its first member on. */
export function zipFromEnd(source: ByteSource): FileRange | undefined {
  const start = Math.max(0, source.size - endBytes - longestComment);
  const tail = Buffer.from(source.read(start, source.size - start));
  for (let at = tail.lastIndexOf("PK\u0005\u0006", undefined, "latin1"); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf("PK\u0005\u0006", at - 1, "latin1")) {
    if (at + endBytes > tail.byteLength) continue;
    const end = start + at + endBytes + tail.readUInt16LE(at + 20);
    const first = end > source.size ? undefined : firstMember(source, start + at, { bytes: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) });
    if (first !== undefined) return { offset: first, size: end - first };
  }
  return undefined;
}

/** Offsets count from the archive's start, or from the file's where its writer adjusted them. */
function firstMember(source: ByteSource, endRecord: number, declared: { readonly bytes: number; readonly offset: number }): number | undefined {
  const directory = endRecord - declared.bytes;
  if (directory < 0 || declared.bytes < recordBytes) return undefined;
  const records = Buffer.from(source.read(directory, Math.min(declared.bytes, longestDirectory)));
  const least = leastOffset(records);
  if (least === undefined) return undefined;
  const base = directory - declared.offset;
  return [base + least, least].find((offset) => startsMember(source, offset));
}

function leastOffset(records: Buffer): number | undefined {
  let least: number | undefined;
  for (let at = 0, count = 0; at + recordBytes <= records.byteLength && count < recordsLookedAt; count += 1) {
    if (records.readUInt32LE(at) !== 0x02014b50) break;
    least = Math.min(least ?? Number.POSITIVE_INFINITY, records.readUInt32LE(at + 42));
    at += recordBytes + records.readUInt16LE(at + 28) + records.readUInt16LE(at + 30) + records.readUInt16LE(at + 32);
  }
  return least;
}

function startsMember(source: ByteSource, offset: number): boolean {
  return offset >= 0 && offset + 30 <= source.size && Buffer.from(source.read(offset, 4)).readUInt32LE(0) === 0x04034b50;
}
