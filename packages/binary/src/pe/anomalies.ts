import type { ByteReader } from "@rea/core";

import type { Anomaly } from "../image.js";
import type { PeFile } from "./pe-file.js";
import type { RichHeader } from "./rich-header.js";
import type { PeSection } from "./section-table.js";

const chunkBytes = 1 << 20;

/** Contradictions between what the headers say and what the file is; each is one typed observation. */
export function readAnomalies(file: PeFile, rich: RichHeader | undefined): readonly Anomaly[] {
  return [
    ...headerAnomalies(file),
    ...overlapAnomalies(file),
    ...file.sections.flatMap((section) => sectionAnomalies(file, section)),
    ...duplicateDirectories(file),
    ...checksumAnomalies(file),
    ...(rich === undefined || rich.checksumValid
      ? []
      : [{ kind: "rich-checksum-mismatch", detail: "the Rich header's key is not the checksum of its content", offset: rich.offset }]),
  ];
}

function headerAnomalies(file: PeFile): readonly Anomaly[] {
  const { headers } = file;
  const anomalies: Anomaly[] = [];
  const add = (kind: string, detail: string, offset: number): void => {
    anomalies.push({ kind, detail, offset });
  };
  if (headers.peOffset < 0x40) add("overlapping-headers", "the PE header lies inside the DOS header", headers.peOffset);
  if (headers.declaredDirectories > 16) {
    add("directory-count", `the optional header declares ${String(headers.declaredDirectories)} data directories`, headers.directoriesOffset - 4);
  }
  const tableEnd = headers.sectionTableOffset + headers.sectionCount * 40;
  if (headers.sizeOfHeaders < tableEnd) add("headers-too-small", "SizeOfHeaders ends before the section table does", headers.sectionTableOffset);
  if (headers.sizeOfHeaders > file.reader.size) add("size-beyond-file", "SizeOfHeaders exceeds the file", 0);
  if (headers.entryRva !== 0 && headers.entryRva >= headers.sizeOfImage) add("entry-outside-image", "the entry point lies outside the image", headers.peOffset);
  return anomalies;
}

function sectionAnomalies(file: PeFile, section: PeSection): readonly Anomaly[] {
  const anomalies: Anomaly[] = [];
  const offset = section.headerOffset;
  if (section.stored && section.fileOffset + section.rawSize > file.reader.size) {
    const detail = `a section ends at ${hex(section.fileOffset + section.rawSize)}, past the end of the file (${hex(file.reader.size)})`;
    anomalies.push({ kind: "size-beyond-file", detail, offset });
  }
  if (section.stored && section.fileOffset < Math.min(file.headers.sizeOfHeaders, file.headers.sectionTableOffset)) {
    anomalies.push({ kind: "header-in-two-places", detail: "the headers are mapped again as a section's data", offset });
  }
  if (section.rva + section.virtualSize > roundUp(file.headers.sizeOfImage, 0x1000)) {
    anomalies.push({ kind: "section-outside-image", detail: "a section ends past SizeOfImage", offset });
  }
  return anomalies;
}

interface Extent {
  readonly start: number;
  readonly end: number;
  readonly header: number;
}

function overlapAnomalies(file: PeFile): readonly Anomaly[] {
  const virtual = file.sections.map(({ rva, virtualSize, headerOffset }) => ({ start: rva, end: rva + virtualSize, header: headerOffset }));
  const raw = file.sections
    .filter(({ stored }) => stored)
    .map(({ fileOffset, rawSize, headerOffset }) => ({ start: fileOffset, end: fileOffset + rawSize, header: headerOffset }));
  return [
    ...overlaps(virtual).map((at) => ({ kind: "section-overlap", detail: "two sections overlap in memory", offset: at })),
    ...overlaps(raw).map((at) => ({ kind: "section-file-overlap", detail: "two sections share bytes of the file", offset: at })),
  ];
}

/** Header offsets of extents that begin before an earlier one ended. */
function overlaps(extents: readonly Extent[]): readonly number[] {
  const sorted = [...extents].sort((left, right) => left.start - right.start);
  const found: number[] = [];
  let end = 0;
  for (const extent of sorted) {
    if (extent.start < end && extent.end > extent.start) found.push(extent.header);
    end = Math.max(end, extent.end);
  }
  return found;
}

function duplicateDirectories(file: PeFile): readonly Anomaly[] {
  const { directories, directoriesOffset } = file.headers;
  const seen = new Set<number>();
  const anomalies: Anomaly[] = [];
  directories.forEach(({ rva, size }, index) => {
    if (rva === 0 || size === 0) return;
    if (seen.has(rva)) anomalies.push({ kind: "duplicate-table", detail: "two data directories start at one address", offset: directoriesOffset + index * 8 });
    seen.add(rva);
  });
  return anomalies;
}

function checksumAnomalies(file: PeFile): readonly Anomaly[] {
  const { checksum, checksumOffset } = file.headers;
  if (checksum === 0) return [];
  const computed = imageChecksum(file.reader, checksumOffset);
  if (computed === checksum) return [];
  return [{ kind: "wrong-checksum", detail: `the header declares ${hex(checksum)}, the file gives ${hex(computed)}`, offset: checksumOffset }];
}

/** The image checksum: 16-bit ones' complement sum of the file without the field itself, plus the file size. */
function imageChecksum(reader: ByteReader, checksumOffset: number): number {
  let sum = 0;
  for (let start = 0; start < reader.size; start += chunkBytes) {
    const length = Math.min(chunkBytes, reader.size - start);
    const chunk = reader.bytes(start, length);
    for (let at = 0; at < length; at += 2) sum += (chunk[at] ?? 0) | ((chunk[at + 1] ?? 0) << 8);
  }
  // The field may straddle words; taking its bytes back by their place in the word keeps this exact.
  for (let at = checksumOffset; at < checksumOffset + 4; at += 1) sum -= reader.u8(at) * (at % 2 === 0 ? 1 : 256);
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  return sum + reader.size;
}

function roundUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
