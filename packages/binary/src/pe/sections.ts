import type { Section, Segment, Table } from "../image.js";
import { flagNames, hasFlag, sectionCharacteristics } from "./constants.js";
import type { PeFile } from "./pe-file.js";
import type { PeSection } from "./section-table.js";

const code = 0x20;
const uninitialised = 0x80;
const execute = 0x20000000;
const read = 0x40000000;
const write = 0x80000000;

/** Bit 31 makes JavaScript's `&` negative, so this compares with zero instead of taking the value. */
const has = (section: PeSection, bit: number): boolean => hasFlag(section.characteristics, bit);

/** The mapped header page(s) followed by every section: PE has no segments of its own. */
export function peSegments(file: PeFile): Table<Segment> {
  const { headers } = file;
  const header: Segment = {
    name: "Headers",
    va: file.va(0),
    virtualSize: BigInt(headers.sizeOfHeaders),
    file: { offset: 0, size: Math.min(headers.sizeOfHeaders, file.reader.size) },
    readable: true,
    writable: false,
    executable: false,
    flags: [],
  };
  return { items: [header, ...file.sections.map((section) => segmentOf(file, section))], omissions: file.sectionOmissions };
}

function segmentOf(file: PeFile, section: PeSection): Segment {
  return {
    name: section.name,
    va: file.va(section.rva),
    virtualSize: BigInt(section.virtualSize),
    file: { offset: section.fileOffset, size: Math.min(section.backedSize, section.virtualSize) },
    readable: has(section, read),
    writable: has(section, write),
    executable: has(section, execute),
    flags: flagNames(section.characteristics, sectionCharacteristics),
  };
}

/** File ranges are the declared raw data, cut at the end of the file. */
export function peSections(file: PeFile): Table<Section> {
  return { items: file.sections.map((section) => sectionOf(file, section)), omissions: file.sectionOmissions };
}

function sectionOf(file: PeFile, section: PeSection): Section {
  const size = Math.max(0, Math.min(section.rawSize, file.reader.size - section.fileOffset));
  return {
    name: section.name,
    va: file.va(section.rva),
    virtualSize: BigInt(section.virtualSize),
    file: !section.stored || size === 0 ? undefined : { offset: section.fileOffset, size },
    flags: flagNames(section.characteristics, sectionCharacteristics),
    kind: kindOf(section),
    segment: section.name,
  };
}

function kindOf(section: PeSection): Section["kind"] {
  if (has(section, execute) || has(section, code)) return "code";
  if (/^\.z?debug/.test(section.name)) return "debug";
  if (section.name === ".reloc") return "metadata";
  if (has(section, uninitialised) && section.backedSize === 0) return "bss";
  return has(section, write) ? "data" : "rodata";
}

/** True when the section at this RVA may run. */
export function isExecutableRva(file: PeFile, rva: number): boolean {
  const section = file.sectionAt(rva);
  return section !== undefined && has(section, execute);
}
