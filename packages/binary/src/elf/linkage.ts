import { address, type Address } from "@rea/core";
import type { Findings } from "../findings.js";
import type { ExportedSymbol, ImportedSymbol, Table } from "../image.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import type { ElfFile } from "./elf-file.js";
import { elfTypes, fileNumber } from "./file-header.js";
import { em } from "./machines.js";
import type { ElfRelocation } from "./relocations.js";
import { addressOf } from "./symbol-table.js";
import { specialSections, symbolBindings, symbolTypes, symbolWidth, type ElfSymbol } from "./symbols.js";
import type { VersionInfo } from "./versions.js";

export interface LinkageInputs {
  readonly file: ElfFile;
  readonly dynamic: DynamicInfo;
  readonly symbols: readonly ElfSymbol[];
  readonly relocations: readonly ElfRelocation[];
  readonly versions: VersionInfo;
  /** Code stubs by the address of the slot they jump through. */
  readonly stubs: ReadonlyMap<bigint, readonly Address[]>;
}

/**
 * Undefined symbols with a name, and symbols the loader copies out of a library (`R_*_COPY`): those are defined here,
 * yet their content comes from the library.
 */
export function importTable(inputs: LinkageInputs, findings: Findings): Table<ImportedSymbol> {
  const slots = slotsBySymbol(inputs);
  const copied = new Set(inputs.relocations.filter((entry) => entry.role === "copy").map((entry) => entry.symbol));
  const items = inputs.symbols
    .filter((symbol) => symbol.name !== "" && (isUndefined(symbol) || copied.has(symbol)))
    .map((symbol) => importOf(inputs, symbol, [...(slots.get(symbol.index) ?? [])]));
  return { items, omissions: findings.list() };
}

function isUndefined(symbol: ElfSymbol): boolean {
  return symbol.section === specialSections.undefined && symbol.index !== 0 && symbol.type !== symbolTypes.file;
}

function importOf(inputs: LinkageInputs, symbol: ElfSymbol, slots: readonly bigint[]): ImportedSymbol {
  const version = inputs.file.header.type === elfTypes.relocatable ? undefined : inputs.versions.of(symbol.index);
  return {
    name: symbol.name,
    library: version?.library,
    ordinal: undefined,
    version: version?.name,
    slots: slots.map((slot) => address(slot)),
    stubs: slots.flatMap((slot) => inputs.stubs.get(slot) ?? []),
    binding: bindingOf(symbol),
    type: linkType(symbol),
    delayed: false,
    file: { offset: symbol.offset, size: symbolWidth(inputs.file) },
  };
}

/** Slots by symbol index: places of GLOB_DAT, JUMP_SLOT and word relocations, and the global part of a MIPS GOT. */
export function slotsBySymbol(inputs: Omit<LinkageInputs, "stubs" | "versions">): ReadonlyMap<number, ReadonlySet<bigint>> {
  const slots = new Map<number, Set<bigint>>();
  const add = (index: number, va: bigint): void => {
    const known = slots.get(index);
    if (known === undefined) slots.set(index, new Set([va]));
    else known.add(va);
  };
  for (const entry of inputs.relocations) {
    const fills = entry.role === "slot" || (entry.role === "absolute" && (entry.addend ?? 0n) === 0n);
    if (fills && !entry.table.relocatable && entry.symbolIndex !== 0) add(entry.symbolIndex, entry.va);
  }
  if (inputs.file.header.machine === em.mips) addMipsSlots(inputs.file, inputs.dynamic, inputs.symbols, add);
  return slots;
}

/** MIPS ABI: GOT entries behind the local ones stand for the dynamic symbols from DT_MIPS_GOTSYM on, in order. */
function addMipsSlots(
  file: ElfFile,
  dynamic: DynamicInfo,
  symbols: readonly ElfSymbol[],
  add: (index: number, va: bigint) => void,
): void {
  const got = dynamic.value(dt.pltGot);
  const locals = dynamic.value(dt.mipsLocalGotCount);
  const first = dynamic.value(dt.mipsGotSymbol);
  if (got === undefined || locals === undefined || first === undefined) return;
  for (let index = fileNumber(first); index < symbols.length; index += 1) {
    add(index, BigInt.asUintN(file.header.bits, got + (locals + BigInt(index) - first) * BigInt(file.header.bits / 8)));
  }
}

/** Defined dynamic symbols other modules can bind to: global, weak or unique, and not hidden or internal. */
export function exportTable(inputs: Omit<LinkageInputs, "stubs" | "relocations">, findings: Findings): Table<ExportedSymbol> {
  if (inputs.file.header.type === elfTypes.relocatable) return { items: [], omissions: [] };
  const items = inputs.symbols.filter(isExported).map((symbol): ExportedSymbol => {
    const version = inputs.versions.of(symbol.index);
    return {
      name: symbol.name,
      va: addressOf(symbol),
      ordinal: undefined,
      version: version?.name,
      defaultVersion: version === undefined || version.library !== undefined ? undefined : !version.hidden,
      forwarder: undefined,
      binding: bindingOf(symbol),
      type: linkType(symbol),
      file: { offset: symbol.offset, size: symbolWidth(inputs.file) },
    };
  });
  return { items, omissions: findings.list() };
}

function isExported(symbol: ElfSymbol): boolean {
  const visible = symbol.visibility === 0 || symbol.visibility === 3;
  const reachable = symbol.binding !== symbolBindings.local && symbol.name !== "";
  const nameOnly = symbol.type === symbolTypes.section || symbol.type === symbolTypes.file;
  return reachable && visible && !nameOnly && symbol.section !== specialSections.undefined;
}

function bindingOf(symbol: ElfSymbol): "global" | "weak" | "other" {
  if (symbol.binding === symbolBindings.weak) return "weak";
  return symbol.binding === symbolBindings.global || symbol.binding === symbolBindings.unique ? "global" : "other";
}

function linkType(symbol: ElfSymbol): "function" | "object" | "other" {
  if (symbol.type === symbolTypes.function || symbol.type === symbolTypes.indirect) return "function";
  const data = symbol.type === symbolTypes.object || symbol.type === symbolTypes.common || symbol.type === symbolTypes.tls;
  return data ? "object" : "other";
}
