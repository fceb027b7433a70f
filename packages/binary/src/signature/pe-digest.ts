import type { PeFile } from "../pe/pe-file.js";
import { directoryIndex } from "../pe/constants.js";
import type { HashName } from "./object-identifiers.js";
import { spansDigest, type Span, type Steps } from "./steps.js";

/** File offset of the directory entry that names the certificate table; undefined when the header has none. */
function certificateEntry({ headers }: PeFile): number | undefined {
  const index = directoryIndex.certificates;
  return index < headers.directories.length ? headers.directoriesOffset + index * 8 : undefined;
}

/** Spans of the file before `end` without the checksum and the entry of the certificate table. */
function digested(file: PeFile, start: number, end: number): readonly Span[] {
  const { checksumOffset } = file.headers;
  const entry = certificateEntry(file);
  const holes = [{ start: checksumOffset, end: checksumOffset + 4 }, ...(entry === undefined ? [] : [{ start: entry, end: entry + 8 }])];
  const spans: Span[] = [];
  let at = start;
  for (const hole of holes) {
    if (hole.start >= end) break;
    if (hole.start > at) spans.push({ start: at, end: hole.start });
    at = Math.max(at, hole.end);
  }
  if (at < end) spans.push({ start: at, end });
  return spans;
}

/** Digests of the image as Authenticode makes them: all of the file but checksum, certificate entry and certificate table. */
export function* imageDigests(file: PeFile, algorithms: readonly HashName[]): Steps<readonly string[]> {
  const table = file.directory("certificates");
  const end = table === undefined || table.size === 0 ? file.reader.size : Math.min(table.rva, file.reader.size);
  return yield* spansDigest(file.reader.source, digested(file, 0, end), algorithms);
}

export interface PageHashEntry {
  readonly offset: number;
  readonly declared: string;
}

/** Digest of one page: zeros fill it up; undefined where no header or section has bytes there. */
export function* pageDigest(file: PeFile, offset: number, algorithm: HashName): Steps<{ readonly hex: string; readonly size: number } | undefined> {
  const { headers, sections, reader } = file;
  const pageBytes = headers.sectionAlignment;
  const section = sections.find(({ fileOffset, rawSize }) => offset >= fileOffset && offset < fileOffset + rawSize);
  const inHeaders = offset < headers.sizeOfHeaders;
  const dataEnd = inHeaders ? headers.sizeOfHeaders : section === undefined ? 0 : section.fileOffset + section.rawSize;
  const end = Math.min(dataEnd, offset + pageBytes, reader.size);
  if (end <= offset || pageBytes > 1 << 26) return undefined;
  const spans = inHeaders ? digested(file, offset, end) : [{ start: offset, end }];
  const [hex = ""] = yield* spansDigest(reader.source, spans, [algorithm], Math.max(0, pageBytes - (end - offset)));
  return { hex, size: end - offset };
}

const pieceBytes = 1 << 20;

/** The checksum of the optional header as the loader computes it: 16-bit words with carry, then the file's length. */
export function* peChecksum({ headers, reader }: PeFile): Steps<number> {
  const { checksumOffset } = headers;
  let sum = 0;
  for (let at = 0; at < reader.size; at += pieceBytes) {
    const length = Math.min(pieceBytes, reader.size - at);
    sum = wordSum(Buffer.from(reader.source.read(at, length)), { sum, skip: checksumOffset - at });
    yield undefined;
  }
  return (sum + reader.size) >>> 0;
}

/** The four bytes at `skip` of a piece count as zeros. */
function wordSum(piece: Buffer, from: { readonly sum: number; readonly skip: number }): number {
  const even = piece.byteLength & ~1;
  let { sum } = from;
  piece.fill(0, Math.max(0, Math.min(from.skip, piece.byteLength)), Math.max(0, Math.min(from.skip + 4, piece.byteLength)));
  for (let at = 0; at < even; at += 2) {
    sum += (piece[at] ?? 0) | ((piece[at + 1] ?? 0) << 8);
    if (sum > 0xffff) sum = (sum & 0xffff) + 1;
  }
  if (even < piece.byteLength) {
    sum += piece[even] ?? 0;
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  return sum;
}
