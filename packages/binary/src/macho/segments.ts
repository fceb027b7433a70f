import { type ByteReader } from "@rea/core";

import type { Findings } from "../findings.js";
import { fixedName } from "../string-pool.js";
import { command } from "./command-names.js";
import { commandRange, type LoadCommand } from "./load-commands.js";

/** A section with its number as symbols count it (from 1, over all segments). */
export interface MachSection {
  readonly number: number;
  readonly name: string;
  readonly segmentName: string;
  readonly va: bigint;
  readonly size: bigint;
  readonly fileOffset: number;
  readonly relocationOffset: number;
  readonly relocationCount: number;
  /** Low byte of the flags. */
  readonly type: number;
  readonly flags: number;
  readonly reserved1: number;
  readonly reserved2: number;
  readonly headerOffset: number;
}

export interface MachSegment {
  readonly name: string;
  readonly va: bigint;
  readonly virtualSize: bigint;
  readonly fileOffset: number;
  readonly fileSize: number;
  readonly maximumProtection: number;
  readonly initialProtection: number;
  readonly flags: number;
  readonly sections: readonly MachSection[];
  readonly headerOffset: number;
}

/** Reads `LC_SEGMENT` and `LC_SEGMENT_64` in order; a damaged one is left out, a damaged section table cut. */
export function readSegments(reader: ByteReader, commands: readonly LoadCommand[], findings: Findings): readonly MachSegment[] {
  const segments: MachSegment[] = [];
  let sections = 0;
  for (const item of commands) {
    if (item.kind !== command.segment && item.kind !== command.segment64) continue;
    const segment = findings.attempt("segments", item.offset, () => readSegment(reader, item, sections, findings));
    if (segment === undefined) continue;
    sections += segment.sections.length;
    if (segment.fileSize > 0 && segment.fileOffset + segment.fileSize > reader.size) {
      findings.malformed("segments", item.offset, "the data of a segment reaches past the end of the file");
    }
    segments.push(segment);
  }
  return segments;
}

function readSegment(reader: ByteReader, item: LoadCommand, sectionsBefore: number, findings: Findings): MachSegment {
  const wide = item.kind === command.segment64;
  const headerSize = wide ? 72 : 56;
  commandRange(item, 0, headerSize);
  const at = item.offset;
  const pointer = wide ? 8 : 4;
  const word = (index: number): bigint => (wide ? reader.u64(at + 24 + index * 8) : BigInt(reader.u32(at + 24 + index * 4)));
  const tail = at + 24 + pointer * 4;
  const name = fixedName(reader.bytes(at + 8, 16));
  const sectionSize = wide ? 80 : 68;
  const declared = reader.u32(tail + 8);
  const count = Math.min(declared, Math.floor((item.size - headerSize) / sectionSize));
  if (count < declared) findings.malformed("sections", tail + 8, "a segment declares more sections than its command holds");
  const sections = Array.from({ length: count }, (_, index) =>
    readSection(reader, at + headerSize + index * sectionSize, wide, sectionsBefore + index + 1),
  );
  return {
    name,
    va: word(0),
    virtualSize: word(1),
    fileOffset: safeNumber(word(2)),
    fileSize: safeNumber(word(3)),
    maximumProtection: reader.u32(tail),
    initialProtection: reader.u32(tail + 4),
    flags: reader.u32(tail + 12),
    sections,
    headerOffset: at,
  };
}

function readSection(reader: ByteReader, at: number, wide: boolean, number: number): MachSection {
  const tail = at + (wide ? 48 : 40);
  const flags = reader.u32(tail + 16);
  return {
    number,
    name: fixedName(reader.bytes(at, 16)),
    segmentName: fixedName(reader.bytes(at + 16, 16)),
    va: wide ? reader.u64(at + 32) : BigInt(reader.u32(at + 32)),
    size: wide ? reader.u64(at + 40) : BigInt(reader.u32(at + 36)),
    fileOffset: reader.u32(tail),
    relocationOffset: reader.u32(tail + 8),
    relocationCount: reader.u32(tail + 12),
    type: flags & 0xff,
    flags,
    reserved1: reader.u32(tail + 20),
    reserved2: reader.u32(tail + 24),
    headerOffset: at,
  };
}

/** Offsets and sizes beyond 2^53 cannot be inside any file; they stay out of it as the largest safe number. */
function safeNumber(value: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > largest ? largest : value);
}
