import type { Findings } from "../findings.js";
import type { UnwindRange } from "../image.js";
import type { PeFile } from "./pe-file.js";

const magics: ReadonlySet<number> = new Set([0x19930520, 0x19930521, 0x19930522]);
const actionSize = 8;
const tryBlockSize = 20;
const handlerSize = 20;
/** So many entries of tables are read, however many a file declares. */
const mostEntries = 1 << 20;

/**
 * Gives the parts that Microsoft's C++ compiler makes of a function, bodies of `catch` and clean-up code with unwind
 * information of their own, the function they belong to as `primary`. The language data of that function lists them
 * (`FuncInfo`, known by its magic number; its newer form has none and is not read). A part that several functions list,
 * or whose function is not one single range, stays as it is.
 */
export function withFunclets(file: PeFile, ranges: readonly UnwindRange[], findings: Findings): readonly UnwindRange[] {
  const infos = groupedByInfo(file, ranges);
  if (infos.size === 0) return ranges;
  const owners = new Map<number, number | undefined>();
  let budget = mostEntries;
  for (const [info, starts] of infos) {
    const place = file.place(info)?.offset ?? 0;
    const read = findings.attempt("unwind", place, () => funcletsOf(file, info, budget));
    if (read === undefined) continue;
    budget -= read.entries;
    const parents = starts.filter((start) => !read.funclets.has(start));
    const parent = parents.length === 1 ? parents[0] : undefined;
    for (const funclet of read.funclets) owners.set(funclet, owners.has(funclet) && owners.get(funclet) !== parent ? undefined : parent);
  }
  return ranges.map((range) => {
    const owner = range.primary === undefined ? owners.get(file.rvaOf(range.start) ?? -1) : undefined;
    return owner === undefined ? range : { ...range, primary: file.va(owner) };
  });
}

/** RVA of each `FuncInfo` with the RVAs of the ranges whose language data names it. */
function groupedByInfo(file: PeFile, ranges: readonly UnwindRange[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const { start, lsda } of ranges) {
    const data = lsda === undefined ? undefined : file.rvaOf(lsda);
    const info = data === undefined ? undefined : wordAt(file, data);
    const rva = file.rvaOf(start);
    if (info === undefined || rva === undefined || !magics.has(wordAt(file, info) ?? 0)) continue;
    const group = groups.get(info);
    if (group === undefined) groups.set(info, [rva]);
    else group.push(rva);
  }
  return groups;
}

function wordAt(file: PeFile, rva: number): number | undefined {
  const place = file.place(rva);
  return place === undefined || place.available < 4 ? undefined : file.aside.u32(place.offset);
}

interface Funclets {
  readonly funclets: ReadonlySet<number>;
  /** Entries of tables that were read. */
  readonly entries: number;
}

/** Throws the range error where a table reaches past the data of its section. */
function funcletsOf(file: PeFile, info: number, budget: number): Funclets {
  const word = (rva: number): number => file.aside.u32(file.offsetOf(rva, 4));
  const funclets = new Set<number>();
  let entries = 0;
  /** RVAs of the entries of a table, as many as may still be read. */
  const rows = (count: number, rva: number, size: number): readonly number[] => {
    const most = Math.min(count, budget - entries);
    if (most > 0) file.offsetOf(rva, most * size);
    entries += Math.max(0, most);
    return Array.from({ length: Math.max(0, most) }, (_, index) => rva + index * size);
  };
  for (const action of rows(word(info + 4), word(info + 8), actionSize)) funclets.add(word(action + 4));
  for (const block of rows(word(info + 12), word(info + 16), tryBlockSize)) {
    for (const handler of rows(word(block + 12), word(block + 16), handlerSize)) funclets.add(word(handler + 12));
  }
  funclets.delete(0);
  return { funclets, entries };
}
