import { goFunctions, type BinaryImage } from "@rea/binary";
import { methodNames } from "../objc/method-places.js";
import { selectorStubNames } from "../objc/selector-stubs.js";
import type { NameRecord } from "../program.js";
import type { MemoryMap } from "./memory-map.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";
import { mainOfMsvc, type MainPlace } from "./msvc-start.js";
import { mainBehindStart } from "./start-code.js";

/** A name chosen for a function. */
export interface ChosenName {
  readonly name: string;
  readonly nameSource: "symbol" | "export" | "import" | "generated";
}

interface NamesInput {
  readonly seeds: Seeds;
  readonly bounds: WorkBounds;
}

/**
 * All names of the file that stand for an address, sorted by address then name. Section, file and thread-local symbols
 * do not name an address of the image.
 */
export function collectNames(image: BinaryImage, memory: MemoryMap, { seeds, bounds }: NamesInput): readonly NameRecord[] {
  const seen = new Set<string>();
  const symbols = [...symbolNames(image, memory, { seen, bounds }), ...goNames(image, memory, seen)];
  bounds.checkStop();
  const stubs = selectorStubNames(image, memory, seeds.pointers).filter(({ rva, name }) => !seen.has(placeKey(rva, name)));
  const names = [...symbols, ...methodNames(image, memory), ...stubs, ...exportNames(image, memory), ...importNames(seeds)];
  bounds.checkStop();
  names.push(...mainName(image, memory, { seeds, names }));
  return names.sort(bounds.watchedOrder((a, b) => a.rva - b.rva || compare(a.name, b.name) || compare(a.source, b.source)));
}

/** `seen` takes address and name of each, so that a second table that repeats them adds nothing. */
function symbolNames(image: BinaryImage, memory: MemoryMap, { seen, bounds }: { readonly seen: Set<string>; readonly bounds: WorkBounds }): NameRecord[] {
  const names: NameRecord[] = [];
  for (const symbol of bounds.watched(image.symbols().items)) {
    if (symbol.va === undefined || !symbol.defined || symbol.name === "") continue;
    if (symbol.type === "section" || symbol.type === "file" || symbol.type === "tls") continue;
    const rva = memory.toRva(symbol.va);
    if (rva === undefined) continue;
    // The dynamic table repeats what the full one says.
    const key = placeKey(rva, symbol.name);
    if (seen.has(key)) continue;
    seen.add(key);
    names.push({
      rva,
      name: symbol.name,
      kind: symbol.type,
      binding: symbol.binding,
      source: symbol.table,
      library: symbol.library,
    });
  }
  return names;
}

function placeKey(rva: number, name: string): string {
  return `${String(rva)} ${name}`;
}

/** Where the symbol table was kept it comes first in `chooseNames`, because it states a binding. */
function goNames(image: BinaryImage, memory: MemoryMap, seen: ReadonlySet<string>): NameRecord[] {
  return goFunctions(image).items.flatMap(({ start, name }) => {
    const rva = memory.toRva(start);
    if (rva === undefined || memory.rangeAt(rva) === undefined || seen.has(placeKey(rva, name))) return [];
    return [{ rva, name, kind: "function", binding: undefined, source: "go-pclntab", library: undefined }];
  });
}

function exportNames(image: BinaryImage, memory: MemoryMap): NameRecord[] {
  const names: NameRecord[] = [];
  for (const exported of image.exports().items) {
    if (exported.va === undefined || exported.name === undefined || exported.forwarder !== undefined) continue;
    const rva = memory.toRva(exported.va);
    if (rva === undefined) continue;
    const { name, type: kind, binding } = exported;
    names.push({ rva, name, kind, binding, source: "export", library: undefined });
  }
  return names;
}

function importNames({ stubs, slots }: Seeds): NameRecord[] {
  const names: NameRecord[] = [];
  for (const [source, places] of [
    ["import-stub", stubs],
    ["import-slot", slots],
  ] as const) {
    for (const [rva, imported] of places) {
      if (imported.name === undefined) continue;
      const { name, type: kind, binding, library } = imported;
      names.push({ rva, name, kind, binding, source, library });
    }
  }
  return names;
}

/** `main`, where nothing of the file names the function that the start code calls. */
function mainName(
  image: BinaryImage,
  memory: MemoryMap,
  { seeds, names }: { readonly seeds: Seeds; readonly names: readonly NameRecord[] },
): NameRecord[] {
  const main = mainPlace(image, memory, seeds);
  if (main === undefined || !memory.code.some(({ start, end }) => main.rva >= start && main.rva < end)) return [];
  if (names.some(({ rva, name }) => rva === main.rva || name === main.name)) return [];
  return [{ ...main, kind: "function", binding: undefined, source: "start-code", library: undefined }];
}

function mainPlace(image: BinaryImage, memory: MemoryMap, seeds: Seeds): MainPlace | undefined {
  const rva = mainBehindStart(image, memory, seeds);
  if (rva !== undefined) return { rva, name: "main" };
  const entry = image.format === "pe" ? image.entryPoints().items.find(({ kind }) => kind === "entry") : undefined;
  const start = entry === undefined ? undefined : memory.toRva(entry.va);
  return start === undefined ? undefined : mainOfMsvc(image, memory, start, seeds.slots);
}

const bindingRank: Readonly<Record<string, number>> = { global: 0, local: 1, weak: 2, other: 3 };

/** The best name for each address that has one: symbols before exports before imports; global, local, then weak. */
export function chooseNames(names: readonly NameRecord[], bounds: WorkBounds): ReadonlyMap<number, ChosenName> {
  const best = new Map<number, NameRecord>();
  for (const name of bounds.watched(names)) {
    if (name.source === "import-slot") continue;
    const known = best.get(name.rva);
    if (known === undefined || rank(name) < rank(known)) best.set(name.rva, name);
  }
  const chosen = new Map<number, ChosenName>();
  for (const [rva, name] of bounds.watched(best)) chosen.set(rva, { name: name.name, nameSource: sourceOf(name) });
  return chosen;
}

/** Lower is better; functions before labels. Equal ranks keep the first in code point order. */
function rank(name: NameRecord): number {
  const source = { symbol: 0, export: 1, import: 2, generated: 3 }[sourceOf(name)];
  const kind = name.kind === "function" || name.kind === "indirect-function" ? 0 : 1;
  return source * 100 + kind * 10 + (bindingRank[name.binding ?? "other"] ?? 3);
}

function sourceOf(name: NameRecord): ChosenName["nameSource"] {
  if (name.source === "start-code") return "generated";
  if (name.source === "export") return "export";
  return name.source === "import-stub" ? "import" : "symbol";
}

/** Order by UTF-16 code units, which is cheap and the same everywhere. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
