import type { Address } from "@rea/core";

import { Findings } from "../findings.js";
import type { ExportedSymbol, ImportedSymbol, Relocation, Table } from "../image.js";
import { once } from "../once.js";
import { readChainedFixups } from "./chained-fixups.js";
import { readClassicRelocations } from "./classic-relocations.js";
import { command } from "./command-names.js";
import { readDyldInfo } from "./dyld-info.js";
import { libraryOf, readDylibs, type Dylib } from "./dylibs.js";
import { exportTrieRange, readExportTrie } from "./export-trie.js";
import { noFixups, type BindTarget, type FixupTable } from "./fixups.js";
import { readIndirectSymbols } from "./indirect-symbols.js";
import { holdsCode, placeName, type MachOFile } from "./macho-file.js";
import { readStubSlots } from "./stub-slots.js";
import { isExternal, isUndefined, isWeakReference, libraryOrdinal, readSymbolTable, type Nlist, type SymbolTable } from "./symbols.js";

/** Symbols, libraries and fix-ups of one file, each read once, and the tables that join them. */
export interface Linkage {
  readonly symbols: () => SymbolTable;
  readonly dylibs: () => { readonly loaded: readonly Dylib[]; readonly own: Dylib | undefined; readonly findings: Findings };
  readonly fixups: () => FixupTable & { readonly findings: Findings };
  readonly imports: () => Table<ImportedSymbol>;
  readonly exports: () => Table<ExportedSymbol>;
  readonly relocations: () => Table<Relocation>;
  /** What a pointer holds after fix-up. */
  readonly targetAt: (va: bigint) => bigint | undefined;
}

export function linkageOf(file: MachOFile): Linkage {
  const symbols = once(() => readSymbolTable(file));
  const dylibs = once(() => {
    const findings = new Findings();
    return { ...readDylibs(file, findings), findings };
  });
  const fixups = once(() => {
    const findings = new Findings();
    return { ...readFixups(file, findings), findings };
  });
  const targets = once(() => new Map(fixups().items.flatMap(({ va, target }) => (target === undefined ? [] : [[va, target]]))));
  const linkage: Linkage = {
    symbols,
    dylibs,
    fixups,
    imports: once(() => importsOf(file, linkage)),
    exports: once(() => exportsOf(file, linkage)),
    relocations: once(() => relocationsOf(file, linkage)),
    targetAt: (va) => targets().get(va),
  };
  return linkage;
}

function readFixups(file: MachOFile, findings: Findings): FixupTable {
  const chained = file.linkedit(command.dyldChainedFixups);
  if (chained !== undefined) return readChainedFixups(file, chained, findings);
  const info = file.command(command.dyldInfoOnly, command.dyldInfo);
  return info === undefined ? noFixups : readDyldInfo(file, info, findings);
}

/** An import while its slots and stubs are collected. */
interface Gathered {
  readonly name: string;
  readonly library: string | undefined;
  readonly delayed: boolean;
  weak: boolean;
  readonly slots: Set<Address>;
  readonly stubs: Set<Address>;
  readonly file: ImportedSymbol["file"];
}

/** Joins binds, undefined symbols and indirect symbols by name; the library is the first that any of them states. */
class ImportGatherer {
  readonly #byName = new Map<string, Gathered>();
  readonly #loaded: readonly Dylib[];

  constructor(loaded: readonly Dylib[]) {
    this.#loaded = loaded;
  }

  add(name: string, ordinal: number | undefined, file: ImportedSymbol["file"]): Gathered {
    const known = this.#byName.get(name);
    if (known !== undefined && (known.library !== undefined || ordinal === undefined || ordinal <= 0)) return known;
    const library = ordinal === undefined ? undefined : libraryOf(this.#loaded, ordinal);
    const delayed = ordinal !== undefined && this.#loaded[ordinal - 1]?.kind === "lazy-dylib";
    const parts = known ?? { weak: false, slots: new Set<Address>(), stubs: new Set<Address>(), file };
    const gathered: Gathered = { ...parts, name, library, delayed };
    this.#byName.set(name, gathered);
    return gathered;
  }

  get(name: string): Gathered | undefined {
    return this.#byName.get(name);
  }

  list(): readonly ImportedSymbol[] {
    return [...this.#byName.values()].map((item) => ({
      name: item.name,
      library: item.library,
      ordinal: undefined,
      version: undefined,
      slots: [...item.slots],
      stubs: [...item.stubs],
      binding: item.weak ? "weak" : "global",
      type: item.stubs.size > 0 ? "function" : "other",
      delayed: item.delayed,
      file: item.file,
    }));
  }
}

function importsOf(file: MachOFile, linkage: Linkage): Table<ImportedSymbol> {
  const findings = new Findings();
  const { items: symbols, omissions } = linkage.symbols();
  const fixups = linkage.fixups();
  const gatherer = new ImportGatherer(linkage.dylibs().loaded);
  for (const symbol of symbols) {
    if (!isUndefined(symbol) || symbol.name === "") continue;
    const range = { offset: symbol.offset, size: file.header.wide ? 16 : 12 };
    const gathered = gatherer.add(symbol.name, libraryOrdinal(file, symbol), range);
    gathered.weak ||= isWeakReference(symbol);
  }
  for (const bind of fixups.imports) addBind(gatherer, bind, symbols.length > 0);
  for (const { va, bind } of fixups.items) {
    const gathered = bind === undefined ? undefined : addBind(gatherer, bind, symbols.length > 0);
    if (bind?.addend === 0n) gathered?.slots.add(file.va(va));
  }
  const assigned = new Set<bigint>();
  for (const { va, stub, symbol } of readIndirectSymbols(file, linkage.symbols(), findings)) {
    const gathered = gatherer.get(symbol.name);
    (stub ? gathered?.stubs : gathered?.slots)?.add(file.va(va));
    if (stub && gathered !== undefined) assigned.add(va);
  }
  findings.attempt("stubs", 0, () => {
    addStubsBySlot(file, gatherer, assigned);
  });
  return { items: gatherer.list(), omissions: [...omissions, ...fixups.findings.list(), ...findings.list()] };
}

/** Stubs that no indirect symbol is assigned to have the import whose slot they jump through. */
function addStubsBySlot(file: MachOFile, gatherer: ImportGatherer, assigned: ReadonlySet<bigint>): void {
  const bySlot = new Map<bigint, string | undefined>();
  for (const { name, slots } of gatherer.list()) for (const slot of slots) bySlot.set(slot, name);
  for (const { stub, slot } of readStubSlots(file)) {
    if (!assigned.has(stub)) gatherer.get(bySlot.get(slot) ?? "")?.stubs.add(file.va(stub));
  }
}

/** Weak and self lookups of a symbol that the image defines itself are no imports of their own. */
function addBind(gatherer: ImportGatherer, bind: BindTarget, symbolsKnown: boolean): Gathered | undefined {
  if (bind.ordinal <= 0 && symbolsKnown && gatherer.get(bind.name) === undefined) return undefined;
  const gathered = gatherer.add(bind.name, bind.ordinal, bind.file);
  gathered.weak ||= bind.weakImport;
  return gathered;
}

function exportsOf(file: MachOFile, linkage: Linkage): Table<ExportedSymbol> {
  const findings = new Findings();
  const range = exportTrieRange(file, findings);
  if (range !== undefined) {
    const items = readExportTrie(file, range, linkage.dylibs().loaded, findings);
    return { items, omissions: findings.list() };
  }
  const { items, omissions } = linkage.symbols();
  const exported = items.filter((symbol) => isExternal(symbol) && !isUndefined(symbol));
  return { items: exported.map((symbol) => exportOf(file, symbol)), omissions: [...omissions, ...findings.list()] };
}

function exportOf(file: MachOFile, symbol: Nlist): ExportedSymbol {
  const section = file.sections[symbol.sectionNumber - 1];
  return {
    name: symbol.name,
    va: file.va(symbol.value),
    ordinal: undefined,
    version: undefined,
    forwarder: undefined,
    binding: (symbol.description & 0x80) !== 0 ? "weak" : "global",
    type: holdsCode(section) ? "function" : section === undefined ? "other" : "object",
    file: { offset: symbol.offset, size: file.header.wide ? 16 : 12 },
  };
}

function relocationsOf(file: MachOFile, linkage: Linkage): Table<Relocation> {
  const findings = new Findings();
  const { items, findings: found } = linkage.fixups();
  const fixed = items.map(({ va, type, target, bind }): Relocation => ({
    va: file.va(va),
    type,
    section: placeName(file, va),
    symbol: bind?.name,
    target: target !== undefined && file.segmentAt(target) !== undefined ? file.va(target) : undefined,
    addend: bind?.addend,
  }));
  const classic = readClassicRelocations(file, linkage.symbols(), findings);
  return { items: [...fixed, ...classic], omissions: [...found.list(), ...findings.list()] };
}
