import { Findings } from "../findings.js";
import type { ImageSymbol, Table } from "../image.js";
import { command } from "./command-names.js";
import { fileTypes, sectionType } from "./constants.js";
import { libraryOf, type Dylib } from "./dylibs.js";
import { commandU32 } from "./load-commands.js";
import { holdsCode, type MachOFile } from "./macho-file.js";

/** One `nlist`. Debugger symbols (`N_STAB`) are kept in the list so that indices stay right. */
export interface Nlist {
  readonly index: number;
  readonly offset: number;
  readonly name: string;
  readonly type: number;
  readonly sectionNumber: number;
  readonly description: number;
  readonly value: bigint;
}

export interface SymbolTable extends Table<Nlist> {
  readonly stringsOffset: number;
}

const stab = 0xe0;
const privateExternal = 0x10;
const external = 0x01;
const typeMask = 0x0e;
const kind = { undefined: 0x0, absolute: 0x2, indirect: 0xa, prebound: 0xc, section: 0xe } as const;
const weakReference = 0x40;
const weakDefinition = 0x80;
const twoLevel = 0x80;

/** `mach-o/nlist.h`: every entry of `LC_SYMTAB` that the file holds. */
export function readSymbolTable(file: MachOFile): SymbolTable {
  const findings = new Findings();
  const items: Nlist[] = [];
  const item = file.command(command.symtab);
  if (item === undefined) return { items, omissions: [], stringsOffset: 0 };
  const stringsOffset = findings.attempt("symbols", item.offset, () => {
    const offset = commandU32(file.reader, item, 8);
    const declared = commandU32(file.reader, item, 12);
    const strings = { offset: commandU32(file.reader, item, 16), size: commandU32(file.reader, item, 20) };
    const size = file.header.wide ? 16 : 12;
    const count = Math.min(declared, Math.floor(Math.max(0, file.reader.size - offset) / size));
    if (count < declared) findings.malformed("symbols", item.offset, "the symbol table reaches past the end of the file");
    for (let index = 0; index < count; index += 1) items.push(readNlist(file, { index, offset: offset + index * size, strings, findings }));
    return strings.offset;
  });
  file.strings.report(findings, "symbols");
  return { items, omissions: findings.list(), stringsOffset: stringsOffset ?? 0 };
}

interface NlistPlace {
  readonly index: number;
  readonly offset: number;
  readonly strings: { readonly offset: number; readonly size: number };
  readonly findings: Findings;
}

function readNlist(file: MachOFile, { index, offset, strings, findings }: NlistPlace): Nlist {
  const { reader } = file;
  const nameOffset = reader.u32(offset);
  const end = strings.offset + strings.size;
  let name = "";
  if (nameOffset >= strings.size || strings.offset + nameOffset >= reader.size) {
    if (nameOffset !== 0) findings.malformed("symbol names", offset, "a name lies outside the string table");
  } else if (nameOffset !== 0) {
    name = file.strings.at(strings.offset + nameOffset, end);
  }
  return {
    index,
    offset,
    name,
    type: reader.u8(offset + 4),
    sectionNumber: reader.u8(offset + 5),
    description: reader.u16(offset + 6),
    value: file.header.wide ? reader.u64(offset + 8) : BigInt(reader.u32(offset + 8)),
  };
}

function isStab(symbol: Nlist): boolean {
  return (symbol.type & stab) !== 0;
}

/** Undefined and external; a non-zero value of an undefined symbol in an object is the size of a common one. */
export function isUndefined(symbol: Nlist): boolean {
  const type = symbol.type & typeMask;
  return !isStab(symbol) && (type === kind.undefined || type === kind.prebound);
}

export function isExternal(symbol: Nlist): boolean {
  return !isStab(symbol) && (symbol.type & external) !== 0 && (symbol.type & privateExternal) === 0;
}

export function isWeakReference(symbol: Nlist): boolean {
  return (symbol.description & weakReference) !== 0;
}

/** Library ordinal in the high byte of the description; undefined in flat namespaces and objects. */
export function libraryOrdinal(file: MachOFile, symbol: Nlist): number | undefined {
  if ((file.header.flags & twoLevel) === 0 || file.header.fileType === fileTypes.object) return undefined;
  return symbol.description >>> 8;
}

/** The symbols in the model's form: type is derived from the section, for the format records none. */
export function imageSymbols(file: MachOFile, table: SymbolTable, loaded: readonly Dylib[]): Table<ImageSymbol> {
  return { items: table.items.map((symbol) => imageSymbol(file, symbol, loaded)), omissions: table.omissions };
}

function imageSymbol(file: MachOFile, symbol: Nlist, loaded: readonly Dylib[]): ImageSymbol {
  const undefinedSymbol = isUndefined(symbol);
  const debug = isStab(symbol);
  const placed = !debug && (symbol.type & typeMask) === kind.section;
  const section = placed ? file.sections[symbol.sectionNumber - 1] : undefined;
  const ordinal = undefinedSymbol ? libraryOrdinal(file, symbol) : undefined;
  return {
    name: symbol.name,
    va: placed ? file.va(symbol.value) : undefined,
    size: 0n,
    type: debug ? "other" : typeOf(file, symbol),
    binding: bindingOf(symbol),
    defined: !undefinedSymbol,
    section: section === undefined ? undefined : `${section.segmentName},${section.name}`,
    table: debug ? "stab" : "nlist",
    version: undefined,
    library: ordinal === undefined ? undefined : libraryOf(loaded, ordinal),
    file: { offset: symbol.offset, size: file.header.wide ? 16 : 12 },
  };
}

function typeOf(file: MachOFile, symbol: Nlist): ImageSymbol["type"] {
  if ((symbol.type & typeMask) !== kind.section) return "none";
  const section = file.sections[symbol.sectionNumber - 1];
  if (section === undefined || symbol.value < section.va || symbol.value >= section.va + section.size) return "none";
  if (holdsCode(section)) return "function";
  return section.type >= sectionType.tlvRegular && section.type <= sectionType.tlvVariables ? "tls" : "object";
}

function bindingOf(symbol: Nlist): ImageSymbol["binding"] {
  if (isStab(symbol) || !isExternal(symbol)) return "local";
  const weak = isUndefined(symbol) ? weakReference : weakDefinition;
  return (symbol.description & weak) !== 0 ? "weak" : "global";
}
