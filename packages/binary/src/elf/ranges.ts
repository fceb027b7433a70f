import { address } from "@rea/core";
import type { Findings } from "../findings.js";
import type { FileRange, Section, Segment, Table } from "../image.js";
import type { ElfFile } from "./elf-file.js";
import { elfTypes } from "./file-header.js";
import { programFlagNames, programTypes, type ProgramHeader } from "./program-headers.js";
import { sectionTypes, type SectionHeader } from "./section-headers.js";

const flag = { write: 1n, allocated: 2n, executable: 4n } as const;

/** The part of a declared range that the file has. */
export function insideFile(file: ElfFile, offset: number, size: number): FileRange {
  const start = Math.min(offset, file.reader.size);
  return { offset: start, size: Math.max(0, Math.min(size, file.reader.size - start)) };
}

/** PT_LOAD entries in table order, named `LOAD0`, `LOAD1`, … */
export function segmentTable(file: ElfFile): Table<Segment> {
  const findings: Findings = file.programFindings;
  const loads = file.programs.filter((program) => program.type === programTypes.load);
  const items = loads.map((program, index): Segment => {
    const range = insideFile(file, program.offset, program.fileSize);
    if (range.size < program.fileSize) {
      findings.malformed("segments", program.offset, "a segment's content reaches past the file");
    }
    return {
      name: `LOAD${String(index)}`,
      va: address(program.va),
      virtualSize: program.memorySize,
      file: range,
      readable: (program.flags & 4) !== 0,
      writable: (program.flags & 2) !== 0,
      executable: (program.flags & 1) !== 0,
      flags: programFlagNames(program.flags),
    };
  });
  return { items, omissions: findings.list() };
}

/** Section headers without entry 0; addresses only for sections that are in memory. */
export function sectionTable(file: ElfFile): Table<Section> {
  const findings = file.sectionFindings;
  const loads = file.programs.filter((program) => program.type === programTypes.load);
  const segmentOf = segmentFinder(loads);
  const items = file.sections.slice(1).map((section): Section => {
    const backed = section.type !== sectionTypes.noBits && section.type !== sectionTypes.nothing;
    const range = backed ? insideFile(file, section.offset, section.size) : undefined;
    if (range !== undefined && range.size < section.size) {
      findings.malformed("sections", section.headerOffset, "a section's content reaches past the file");
    }
    return {
      name: section.name,
      va: (section.flags & flag.allocated) === 0n ? undefined : address(section.va),
      virtualSize: section.virtualSize,
      file: range,
      flags: sectionFlagNames(section.flags),
      kind: sectionKind(section),
      segment: file.header.type === elfTypes.relocatable ? undefined : segmentOf(section),
    };
  });
  return { items, omissions: findings.list() };
}

/** Segment names by section; a table with very many segments is not searched for each section. */
function segmentFinder(loads: readonly ProgramHeader[]): (section: SectionHeader) => string | undefined {
  const searched = loads.slice(0, 64);
  return (section) => {
    if ((section.flags & flag.allocated) === 0n) return undefined;
    const index = searched.findIndex(
      (load) => section.va >= load.va && section.va + section.virtualSize <= load.va + load.memorySize,
    );
    return index < 0 ? undefined : `LOAD${String(index)}`;
  };
}

const metadataTypes: ReadonlySet<number> = new Set([
  sectionTypes.symbols,
  sectionTypes.strings,
  sectionTypes.rela,
  sectionTypes.rel,
  sectionTypes.relr,
  sectionTypes.androidRel,
  sectionTypes.androidRela,
  sectionTypes.androidRelr,
  sectionTypes.hash,
  sectionTypes.gnuHash,
  sectionTypes.dynamic,
  sectionTypes.note,
  sectionTypes.dynamicSymbols,
  sectionTypes.group,
  sectionTypes.symbolIndexes,
  sectionTypes.versionDefinitions,
  sectionTypes.versionNeeds,
  sectionTypes.versionSymbols,
  sectionTypes.armExidx,
]);

const metadataName = /^\.(eh_frame|eh_frame_hdr|gcc_except_table|ARM\.ex(idx|tab)|comment|gnu_debuglink)(\.|$)/;

function sectionKind(section: SectionHeader): Section["kind"] {
  if (/^\.z?debug|^\.stab|^\.gnu_debugdata$/.test(section.name)) return "debug";
  if (metadataTypes.has(section.type) || metadataName.test(section.name)) return "metadata";
  if ((section.flags & flag.allocated) === 0n) return "other";
  if ((section.flags & flag.executable) !== 0n) return "code";
  if (section.type === sectionTypes.noBits) return "bss";
  return (section.flags & flag.write) === 0n ? "rodata" : "data";
}

const flagNames: readonly (readonly [bigint, string])[] = [
  [1n, "SHF_WRITE"],
  [2n, "SHF_ALLOC"],
  [4n, "SHF_EXECINSTR"],
  [0x10n, "SHF_MERGE"],
  [0x20n, "SHF_STRINGS"],
  [0x40n, "SHF_INFO_LINK"],
  [0x80n, "SHF_LINK_ORDER"],
  [0x100n, "SHF_OS_NONCONFORMING"],
  [0x200n, "SHF_GROUP"],
  [0x400n, "SHF_TLS"],
  [0x800n, "SHF_COMPRESSED"],
  [0x200000n, "SHF_GNU_RETAIN"],
  [0x80000000n, "SHF_EXCLUDE"],
];

function sectionFlagNames(flags: bigint): string[] {
  const names = flagNames.filter(([bit]) => (flags & bit) !== 0n).map(([, name]) => name);
  const rest = flagNames.reduce((left, [bit]) => left & ~bit, flags);
  return rest === 0n ? names : [...names, `0x${rest.toString(16)}`];
}
