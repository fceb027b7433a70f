import type { FileRange, Section, Segment, Table } from "../image.js";
import { flagNames, sectionAttributes, sectionTypeName, segmentFlags } from "./constants.js";
import { holdsCode, isZeroFill, type MachOFile } from "./macho-file.js";
import type { MachSection, MachSegment } from "./segments.js";

export function machoSegments(file: MachOFile): Table<Segment> {
  return { items: file.segments.map((segment) => segmentOf(file, segment)), omissions: file.omissions };
}

function segmentOf(file: MachOFile, segment: MachSegment): Segment {
  const { initialProtection: protection } = segment;
  return {
    name: segment.name,
    va: file.va(segment.va),
    virtualSize: segment.virtualSize,
    file: cut(file, segment.fileOffset, BigInt(segment.fileSize)),
    readable: (protection & 1) !== 0,
    writable: (protection & 2) !== 0,
    executable: (protection & 4) !== 0,
    flags: flagNames(segment.flags, segmentFlags),
  };
}

/** Names are the section's own; `segment` tells apart sections of one name. */
export function machoSections(file: MachOFile): Table<Section> {
  const items = file.segments.flatMap((segment) => segment.sections.map((section) => sectionOf(file, segment, section)));
  return { items, omissions: file.omissions };
}

function sectionOf(file: MachOFile, segment: MachSegment, section: MachSection): Section {
  const range = isZeroFill(section) ? undefined : cut(file, section.fileOffset, section.size);
  return {
    name: section.name,
    va: file.va(section.va),
    virtualSize: section.size,
    file: range === undefined || range.size === 0 ? undefined : range,
    flags: [sectionTypeName(section.type), ...flagNames(section.flags, sectionAttributes)],
    kind: kindOf(segment, section),
    segment: section.segmentName,
  };
}

function cut(file: MachOFile, offset: number, size: bigint): FileRange {
  const available = Math.max(0, file.reader.size - offset);
  return { offset, size: size > BigInt(available) ? available : Number(size) };
}

function kindOf(segment: MachSegment, section: MachSection): Section["kind"] {
  if (holdsCode(section)) return "code";
  if ((section.flags & 0x02000000) !== 0 || section.segmentName === "__DWARF") return "debug";
  if (isZeroFill(section)) return "bss";
  const name = segment.name === "" ? section.segmentName : segment.name;
  return name === "__TEXT" || name.endsWith("_CONST") || (segment.flags & 0x10) !== 0 ? "rodata" : "data";
}
