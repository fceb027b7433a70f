import { address } from "@rea/core";
import { Findings } from "../findings.js";
import type { Relocation, Table } from "../image.js";
import { readAndroidEntries } from "./android-relocations.js";
import { wordAt, type ElfSymbol } from "./symbols.js";
import type { ElfFile } from "./elf-file.js";
import { em } from "./machines.js";
import { readEntries, readPackedAddresses, type RelocationEntry } from "./relocation-entries.js";
import { relocationName } from "./relocation-names.js";
import { relativeType, relocationRole, type RelocationRole } from "./relocation-roles.js";
import { relocationTables, type RelocationTable } from "./relocation-tables.js";
import type { DynamicInfo } from "./dynamic.js";

/** A relocation in the terms of the file, for the tables that build on it. */
export interface ElfRelocation extends RelocationEntry {
  readonly role: RelocationRole;
  readonly table: RelocationTable;
  readonly symbol: ElfSymbol | undefined;
  readonly target: bigint | undefined;
}

export interface RelocationInputs {
  readonly file: ElfFile;
  readonly dynamic: DynamicInfo;
  readonly staticSymbols: () => readonly ElfSymbol[];
  readonly dynamicSymbols: () => readonly ElfSymbol[];
}

/** More than any linked program has; beyond it memory would be the attacker's choice. */
const maximumRelocations = 2_000_000;

/** Every relocation of every table, in table order. */
export function readRelocations(inputs: RelocationInputs, findings: Findings): readonly ElfRelocation[] {
  const all: ElfRelocation[] = [];
  for (const table of relocationTables(inputs.file, inputs.dynamic, findings)) {
    const symbols = symbolsOf(table, inputs);
    for (const entry of tableEntries(inputs.file, table, findings)) {
      if (all.length >= maximumRelocations) {
        findings.limited("relocations", "limit_items", 1, maximumRelocations);
        return all;
      }
      if (entry.symbolIndex !== 0 && symbols[entry.symbolIndex] === undefined) {
        findings.malformed("relocations", entry.offset, "a symbol index lies outside the symbol table");
      }
      all.push(resolve(inputs.file, table, entry, symbols));
    }
  }
  return all;
}

function symbolsOf(table: RelocationTable, inputs: RelocationInputs): readonly ElfSymbol[] {
  if (table.symbols === "dynamic") return inputs.dynamicSymbols();
  return table.symbols === "static" ? inputs.staticSymbols() : [];
}

function tableEntries(file: ElfFile, table: RelocationTable, findings: Findings): Iterable<RelocationEntry> {
  if (table.form === "android") return readAndroidEntries(file, table, findings);
  if (table.form !== "relr") return readEntries(file, table);
  return readPackedAddresses(file, table, relativeType(file.header.machine) ?? 0);
}

function resolve(
  file: ElfFile,
  table: RelocationTable,
  entry: RelocationEntry,
  symbols: readonly ElfSymbol[],
): ElfRelocation {
  const symbol = entry.symbolIndex === 0 ? undefined : symbols[entry.symbolIndex];
  const role = roleOf(file.header.machine, table, entry);
  // Written out: spreading is several times slower, and there can be millions.
  return {
    va: entry.va,
    type: entry.type,
    symbolIndex: entry.symbolIndex,
    addend: entry.addend,
    offset: entry.offset,
    role,
    table,
    symbol,
    target: table.relocatable ? undefined : targetOf(file, entry, role, symbol),
  };
}

function roleOf(machine: number, table: RelocationTable, entry: RelocationEntry): RelocationRole {
  if (table.form === "relr") return "relative";
  const type = machine === em.mips ? entry.type & 0xff : entry.type;
  return relocationRole(machine, type, entry.symbolIndex !== 0);
}

/** What the place holds afterwards, before the load bias: S + A, or A alone; REL and RELR keep A in the place itself. */
function targetOf(
  file: ElfFile,
  entry: RelocationEntry,
  role: RelocationRole,
  symbol: ElfSymbol | undefined,
): bigint | undefined {
  if (role === "other" || role === "copy") return undefined;
  const addend = entry.addend ?? wordAt(file, file.map.at(entry.va)?.offset) ?? 0n;
  if (role === "relative" || role === "resolver") return masked(file, addend);
  if (symbol === undefined || symbol.section === 0) return undefined;
  return masked(file, role === "slot" ? symbol.value : symbol.value + addend);
}

function masked(file: ElfFile, value: bigint): bigint {
  return BigInt.asUintN(file.header.bits, value);
}

/** Relocations of the model. */
export function relocationTable(file: ElfFile, relocations: readonly ElfRelocation[], findings: Findings): Table<Relocation> {
  const names = new Map<number, string>();
  const nameOf = (type: number): string => {
    const known = names.get(type) ?? compositeName(file.header.machine, type);
    names.set(type, known);
    return known;
  };
  const items = relocations.map((entry): Relocation => {
    const name = entry.symbol?.name;
    return {
      va: address(entry.va),
      type: nameOf(entry.type),
      section: entry.table.label,
      symbol: name === undefined || name === "" ? undefined : name,
      target: entry.target === undefined ? undefined : address(entry.target),
      addend: entry.addend,
    };
  });
  return { items, omissions: findings.list() };
}

/** MIPS64 packs up to three types into one entry. */
function compositeName(machine: number, type: number): string {
  const parts = machine === em.mips && type > 0xff ? [type & 0xff, (type >>> 8) & 0xff, (type >>> 16) & 0xff] : [type];
  return parts.map((part) => relocationName(machine, part)).join("/");
}
