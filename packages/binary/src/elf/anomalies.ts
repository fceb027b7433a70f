import type { Findings } from "../findings.js";
import type { Anomaly, Table } from "../image.js";
import type { DynamicInfo } from "./dynamic.js";
import type { ElfFile } from "./elf-file.js";
import { elfTypes } from "./file-header.js";
import { programTypes, type ProgramHeader } from "./program-headers.js";
import { sectionTypes, type SectionHeader } from "./section-headers.js";

const maximumAnomalies = 200;

/** Contradictions between headers, and between headers and file. */
export function anomalyTable(file: ElfFile, dynamic: DynamicInfo, findings: Findings): Table<Anomaly> {
  const all = [
    ...headerAnomalies(file),
    ...segmentAnomalies(file),
    ...sectionAnomalies(file),
    ...dynamicAnomalies(file, dynamic),
    ...entryAnomalies(file),
  ];
  if (all.length > maximumAnomalies) findings.limited("anomalies", "limit_items", all.length - maximumAnomalies, maximumAnomalies);
  return { items: all.slice(0, maximumAnomalies), omissions: findings.list() };
}

function anomaly(kind: string, detail: string, offset?: number): Anomaly {
  return { kind, detail, offset };
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function headerAnomalies(file: ElfFile): readonly Anomaly[] {
  const { header } = file;
  const found: Anomaly[] = [];
  if (header.size !== (header.bits === 64 ? 64 : 52)) found.push(anomaly("header_size", `e_ehsize is ${String(header.size)}.`, 0));
  if (file.programs.length < header.programs.count) {
    found.push(anomaly("program_headers_beyond_file", `${String(header.programs.count)} program headers are declared, ${String(file.programs.length)} are readable.`, header.programs.offset));
  }
  if (file.sections.length < header.sections.count) {
    found.push(anomaly("section_headers_beyond_file", `${String(header.sections.count)} section headers are declared, ${String(file.sections.length)} are readable.`, header.sections.offset));
  }
  if (file.sections.length === 0 && header.type !== elfTypes.core) found.push(anomaly("no_section_headers", "The file has no section headers."));
  return found;
}

function segmentAnomalies(file: ElfFile): readonly Anomaly[] {
  const found: Anomaly[] = [];
  const loads = file.programs.filter((program) => program.type === programTypes.load);
  for (const program of file.programs) {
    const where = `Program header ${String(program.index)}`;
    if (program.fileSize > 0 && program.offset + program.fileSize > file.reader.size) {
      found.push(anomaly("segment_beyond_file", `${where} ends at ${hex(program.offset + program.fileSize)}, past the file (${hex(file.reader.size)}).`, program.offset));
    }
    if (program.type !== programTypes.load) continue;
    if (BigInt(program.fileSize) > program.memorySize) found.push(anomaly("segment_larger_in_file", `${where} has more bytes in the file than in memory.`, program.offset));
    if ((program.flags & 3) === 3) found.push(anomaly("writable_and_executable", `${where} is writable and executable.`, program.offset));
    if (program.align > 1n && (program.va - BigInt(program.offset)) % program.align !== 0n) {
      found.push(anomaly("misaligned_segment", `${where}: address and file offset differ modulo the alignment.`, program.offset));
    }
  }
  return [...found, ...overlappingSegments(loads)];
}

function overlappingSegments(loads: readonly ProgramHeader[]): readonly Anomaly[] {
  const sorted = [...loads].sort((left, right) => (left.va < right.va ? -1 : left.va > right.va ? 1 : 0));
  const found: Anomaly[] = [];
  let last: ProgramHeader | undefined;
  for (const load of sorted) {
    if (last !== undefined && load.va < last.va + last.memorySize) {
      found.push(anomaly("overlapping_segments", `Program headers ${String(last.index)} and ${String(load.index)} overlap in memory.`, load.offset));
    }
    if (last === undefined || load.va + load.memorySize > last.va + last.memorySize) last = load;
  }
  return found;
}

function sectionAnomalies(file: ElfFile): readonly Anomaly[] {
  const found: Anomaly[] = [];
  const backed = file.sections.filter(
    (section) => section.type !== sectionTypes.noBits && section.type !== sectionTypes.nothing && section.size > 0,
  );
  for (const section of backed) {
    if (section.offset + section.size > file.reader.size) {
      found.push(anomaly("section_beyond_file", `Section ${String(section.index)} ends at ${hex(section.offset + section.size)}, past the file (${hex(file.reader.size)}).`, section.headerOffset));
    }
  }
  return [...found, ...overlappingSections(backed), ...disagreements(file, backed)];
}

function overlappingSections(backed: readonly SectionHeader[]): readonly Anomaly[] {
  const sorted = [...backed].sort((left, right) => left.offset - right.offset);
  const found: Anomaly[] = [];
  let last: SectionHeader | undefined;
  for (const section of sorted) {
    if (last !== undefined && section.offset < last.offset + last.size) {
      found.push(anomaly("overlapping_sections", `Sections ${String(last.index)} and ${String(section.index)} overlap in the file.`, section.headerOffset));
    }
    if (last === undefined || section.offset + section.size > last.offset + last.size) last = section;
  }
  return found;
}

/** An allocated section must stand in the file where the segment that maps its address has it. */
function disagreements(file: ElfFile, backed: readonly SectionHeader[]): readonly Anomaly[] {
  if (file.programs.length === 0) return [];
  return backed.flatMap((section) => {
    if ((section.flags & 2n) === 0n) return [];
    const mapped = file.map.at(section.va);
    if (mapped?.offset === section.offset) return [];
    const detail =
      mapped === undefined
        ? `Section ${String(section.index)} is marked loaded, but no segment maps its address.`
        : `Section ${String(section.index)} is at ${hex(section.offset)} by its header and at ${hex(mapped.offset)} by the segments.`;
    return [anomaly("section_segment_disagreement", detail, section.headerOffset)];
  });
}

function dynamicAnomalies(file: ElfFile, dynamic: DynamicInfo): readonly Anomaly[] {
  const found: Anomaly[] = [];
  const counted = (type: number): number => file.programs.filter((program) => program.type === type).length;
  if (counted(programTypes.dynamic) > 1) found.push(anomaly("duplicate_table", "More than one PT_DYNAMIC header is present."));
  if (counted(programTypes.interpreter) > 1) found.push(anomaly("duplicate_table", "More than one PT_INTERP header is present."));
  const tables = file.sections.filter((section) => section.type === sectionTypes.symbols).length;
  if (tables > 1) found.push(anomaly("duplicate_table", `${String(tables)} static symbol tables are present.`));
  const program = file.programs.find((entry) => entry.type === programTypes.dynamic);
  const section = file.sections.find((entry) => entry.type === sectionTypes.dynamic);
  if (program !== undefined && section !== undefined && program.offset !== section.offset) {
    found.push(anomaly("dynamic_in_two_places", `PT_DYNAMIC is at ${hex(program.offset)}, the dynamic section at ${hex(section.offset)}.`, section.headerOffset));
  }
  if (dynamic.value(22) !== undefined) found.push(anomaly("text_relocations", "DT_TEXTREL: the loader writes into code."));
  return found;
}

function entryAnomalies(file: ElfFile): readonly Anomaly[] {
  const { header } = file;
  const linked = header.type === elfTypes.executable || header.type === elfTypes.dynamic;
  if (!linked || header.entry === 0n) return [];
  const holder = file.programs.find(
    (program) => program.type === programTypes.load && header.entry >= program.va && header.entry < program.va + program.memorySize,
  );
  if (holder === undefined) return [anomaly("entry_outside_segments", `The entry point ${hex(header.entry)} lies in no segment.`)];
  return (holder.flags & 1) === 0 ? [anomaly("entry_not_executable", `The entry point ${hex(header.entry)} lies in a segment without PF_X.`)] : [];
}
