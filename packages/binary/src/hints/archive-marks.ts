import { crc32 } from "node:zlib";
import { sourceSlice, type ByteSource } from "@rea/core";
import type { FileRange } from "../image.js";

/** An archive that starts somewhere inside other data. */
export interface PlacedArchive {
  readonly kind: string;
  readonly file: FileRange;
}

interface Mark {
  readonly kind: string;
  readonly bytes: Buffer;
  /** Length of the archive; undefined for what only starts like one. */
  readonly measure: (archive: ByteSource) => number | undefined;
}

const marks: readonly Mark[] = [
  { kind: "7z", bytes: Buffer.from("377abcaf271c", "hex"), measure: sevenZipLength },
  { kind: "cab", bytes: Buffer.from("4d53434600000000", "hex"), measure: cabinetLength },
  { kind: "squashfs", bytes: Buffer.from("hsqs"), measure: squashfsLength },
  { kind: "rar", bytes: Buffer.from("526172211a07", "hex"), measure: rarLength },
];
const pieceBytes = 1024 * 1024;

/** The first archive of each kind whose header holds, among the first bytes of a range. */
export function archivesInside(source: ByteSource, range: FileRange): readonly PlacedArchive[] {
  const head = Buffer.from(source.read(range.offset, Math.min(range.size, pieceBytes)));
  const end = range.offset + range.size;
  return marks.flatMap(({ kind, bytes, measure }) => {
    for (let at = head.indexOf(bytes); at >= 0; at = head.indexOf(bytes, at + 1)) {
      const offset = range.offset + at;
      const length = measure(sourceSlice(source, offset, end - offset));
      if (length !== undefined) return [{ kind, file: { offset, size: Math.min(length, end - offset) } }];
    }
    return [];
  });
}

/** Length of the archive at the start of a source, where its header tells and holds. */
export function archiveLength(kind: string, source: ByteSource): number | undefined {
  return marks.find((mark) => mark.kind === kind)?.measure(source);
}

// 7z format: the start header has a CRC of its own and says where the last header ends.
function sevenZipLength(archive: ByteSource): number | undefined {
  const bytes = headOf(archive, 32);
  if (bytes === undefined || crc32(bytes.subarray(12, 32)) !== bytes.readUInt32LE(8)) return undefined;
  return 32 + Number(bytes.readBigUInt64LE(12)) + Number(bytes.readBigUInt64LE(20));
}

// [MS-CAB] 2.1: the cabinet's size, then the version 1.3.
function cabinetLength(archive: ByteSource): number | undefined {
  const bytes = headOf(archive, 36);
  const fits = bytes !== undefined && bytes[24] === 3 && bytes[25] === 1 && bytes.readUInt32LE(8) >= 36;
  return fits ? bytes.readUInt32LE(8) : undefined;
}

function squashfsLength(archive: ByteSource): number | undefined {
  const bytes = headOf(archive, 96);
  const fits = bytes !== undefined && bytes.readUInt16LE(28) === 4 && bytes.readUInt32LE(12) === 2 ** bytes.readUInt16LE(22);
  return fits ? Number(bytes.readBigUInt64LE(40)) : undefined;
}

/** The last byte of the signature is 0 before version 5; 1 and another 0 follow since. */
function rarLength(archive: ByteSource): number | undefined {
  const bytes = headOf(archive, 8);
  const fits = bytes !== undefined && (bytes[6] === 0 || (bytes[6] === 1 && bytes[7] === 0));
  return fits ? archive.size : undefined;
}

function headOf(archive: ByteSource, length: number): Buffer | undefined {
  return archive.size < length ? undefined : Buffer.from(archive.read(0, length));
}
