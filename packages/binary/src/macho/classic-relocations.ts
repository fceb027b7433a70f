import type { Findings } from "../findings.js";
import type { Relocation } from "../image.js";
import { command } from "./command-names.js";
import { fileTypes } from "./constants.js";
import { commandU32 } from "./load-commands.js";
import { placeName, type MachOFile } from "./macho-file.js";
import type { MachSegment } from "./segments.js";
import type { SymbolTable } from "./symbols.js";

interface RelocationRun {
  readonly offset: number;
  readonly count: number;
  /** Address that the entries count from. */
  readonly base: bigint;
  /** Section of the entries where they belong to one. */
  readonly section: string | undefined;
}

/** `mach-o/reloc.h`: relocations of sections (objects) and of `LC_DYSYMTAB` (kernel extensions and old images). */
export function readClassicRelocations(file: MachOFile, table: SymbolTable, findings: Findings): readonly Relocation[] {
  const items: Relocation[] = [];
  // Each entry has its own eight bytes, so this ends runs that overlap.
  const most = Math.floor(file.reader.size / 8);
  for (const run of [...sectionRuns(file), ...dysymtabRuns(file, findings)]) {
    readRun(file, run, { table, findings, items, most });
  }
  return items;
}

function sectionRuns(file: MachOFile): readonly RelocationRun[] {
  if (file.header.fileType !== fileTypes.object) return [];
  return file.sections.map((section) => ({
    offset: section.relocationOffset,
    count: section.relocationCount,
    base: section.va,
    section: `${section.segmentName},${section.name}`,
  }));
}

function dysymtabRuns(file: MachOFile, findings: Findings): readonly RelocationRun[] {
  const item = file.command(command.dysymtab);
  if (item === undefined || file.header.fileType === fileTypes.object) return [];
  const base = relocationBase(file);
  const run = (field: number): RelocationRun => ({
    offset: commandU32(file.reader, item, field),
    count: commandU32(file.reader, item, field + 4),
    base,
    section: undefined,
  });
  return findings.attempt("relocations", item.offset, () => [run(64), run(72)]) ?? [];
}

/** Entries of linked images count from the first segment, on x86-64 from the first writable one. */
function relocationBase(file: MachOFile): bigint {
  const writable = (segment: MachSegment): boolean => (segment.initialProtection & 2) !== 0;
  const first = file.architecture === "x86_64" ? file.segments.find(writable) : file.segments[0];
  return first?.va ?? 0n;
}

interface RelocationReading {
  readonly table: SymbolTable;
  readonly findings: Findings;
  readonly items: Relocation[];
  readonly most: number;
}

function readRun(file: MachOFile, run: RelocationRun, { table, findings, items, most }: RelocationReading): void {
  const count = Math.min(run.count, Math.floor(Math.max(0, file.reader.size - run.offset) / 8), most - items.length);
  if (count < run.count) findings.malformed("relocations", run.offset, "the relocations do not fit into the file");
  for (let index = 0; index < count; index += 1) items.push(readEntry(file, run, run.offset + index * 8, table));
}

function readEntry(file: MachOFile, run: RelocationRun, offset: number, table: SymbolTable): Relocation {
  const first = file.reader.u32(offset);
  const second = file.reader.u32(offset + 4);
  const scattered = (first & 0x80000000) !== 0 && !file.header.wide;
  const little = file.header.endian === "little";
  const type = scattered ? (first >>> 24) & 0xf : little ? second >>> 28 : second & 0xf;
  const external = !scattered && (little ? (second >>> 27) & 1 : (second >>> 4) & 1) === 1;
  const number = little ? second & 0xffffff : second >>> 8;
  const va = file.va(run.base + BigInt(scattered ? first & 0xffffff : first));
  return {
    va,
    type: typeName(file, type),
    section: run.section ?? placeName(file, va),
    symbol: external ? table.items[number]?.name : undefined,
    target: scattered ? file.va(BigInt(second)) : undefined,
    addend: undefined,
  };
}

const x86: readonly string[] = ["VANILLA", "PAIR", "SECTDIFF", "PB_LA_PTR", "LOCAL_SECTDIFF", "TLV"].map((name) => `GENERIC_RELOC_${name}`);
const typeNames: Readonly<Record<string, readonly string[]>> = {
  x86,
  x86_64: ["UNSIGNED", "SIGNED", "BRANCH", "GOT_LOAD", "GOT", "SUBTRACTOR", "SIGNED_1", "SIGNED_2", "SIGNED_4", "TLV"].map((name) => `X86_64_RELOC_${name}`),
  arm: ["VANILLA", "PAIR", "SECTDIFF", "LOCAL_SECTDIFF", "PB_LA_PTR", "BR24"].map((name) => `ARM_RELOC_${name}`).concat("ARM_THUMB_RELOC_BR22", "ARM_THUMB_32BIT_BRANCH", "ARM_RELOC_HALF", "ARM_RELOC_HALF_SECTDIFF"),
  arm64: [
    "UNSIGNED",
    "SUBTRACTOR",
    "BRANCH26",
    "PAGE21",
    "PAGEOFF12",
    "GOT_LOAD_PAGE21",
    "GOT_LOAD_PAGEOFF12",
    "POINTER_TO_GOT",
    "TLVP_LOAD_PAGE21",
    "TLVP_LOAD_PAGEOFF12",
    "ADDEND",
    "AUTHENTICATED_POINTER",
  ].map((name) => `ARM64_RELOC_${name}`),
};

function typeName(file: MachOFile, type: number): string {
  return typeNames[file.architecture ?? ""]?.[type] ?? `RELOC_${String(type)}`;
}
