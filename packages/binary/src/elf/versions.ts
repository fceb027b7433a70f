import type { Findings } from "../findings.js";
import type { FileRange } from "../image.js";
import { linkedStrings, type ElfFile } from "./elf-file.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import { fileNumber } from "./file-header.js";
import { sectionTypes } from "./section-headers.js";
import type { StringTable } from "./string-table.js";

/** The version a dynamic symbol carries (LSB: "Symbol Versioning"). */
export interface SymbolVersion {
  readonly name: string;
  /** The needed library that defines it; undefined for versions this file defines. */
  readonly library: string | undefined;
  /** A definition that only programs linked against this very version get (`name@VERSION`). */
  readonly hidden: boolean;
}

export interface VersionInfo {
  /** Version of the dynamic symbol with this index; undefined for local, base and unversioned symbols. */
  of(symbolIndex: number): SymbolVersion | undefined;
}

interface Chain extends FileRange {
  readonly count: number;
  readonly strings: StringTable;
  readonly budget: { left: number };
}

interface NamedVersion {
  readonly name: string;
  readonly library: string | undefined;
}

const hiddenBit = 0x8000;
/** Version indexes have 15 bits; needs and definitions add as many heads. */
const maximumVersions = 100_000;

export function readVersions(file: ElfFile, dynamic: DynamicInfo, findings: Findings): VersionInfo {
  const names = new Map<number, NamedVersion>();
  const definitions = chain(file, dynamic, definitionChain);
  const needs = chain(file, dynamic, needChain);
  if (definitions !== undefined) readDefinitions(file, definitions, names, findings);
  if (needs !== undefined) readNeeds(file, needs, names, findings);
  const table = symbolVersions(file, dynamic);
  const known = new Map<number, SymbolVersion | undefined>();
  const versionOf = (raw: number): SymbolVersion | undefined => {
    const version = names.get(raw & ~hiddenBit);
    return version === undefined ? undefined : { ...version, hidden: (raw & hiddenBit) !== 0 };
  };
  return {
    of(symbolIndex) {
      if (table === undefined || (symbolIndex + 1) * 2 > table.size) return undefined;
      const raw = file.reader.u16(table.offset + symbolIndex * 2);
      if (!known.has(raw)) known.set(raw, versionOf(raw));
      return known.get(raw);
    },
  };
}

function symbolVersions(file: ElfFile, dynamic: DynamicInfo): FileRange | undefined {
  const section = file.sections.find((entry) => entry.type === sectionTypes.versionSymbols);
  const place = section ?? dynamic.place(dt.versionSymbols);
  if (place === undefined || place.offset >= file.reader.size) return undefined;
  return { offset: place.offset, size: Math.min(place.size, file.reader.size - place.offset) };
}

const definitionChain = {
  type: sectionTypes.versionDefinitions,
  tag: dt.versionDefinitions,
  countTag: dt.versionDefinitionCount,
};
const needChain = { type: sectionTypes.versionNeeds, tag: dt.versionNeeds, countTag: dt.versionNeedCount };

function chain(
  file: ElfFile,
  dynamic: DynamicInfo,
  { type, tag, countTag }: { readonly type: number; readonly tag: number; readonly countTag: number },
): Chain | undefined {
  const section = file.sections.find((entry) => entry.type === type);
  const budget = { left: maximumVersions };
  if (section !== undefined) {
    const { offset, size, info } = section;
    return { offset, size: Math.min(size, file.reader.size - offset), count: info, strings: linkedStrings(file, section), budget };
  }
  const place = dynamic.place(tag);
  if (place === undefined) return undefined;
  return { ...place, count: fileNumber(dynamic.value(countTag) ?? 0n), strings: dynamic.strings, budget };
}

function readDefinitions(file: ElfFile, table: Chain, names: Map<number, NamedVersion>, findings: Findings): void {
  const { reader } = file;
  walk(table, "version definitions", findings, (at) => {
    const baseFlag = (reader.u16(at + 2) & 1) !== 0;
    const index = reader.u16(at + 4) & ~hiddenBit;
    const auxiliary = at + reader.u32(at + 12);
    const name = table.strings.at(reader.u32(auxiliary));
    if (name !== undefined && !baseFlag) names.set(index, { name, library: undefined });
    return reader.u32(at + 16);
  });
}

function readNeeds(file: ElfFile, table: Chain, names: Map<number, NamedVersion>, findings: Findings): void {
  const { reader } = file;
  walk(table, "version needs", findings, (at) => {
    const library = table.strings.at(reader.u32(at + 4));
    const first = reader.u32(at + 8);
    const versions = { ...table, offset: at + first, size: table.offset + table.size - at - first, count: reader.u16(at + 2) };
    walk(versions, "version needs", findings, (entry) => {
      const name = table.strings.at(reader.u32(entry + 8));
      if (name !== undefined) names.set(reader.u16(entry + 6) & ~hiddenBit, { name, library });
      return reader.u32(entry + 12);
    });
    return reader.u32(at + 12);
  });
}

/**
 * Follows relative links, which must lead forward: a chain can neither loop nor leave its table. Chains may overlap, so
 * all of them together have a bound.
 */
function walk(table: Chain, scope: string, findings: Findings, visit: (at: number) => number): void {
  let at = table.offset;
  for (let seen = 0; seen < table.count; seen += 1) {
    if (table.budget.left <= 0) {
      findings.limited(scope, "limit_items", 1, maximumVersions);
      return;
    }
    table.budget.left -= 1;
    if (at + 16 > table.offset + table.size) {
      findings.malformed(scope, at, "a chain leaves its table");
      return;
    }
    const here = at;
    const step = findings.attempt(scope, here, () => visit(here));
    if (step === undefined || step === 0) return;
    at += step;
  }
}
