import type { ByteSource } from "@rea/core";
import type { BinaryImage, FileRange } from "../image.js";

const pieceBytes = 4 * 1024 * 1024;
const searchedBytes = 256 * 1024 * 1024;
const searchedSections = 512;

/** The first places of several marks in the data of an image; yields between pieces of 4 MiB. */
export function* findMarks(image: BinaryImage, marks: readonly Buffer[]): Generator<undefined, readonly (number | undefined)[], undefined> {
  const found: (number | undefined)[] = marks.map(() => undefined);
  const overlap = Math.max(...marks.map(({ byteLength }) => byteLength)) - 1;
  for (const range of dataRanges(image)) {
    const end = range.offset + range.size;
    for (let at = range.offset; at < end; at += pieceBytes) {
      const piece = pieceAt(image.source, at, Math.min(at + pieceBytes + overlap, end));
      for (const [index, mark] of marks.entries()) {
        if (found[index] !== undefined) continue;
        const place = piece.indexOf(mark);
        if (place >= 0) found[index] = at + place;
      }
      yield undefined;
    }
  }
  return found;
}

function pieceAt(source: ByteSource, start: number, end: number): Buffer {
  const bytes = source.read(start, end - start);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function dataRanges(image: BinaryImage): readonly FileRange[] {
  let left = searchedBytes;
  const ranges: FileRange[] = [];
  for (const section of image.sections().items.slice(0, searchedSections)) {
    if (section.file === undefined || (section.kind !== "rodata" && section.kind !== "data")) continue;
    const size = Math.min(section.file.size, left, Math.max(0, image.source.size - section.file.offset));
    left -= size;
    if (size > 0) ranges.push({ offset: section.file.offset, size });
  }
  return ranges;
}
