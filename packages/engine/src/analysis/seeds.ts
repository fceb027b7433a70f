import { goFunctions, type BinaryImage, type ImportedSymbol } from "@rea/binary";
import type { ProcedureSource } from "@rea/core";
import { extentsBetween, withoutNesting, type Extent } from "./extents.js";
import { SourceTable } from "./function-sources.js";
import type { MemoryMap } from "./memory-map.js";
import { neverReturns } from "./no-return.js";
import type { WorkBounds } from "./work-bounds.js";
import { addMethodStarts } from "../objc/method-places.js";

/** What the file itself says about functions. */
export interface Seeds {
  readonly sources: SourceTable;
  /** Sorted by start, not overlapping. */
  readonly extents: readonly Extent[];
  /** Code stubs of imports, by RVA. */
  readonly stubs: ReadonlyMap<number, ImportedSymbol>;
  /** Cells that the loader fills with an import, by RVA. */
  readonly slots: ReadonlyMap<number, ImportedSymbol>;
  /** Cells that relocation fills with an address of this image, and that address. */
  readonly pointers: ReadonlyMap<number, number>;
  /** Entries and stubs of functions that never return, by name. */
  readonly noReturn: ReadonlySet<number>;
  /** Entries of functions behind whose call the caller goes on although they hold no return. */
  readonly comesBack: ReadonlySet<number>;
  /** Starts that a symbol names as the split-off cold part of a function. */
  readonly coldNamed: ReadonlySet<number>;
  /** Starts of unwind parts that belong to another function, with the entry of that one. */
  readonly parts: ReadonlyMap<number, number>;
}

export interface Collector {
  readonly image: BinaryImage;
  readonly memory: MemoryMap;
  readonly isCode: (rva: number) => boolean;
  readonly pointers: ReadonlyMap<number, number>;
  readonly bounds: WorkBounds;
}

/** Reads function starts, their extents, import stubs and slots from the tables of the file. */
export function collectSeeds(collector: Collector): Seeds {
  const sources = new SourceTable();
  const noReturn = new Set<number>();
  const extents: Extent[] = [];
  collector.bounds.checkStop();
  const { stubs, slots } = importPlaces(collector, sources, noReturn);
  collector.bounds.checkStop();
  const parts = addUnwind(collector, sources, extents, stubs);
  const coldNamed = new Set<number>();
  collector.bounds.checkStop();
  addSymbols(collector, { sources, extents, noReturn, coldNamed });
  const comesBack = new Set<number>();
  addGoFunctions(collector, { sources, extents, comesBack });
  addMethodStarts(collector, sources);
  collector.bounds.checkStop();
  addExports(collector, sources, noReturn);
  addEntries(collector, sources);
  return { sources, extents: withoutNesting(extents, collector.bounds), stubs, slots, pointers: collector.pointers, noReturn, comesBack, coldNamed, parts };
}

function importPlaces(
  { image, memory, isCode, bounds }: Collector,
  sources: SourceTable,
  noReturn: Set<number>,
): { stubs: Map<number, ImportedSymbol>; slots: Map<number, ImportedSymbol> } {
  const stubs = new Map<number, ImportedSymbol>();
  const slots = new Map<number, ImportedSymbol>();
  for (const imported of bounds.watched(image.imports().items)) {
    for (const va of imported.slots) {
      const rva = memory.toRva(va);
      if (rva !== undefined) slots.set(rva, imported);
    }
    for (const va of imported.stubs) {
      const rva = memory.toRva(va);
      if (rva === undefined || !isCode(rva)) continue;
      stubs.set(rva, imported);
      sources.add(rva, "symbol");
      if (imported.name !== undefined && neverReturns(imported.name)) noReturn.add(rva);
    }
  }
  return { stubs, slots };
}

/** A range that holds import stubs describes the whole stub table, not a function. */
function addUnwind(
  { image, memory, isCode, bounds }: Collector,
  sources: SourceTable,
  extents: Extent[],
  stubs: ReadonlyMap<number, ImportedSymbol>,
): Map<number, number> {
  const parts = new Map<number, number>();
  const listed: number[] = [];
  const sortedStubs = Float64Array.from(stubs.keys()).sort();
  for (const range of bounds.watched(image.unwindRanges().items)) {
    const start = memory.toRva(range.start);
    const end = range.end === undefined ? undefined : memory.toRva(range.end);
    if (start === undefined || !isCode(start)) continue;
    if (end !== undefined && end > start) {
      if (holdsAny(sortedStubs, start, end)) continue;
      extents.push(range.source === "unwind-info" ? { start, end, open: true } : { start, end });
    }
    const primary = range.primary === undefined ? undefined : memory.toRva(range.primary);
    if (primary !== undefined && primary !== start && isCode(primary)) parts.set(start, primary);
    else sources.add(start, range.source === "function-starts" ? "function-starts" : "unwind");
    if (range.source === "function-starts") listed.push(start);
  }
  const codeEnds = (rva: number) => memory.code.find((range) => rva >= range.start && rva < range.end)?.end ?? rva;
  for (const extent of extentsBetween(listed, extents, codeEnds)) extents.push(extent);
  return parts;
}

function holdsAny(sorted: Float64Array, start: number, end: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && (sorted[low] ?? 0) < end;
}

interface SymbolFinds {
  readonly sources: SourceTable;
  readonly extents: Extent[];
  readonly noReturn: Set<number>;
  readonly coldNamed: Set<number>;
}

/** GCC and LLVM name split-off parts `f.cold` or `f.cold.1`. */
const coldName = /\.cold(?:\.\d+)?$/;

/** Symbol sizes give an extent only where no unwind range starts at the same place. */
function addSymbols({ image, memory, isCode, bounds }: Collector, found: SymbolFinds): void {
  const { sources, extents, noReturn, coldNamed } = found;
  const described = startsOf(extents, bounds);
  for (const symbol of bounds.watched(image.symbols().items)) {
    if (symbol.va === undefined || !symbol.defined) continue;
    if (symbol.type !== "function" && symbol.type !== "indirect-function") continue;
    const start = memory.toRva(symbol.va);
    if (start === undefined || !isCode(start)) continue;
    sources.add(start, "symbol");
    if (neverReturns(symbol.name)) noReturn.add(start);
    if (coldName.test(symbol.name)) coldNamed.add(start);
    const end = memory.toRva(symbol.va + symbol.size);
    if (end === undefined || end <= start || described.has(start)) continue;
    described.add(start);
    extents.push({ start, end });
  }
}

function startsOf(extents: readonly Extent[], bounds: WorkBounds): Set<number> {
  const starts = new Set<number>();
  for (const { start } of bounds.watched(extents)) starts.add(start);
  return starts;
}

interface GoFinds extends Pick<SymbolFinds, "sources" | "extents"> {
  readonly comesBack: Set<number>;
}

/** Once the stack has grown, the scheduler goes on behind the call (Go source `runtime/asm_*.s`). */
const growsStack = /^runtime\.morestack(?:_noctxt)?(?:\.abi0)?$/;

/** The line table of a Go program names every function Go code has; its extents count where no better table gives one. */
function addGoFunctions({ image, memory, isCode, bounds }: Collector, { sources, extents, comesBack }: GoFinds): void {
  const described = startsOf(extents, bounds);
  for (const fn of bounds.watched(goFunctions(image).items)) {
    const start = memory.toRva(fn.start);
    const end = memory.toRva(fn.end);
    if (start === undefined || end === undefined || !isCode(start)) continue;
    sources.add(start, "function-starts");
    if (growsStack.test(fn.name)) comesBack.add(start);
    if (!described.has(start)) extents.push({ start, end, open: true });
  }
}

function addExports({ image, memory, isCode, bounds }: Collector, sources: SourceTable, noReturn: Set<number>): void {
  for (const exported of bounds.watched(image.exports().items)) {
    if (exported.va === undefined || exported.forwarder !== undefined || exported.type === "object") continue;
    const rva = memory.toRva(exported.va);
    if (rva === undefined || !isCode(rva)) continue;
    sources.add(rva, "export");
    if (exported.name !== undefined && neverReturns(exported.name)) noReturn.add(rva);
  }
}

function addEntries({ image, memory, isCode }: Collector, sources: SourceTable): void {
  for (const entry of image.entryPoints().items) {
    const rva = memory.toRva(entry.va);
    if (rva !== undefined && isCode(rva)) sources.add(rva, sourceOfEntry(entry.kind));
  }
}

function sourceOfEntry(kind: "entry" | "init" | "fini" | "init-array" | "fini-array" | "tls-callback"): ProcedureSource {
  return kind === "init-array" || kind === "fini-array" ? "init-array" : "entry";
}
