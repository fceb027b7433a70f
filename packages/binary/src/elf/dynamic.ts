import type { Findings } from "../findings.js";
import type { FileRange } from "../image.js";
import { readWord, type ElfFile } from "./elf-file.js";
import { fileNumber } from "./file-header.js";
import { programTypes } from "./program-headers.js";
import { sectionTypes } from "./section-headers.js";
import { StringTable } from "./string-table.js";

/** Tags of the dynamic array used here (gABI: "Dynamic Section"; GNU and Android additions). */
export const dt = {
  needed: 1,
  pltRelSize: 2,
  pltGot: 3,
  hash: 4,
  strings: 5,
  symbols: 6,
  rela: 7,
  relaSize: 8,
  relaEntry: 9,
  stringsSize: 10,
  symbolEntry: 11,
  init: 12,
  fini: 13,
  ownName: 14,
  rpath: 15,
  rel: 17,
  relSize: 18,
  relEntry: 19,
  pltRel: 20,
  textRel: 22,
  jumpRel: 23,
  bindNow: 24,
  initArray: 25,
  finiArray: 26,
  initArraySize: 27,
  finiArraySize: 28,
  runPath: 29,
  flags: 30,
  preinitArray: 32,
  preinitArraySize: 33,
  relrSize: 35,
  relr: 36,
  androidRel: 0x6000000f,
  androidRelSize: 0x60000010,
  androidRela: 0x60000011,
  androidRelaSize: 0x60000012,
  androidRelr: 0x6fffe000,
  androidRelrSize: 0x6fffe001,
  gnuHash: 0x6ffffef5,
  versionSymbols: 0x6ffffff0,
  flags1: 0x6ffffffb,
  versionDefinitions: 0x6ffffffc,
  versionDefinitionCount: 0x6ffffffd,
  versionNeeds: 0x6ffffffe,
  versionNeedCount: 0x6fffffff,
  mipsLocalGotCount: 0x7000000a,
  mipsGotSymbol: 0x70000013,
  auxiliary: 0x7ffffffd,
  filter: 0x7fffffff,
} as const;

const maximumEntries = 1 << 16;

export interface DynamicEntry {
  readonly tag: number;
  readonly value: bigint;
  readonly offset: number;
}

/** The dynamic array as the loader finds it. */
export interface DynamicInfo {
  readonly present: boolean;
  readonly entries: readonly DynamicEntry[];
  /** Value of the last entry with the tag. */
  value(tag: number): bigint | undefined;
  /** File range of the table an address tag points at; `size` is the room left in its segment. */
  place(tag: number): FileRange | undefined;
  readonly strings: StringTable;
}

/** Reads PT_DYNAMIC, or the SHT_DYNAMIC section where no program header names one. */
export function readDynamic(file: ElfFile, findings: Findings): DynamicInfo {
  const range = dynamicRange(file);
  const entries = range === undefined ? [] : readEntries(file, range, findings);
  const values = new Map(entries.map((entry) => [entry.tag, entry.value]));
  const place = (tag: number): FileRange | undefined => {
    const va = values.get(tag);
    return va === undefined ? undefined : file.map.at(va);
  };
  const strings = place(dt.strings);
  const stringsSize = fileNumber(values.get(dt.stringsSize) ?? 0n);
  if (strings !== undefined && stringsSize > strings.size) {
    findings.malformed("dynamic strings", strings.offset, "the declared size reaches past the segment");
  }
  return {
    present: range !== undefined,
    entries,
    value: (tag) => values.get(tag),
    place,
    strings: new StringTable(file.reader, strings?.offset ?? 0, Math.min(strings?.size ?? 0, stringsSize)),
  };
}

function dynamicRange(file: ElfFile): FileRange | undefined {
  const program = file.programs.find((entry) => entry.type === programTypes.dynamic);
  if (program !== undefined && program.fileSize > 0) return { offset: program.offset, size: program.fileSize };
  const section = file.sections.find((entry) => entry.type === sectionTypes.dynamic);
  return section === undefined ? undefined : { offset: section.offset, size: section.size };
}

function readEntries(file: ElfFile, range: FileRange, findings: Findings): readonly DynamicEntry[] {
  const width = file.header.bits === 64 ? 16 : 8;
  const available = Math.max(0, Math.min(range.size, file.reader.size - range.offset));
  if (available < range.size) findings.malformed("dynamic entries", range.offset, "the array reaches past the file");
  const entries: DynamicEntry[] = [];
  for (let at = 0; at + width <= available && entries.length < maximumEntries; at += width) {
    const offset = range.offset + at;
    const tag = fileNumber(readWord(file, offset));
    if (tag === 0) return entries;
    entries.push({ tag, value: readWord(file, offset + width / 2), offset });
  }
  findings.malformed("dynamic entries", range.offset + available, "the array has no terminating entry");
  return entries;
}
