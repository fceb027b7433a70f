import type { ByteSource } from "@rea/core";
import { Extents } from "../../reading/extents.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { XarHeader } from "./xar-header.js";
import type { XarPiece } from "./xar-toc.js";

/** Where a piece lies in the file; undefined when it lies outside, or offset or length are missing. */
export function heapRange({ size }: ByteSource, { heapOffset }: XarHeader, { offset, length }: HeapPlace): { readonly start: number; readonly length: number } | undefined {
  if (offset === undefined || length === undefined) return undefined;
  const start = heapOffset + offset;
  return start + length <= size ? { start, length } : undefined;
}

interface HeapPlace {
  readonly offset: number | undefined;
  readonly length: number | undefined;
}

/** Checksums and signatures have only a size. */
export function placeOf(piece: XarPiece): HeapPlace {
  const isTable = piece.role !== "data" && piece.role !== "ea";
  return { offset: piece.offset, length: isTable ? (piece.size ?? piece.length) : piece.length };
}

/** Reports bytes of the heap that nothing lays claim to, and those that two pieces share in part. Equal ranges are one stored content. */
export function reportHeap(source: ByteSource, header: XarHeader, pieces: readonly XarPiece[], findings: FindingReport): void {
  const extents = new Extents();
  pieces.forEach((piece, index) => {
    const range = heapRange(source, header, placeOf(piece));
    if (range !== undefined && range.length > 0) extents.add(range.start, range.start + range.length, index);
  });
  let claimed = header.heapOffset;
  let last = { start: -1, end: -1 };
  for (const { start, end } of extents.sorted()) {
    const isSame = start === last.start && end === last.end;
    if (start > claimed) gap(source, findings, claimed, start);
    else if (start < claimed && !isSame) {
      findings.add({
        anomaly: "overlap",
        offset: start,
        detail: `${String(Math.min(end, claimed) - start)} bytes of the heap belong to two pieces that are not the same.`,
        effect: "One of the two reads bytes that are meant for the other.",
      });
    }
    claimed = Math.max(claimed, end);
    last = { start, end };
  }
  if (claimed < source.size) trailing(source, findings, claimed);
}

function gap(source: ByteSource, findings: FindingReport, start: number, end: number): void {
  findings.add({
    anomaly: "gap",
    offset: start,
    detail: `${String(end - start)} ${isZero(source, start, end) ? "zero " : ""}bytes of the heap belong to no member.`,
    effect: "No reader of the archive shows these bytes.",
  });
}

function trailing(source: ByteSource, findings: FindingReport, start: number): void {
  findings.add({
    anomaly: "trailing_data",
    offset: start,
    detail: `${String(source.size - start)} ${isZero(source, start, source.size) ? "zero " : ""}bytes follow the last piece of the heap.`,
    effect: "No reader of the archive shows these bytes.",
  });
}

const longestLook = 1 << 20;

function isZero(source: ByteSource, start: number, end: number): boolean {
  return end - start <= longestLook && source.read(start, end - start).every((byte) => byte === 0);
}
