import { address } from "@rea/core";
import { CallFrameReader, omittedPointer, readCallFrames, readFrameAt, readPointer, type Cursor, type PointerBases } from "../dwarf/index.js";
import type { Findings } from "../findings.js";
import type { Table, UnwindRange } from "../image.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import type { ElfFile } from "./elf-file.js";
import { elfTypes, fileNumber } from "./file-header.js";
import { em } from "./machines.js";
import { programTypes } from "./program-headers.js";
import { insideFile } from "./ranges.js";
import { sectionTypes, type SectionHeader } from "./section-headers.js";

const scope = "unwind ranges";
const compressed = 0x800n;
/** A linker makes one of a name; a hostile file could name the same bytes a million times. */
const maximumSections = 16;

/**
 * Frame descriptions of `.eh_frame` and `.debug_frame`, and the function starts of the Arm index. Without sections
 * the search table of PT_GNU_EH_FRAME leads to the frames. A relocatable file has no addresses yet, hence no ranges.
 */
export function unwindTable(file: ElfFile, dynamic: DynamicInfo, findings: Findings): Table<UnwindRange> {
  if (file.header.type === elfTypes.relocatable) {
    findings.note(scope, "unsupported_format", "Link the object: its frame descriptions hold no addresses before.");
    return { items: [], omissions: findings.list() };
  }
  const named = (name: string): readonly SectionHeader[] => {
    const all = file.sections.filter((section) => section.name === name && section.type !== sectionTypes.noBits);
    if (all.length > maximumSections) findings.limited(scope, "limit_items", all.length - maximumSections, maximumSections);
    return all.slice(0, maximumSections);
  };
  const dataBase = dynamic.value(dt.pltGot) ?? 0n;
  const framed = named(".eh_frame");
  const items = [
    ...framed.flatMap((section) => sectionFrames(file, section, { kind: "eh_frame", dataBase }, findings)),
    ...(framed.length === 0 ? indexedFrames(file, findings) : []),
    ...named(".debug_frame").flatMap((section) => sectionFrames(file, section, { kind: "debug_frame", dataBase }, findings)),
    ...(file.header.machine === em.arm ? armIndex(file, findings) : []),
  ];
  return { items, omissions: findings.list() };
}

function sectionFrames(
  file: ElfFile,
  section: SectionHeader,
  { kind, dataBase }: { readonly kind: "eh_frame" | "debug_frame"; readonly dataBase: bigint },
  findings: Findings,
): readonly UnwindRange[] {
  if ((section.flags & compressed) !== 0n) {
    findings.note(scope, "unsupported_method", "Decompress the debug sections of the file first.");
    return [];
  }
  const range = insideFile(file, section.offset, section.size);
  if (range.size < section.size) findings.malformed(scope, section.headerOffset, "a section reaches past the file");
  return readCallFrames({ reader: file.reader, kind, ...range, va: section.va, bits: file.header.bits, dataBase }, findings);
}

/** `.eh_frame_hdr` (LSB: "The .eh_frame_hdr section"): a sorted table of function and frame-description addresses. */
function indexedFrames(file: ElfFile, findings: Findings): readonly UnwindRange[] {
  const program = file.programs.find((entry) => entry.type === programTypes.ehFrame);
  if (program === undefined) return [];
  const range = insideFile(file, program.offset, program.fileSize);
  const cursor: Cursor = { reader: file.reader, at: range.offset + 4, end: range.offset + range.size };
  const bases: PointerBases = {
    vaOf: (offset) => program.va + BigInt(offset - program.offset),
    bits: file.header.bits,
    text: 0n,
    data: program.va,
  };
  return findings.attempt(scope, program.offset, () => framesOfIndex(file, cursor, bases, findings)) ?? [];
}

function framesOfIndex(file: ElfFile, cursor: Cursor, bases: PointerBases, findings: Findings): readonly UnwindRange[] {
  const { reader } = file;
  const [frameEncoding, countEncoding, tableEncoding] = [1, 2, 3].map((at) => reader.u8(cursor.at - 4 + at));
  const frames = readPointer(cursor, frameEncoding ?? omittedPointer, bases);
  const place = file.map.at(frames);
  if (place === undefined) return [];
  const section = { reader, kind: "eh_frame" as const, ...place, va: frames, bits: file.header.bits };
  if (countEncoding === undefined || tableEncoding === undefined || countEncoding === omittedPointer || tableEncoding === omittedPointer) {
    return readCallFrames({ ...section, size: terminated(file, place.offset, place.size) }, findings);
  }
  const count = fileNumber(readPointer(cursor, countEncoding, bases));
  const table = { cursor, count, encoding: tableEncoding, bases };
  return framesOfTable(file, table, new CallFrameReader(section), findings);
}

function framesOfTable(
  file: ElfFile,
  table: { readonly cursor: Cursor; readonly count: number; readonly encoding: number; readonly bases: PointerBases },
  frames: CallFrameReader,
  findings: Findings,
): readonly UnwindRange[] {
  const found: UnwindRange[] = [];
  const { cursor } = table;
  for (let index = 0; index < table.count; index += 1) {
    const at = cursor.at;
    const target = findings.attempt(scope, at, () => {
      readPointer(cursor, table.encoding, table.bases);
      return readPointer(cursor, table.encoding, table.bases);
    });
    if (target === undefined) return found;
    const place = file.map.at(target);
    const range = place === undefined ? undefined : readFrameAt(frames, place.offset, findings);
    if (range !== undefined) found.push(range);
  }
  return found;
}

/** Size up to the zero length that ends the frames. */
function terminated(file: ElfFile, offset: number, size: number): number {
  let at = 0;
  while (at + 4 <= size) {
    const length = file.reader.u32(offset + at);
    if (length === 0 || length === 0xffffffff || at + 4 + length > size) return at;
    at += 4 + length;
  }
  return at;
}

/** Exception index (EHABI32 §6): pairs of words, the first a 31-bit offset from itself to a function. */
function armIndex(file: ElfFile, findings: Findings): readonly UnwindRange[] {
  const program = file.programs.find((entry) => entry.type === programTypes.armExidx);
  if (program === undefined) return [];
  const range = insideFile(file, program.offset, program.fileSize);
  if (range.size < program.fileSize) findings.malformed(scope, program.offset, "the exception index reaches past the file");
  const found: UnwindRange[] = [];
  for (let at = 0; at + 8 <= range.size; at += 8) {
    const offset = BigInt.asIntN(31, BigInt(file.reader.u32(range.offset + at)));
    const start = BigInt.asUintN(32, program.va + BigInt(at) + offset);
    found.push({ start: address(start), end: undefined, source: "arm-exidx", primary: undefined, lsda: undefined });
  }
  return found;
}
