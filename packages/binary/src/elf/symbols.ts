import type { Findings } from "../findings.js";
import type { FileRange } from "../image.js";
import { linkedStrings, readWord, type ElfFile } from "./elf-file.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import { fileNumber } from "./file-header.js";
import { sectionTypes, type SectionHeader } from "./section-headers.js";
import type { StringTable } from "./string-table.js";

/** One symbol table entry (gABI: "Symbol Table"). */
export interface ElfSymbol {
  readonly index: number;
  readonly name: string;
  readonly value: bigint;
  readonly size: bigint;
  readonly type: number;
  readonly binding: number;
  readonly visibility: number;
  /** Section index with SHN_XINDEX resolved, or one of `specialSections`. */
  readonly section: number;
  readonly offset: number;
}

/** Reserved indexes as negative numbers, so that they never collide with the index of a real section. */
export const specialSections = { undefined: 0, absolute: -1, common: -2, other: -3 } as const;

export const symbolTypes = { none: 0, object: 1, function: 2, section: 3, file: 4, common: 5, tls: 6, indirect: 10 } as const;
export const symbolBindings = { local: 0, global: 1, weak: 2, unique: 10 } as const;

/** More symbols than any program has; beyond it memory would be the attacker's choice. */
const maximumSymbols = 2_000_000;

interface SymbolTablePlace extends FileRange {
  readonly label: string;
  readonly strings: StringTable;
  readonly indexes: FileRange | undefined;
}

/** All entries of SHT_SYMTAB, entry 0 included. */
export function readStaticSymbols(file: ElfFile, findings: Findings): readonly ElfSymbol[] {
  const section = file.sections.find((entry) => entry.type === sectionTypes.symbols);
  return section === undefined ? [] : readTable(file, sectionPlace(file, section, "symtab"), findings);
}

/** All entries of the dynamic symbol table: SHT_DYNSYM, or DT_SYMTAB with its length taken from a hash table. */
export function readDynamicSymbols(file: ElfFile, dynamic: DynamicInfo, findings: Findings): readonly ElfSymbol[] {
  const section = file.sections.find((entry) => entry.type === sectionTypes.dynamicSymbols);
  if (section !== undefined && section.size > 0) return readTable(file, sectionPlace(file, section, "dynsym"), findings);
  const place = dynamic.place(dt.symbols);
  if (place === undefined) return [];
  const size = symbolCount(file, dynamic, findings) * symbolWidth(file);
  const range = { offset: place.offset, size: Math.min(size, place.size) };
  return readTable(file, { ...range, label: "dynsym", strings: dynamic.strings, indexes: undefined }, findings);
}

export function symbolWidth(file: ElfFile): number {
  return file.header.bits === 64 ? 24 : 16;
}

function sectionPlace(file: ElfFile, section: SectionHeader, label: string): SymbolTablePlace {
  const indexes = file.sections.find(
    (entry) => entry.type === sectionTypes.symbolIndexes && entry.link === section.index,
  );
  return { offset: section.offset, size: section.size, label, strings: linkedStrings(file, section), indexes };
}

function readTable(file: ElfFile, place: SymbolTablePlace, findings: Findings): readonly ElfSymbol[] {
  const scope = `${place.label} symbols`;
  const width = symbolWidth(file);
  const declared = Math.floor(place.size / width);
  const room = Math.max(0, Math.floor((file.reader.size - place.offset) / width));
  if (room < declared) {
    findings.malformed(scope, place.offset, `${String(declared)} entries are declared, ${String(room)} fit the file`);
  }
  const count = Math.min(declared, room, maximumSymbols);
  if (count < Math.min(declared, room)) findings.limited(scope, "limit_items", Math.min(declared, room) - count, count);
  const symbols: ElfSymbol[] = [];
  for (let index = 0; index < count; index += 1) symbols.push(readSymbol(file, place, index, findings));
  if (place.strings.dropped > 0) findings.limited(`${scope} names`, "limit_total_bytes", place.strings.dropped, place.strings.size);
  return symbols;
}

function readSymbol(file: ElfFile, place: SymbolTablePlace, index: number, findings: Findings): ElfSymbol {
  const wide = file.header.bits === 64;
  const { reader } = file;
  const offset = place.offset + index * (wide ? 24 : 16);
  const info = reader.u8(offset + (wide ? 4 : 12));
  const nameOffset = reader.u32(offset);
  const name = nameOffset === 0 ? "" : place.strings.at(nameOffset);
  if (name === undefined) findings.malformed(`${place.label} names`, offset, "a name offset lies outside the string table");
  return {
    index,
    name: name ?? "",
    value: wide ? reader.u64(offset + 8) : BigInt(reader.u32(offset + 4)),
    size: wide ? reader.u64(offset + 16) : BigInt(reader.u32(offset + 8)),
    type: info & 15,
    binding: info >> 4,
    visibility: reader.u8(offset + (wide ? 5 : 13)) & 3,
    section: sectionIndex(file, place, { index, raw: reader.u16(offset + (wide ? 6 : 14)) }, findings),
    offset,
  };
}

function sectionIndex(
  file: ElfFile,
  place: SymbolTablePlace,
  { index, raw }: { readonly index: number; readonly raw: number },
  findings: Findings,
): number {
  if (raw < 0xff00) return raw;
  if (raw === 0xfff1) return specialSections.absolute;
  if (raw === 0xfff2) return specialSections.common;
  if (raw !== 0xffff || place.indexes === undefined || (index + 1) * 4 > place.indexes.size) return specialSections.other;
  const at = place.indexes.offset + index * 4;
  return findings.attempt(`${place.label} section indexes`, at, () => file.reader.u32(at)) ?? specialSections.other;
}

/** gABI "Hash Table": nchain is the symbol count; the GNU table has none, so the last chain is walked to its end. */
function symbolCount(file: ElfFile, dynamic: DynamicInfo, findings: Findings): number {
  const classic = dynamic.place(dt.hash);
  if (classic !== undefined) {
    const count = findings.attempt("dynamic hash table", classic.offset, () => file.reader.u32(classic.offset + 4));
    if (count !== undefined) return count;
  }
  const gnu = dynamic.place(dt.gnuHash);
  if (gnu !== undefined) {
    const count = findings.attempt("dynamic hash table", gnu.offset, () => gnuSymbolCount(file, gnu));
    if (count !== undefined) return count;
  }
  return countByNeighbour(file, dynamic, findings);
}

function gnuSymbolCount(file: ElfFile, place: FileRange): number {
  const { reader } = file;
  const buckets = reader.u32(place.offset);
  const first = reader.u32(place.offset + 4);
  const bloomBytes = reader.u32(place.offset + 8) * (file.header.bits / 8);
  const bucketsAt = place.offset + 16 + bloomBytes;
  const chainsAt = bucketsAt + buckets * 4;
  reader.bytes(bucketsAt, buckets * 4);
  let last = 0;
  for (let index = 0; index < buckets; index += 1) last = Math.max(last, reader.u32(bucketsAt + index * 4));
  if (last < first) return first;
  while ((reader.u32(chainsAt + (last - first) * 4) & 1) === 0) last += 1;
  return last + 1;
}

/** Without a hash table the string table, which linkers place behind the symbols, bounds them. */
function countByNeighbour(file: ElfFile, dynamic: DynamicInfo, findings: Findings): number {
  const symbols = dynamic.value(dt.symbols) ?? 0n;
  const strings = dynamic.value(dt.strings) ?? 0n;
  findings.note("dynsym symbols", "malformed", "No hash table gives their number; it is taken from the table that follows.");
  return strings > symbols ? Math.floor(fileNumber(strings - symbols) / symbolWidth(file)) : 0;
}

/** Raw address-sized value at a file offset, undefined past the end. */
export function wordAt(file: ElfFile, offset: number | undefined): bigint | undefined {
  if (offset === undefined || offset + file.header.bits / 8 > file.reader.size) return undefined;
  return readWord(file, offset);
}
