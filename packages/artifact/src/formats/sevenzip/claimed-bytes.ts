import { crc32 } from "node:zlib";
import type { ByteSource } from "@rea/core";
import { Extents } from "../../reading/extents.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { startBytes, type SignatureHeader } from "./signature-header.js";
import type { Streams } from "./streams.js";

const crcPiece = 1 << 20;

/** Which bytes the structures of an archive lay claim to; tells of gaps, overlaps and bytes behind the archive. */
export class ClaimedBytes {
  readonly #extents = new Extents();
  readonly #start: number;
  readonly #findings: FindingReport;

  constructor(start: number, findings: FindingReport) {
    this.#start = start;
    this.#findings = findings;
    this.add(start, startBytes);
  }

  add(offset: number, length: number): void {
    if (length > 0) this.#extents.add(offset, offset + length, -1);
  }

  /** Packed streams lie one after another. */
  addStreams(streams: Streams): void {
    const total = streams.packSizes.reduce((sum, size) => sum + size, 0);
    if (Number.isSafeInteger(total) && Number.isSafeInteger(streams.packOffset)) this.add(this.#start + startBytes + streams.packOffset, total);
  }

  /** Whether the declared CRC-32 of the list of members holds. */
  listIntact(source: ByteSource, { nextOffset, nextBytes, nextCrc }: SignatureHeader): boolean {
    const offset = this.#start + startBytes + nextOffset;
    let crc = 0;
    for (let at = 0; at < nextBytes; at += crcPiece) crc = crc32(source.read(offset + at, Math.min(crcPiece, nextBytes - at)), crc);
    return crc === nextCrc;
  }

  report(size: number): void {
    let reached = this.#start;
    for (const { start, end } of this.#extents.sorted()) {
      if (start > reached) this.#gap(reached, start);
      if (start < reached) this.#overlap(start, Math.min(end, reached));
      reached = Math.max(reached, end);
    }
    if (reached < size) {
      const detail = `${String(size - reached)} bytes stand behind the archive.`;
      this.#findings.add({ anomaly: "trailing_data", offset: reached, detail, effect: "No reader of the archive shows these bytes." });
    }
  }

  #gap(start: number, end: number): void {
    const detail = `${String(end - start)} bytes belong neither to packed data nor to the list of members.`;
    this.#findings.add({ anomaly: "gap", offset: start, detail, effect: "No reader of the archive shows these bytes." });
  }

  #overlap(start: number, end: number): void {
    const detail = `Bytes ${String(start)} to ${String(end)} belong to more than one structure of the archive.`;
    this.#findings.add({ anomaly: "overlap", offset: start, detail, effect: "The same bytes are read as data and as structure; writers never do this." });
  }
}
