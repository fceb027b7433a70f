import { Findings } from "../findings.js";
import type { UnwindRange } from "../image.js";
import { partsOfCompressedInfo } from "./compressed-function-info.js";
import { isFunctionInfo, partsOfFunctionInfo } from "./function-info.js";
import { wordAt, type CalledParts, type DataContext, type HandledRange } from "./language-data.js";
import type { PeFile } from "./pe-file.js";
import { partsOfScopes } from "./scope-table.js";

/** `IMAGE_SCN_MEM_EXECUTE`. */
const executeFlag = 0x2000_0000;
/** Sections begin behind the headers, on a page of their own; lower words count something. */
const lowestSection = 0x1000;
/** So many entries of tables are read, however many a file declares. */
const mostEntries = 1 << 20;

/**
 * Gives the parts that Microsoft's compilers make of a function, bodies of `catch` and `__finally`, filters and clean-up code
 * the function they belong to as `primary`. The language data of that function lists them; those without unwind information
 * of their own are added, without an end. A part that several functions list, or whose function is not one single range, stays as it is.
 */
export function withFunclets(file: PeFile, ranges: readonly UnwindRange[], findings: Findings): readonly UnwindRange[] {
  const handled = handledRanges(file, ranges);
  if (handled.length === 0) return ranges;
  const starts = new Set(ranges.map(({ start }) => file.rvaOf(start) ?? -1));
  const isCode = codeTest(file);
  const owners = new Map<number, number | undefined>();
  let budget = mostEntries;
  for (const group of groupedByTable(file, handled)) {
    const read = partsOf(group, { file, budget, starts, isCode }, findings);
    if (read === undefined) continue;
    budget -= read.entries;
    const parents = group.ranges.map(({ start }) => start).filter((start) => !read.parts.has(start));
    const parent = parents.length === 1 ? parents[0] : undefined;
    for (const part of read.parts) owners.set(part, owners.has(part) && owners.get(part) !== parent ? undefined : parent);
  }
  const owned = ranges.map((range) => {
    const owner = range.primary === undefined ? owners.get(file.rvaOf(range.start) ?? -1) : undefined;
    return owner === undefined ? range : { ...range, primary: file.va(owner) };
  });
  const bare = [...owners].flatMap(([part, owner]): UnwindRange[] =>
    owner === undefined || starts.has(part) || !isCode(part) ? [] : [{ start: file.va(part), end: undefined, source: "pdata", primary: file.va(owner), lsda: undefined }],
  );
  return [...owned, ...bare.sort((a, b) => (a.start < b.start ? -1 : 1))];
}

function codeTest(file: PeFile): (rva: number) => boolean {
  const code = file.sections.filter(({ characteristics }) => (characteristics & executeFlag) !== 0);
  return (rva) => code.some((section) => rva >= section.rva && rva < section.rva + section.virtualSize);
}

function handledRanges(file: PeFile, ranges: readonly UnwindRange[]): readonly HandledRange[] {
  return ranges.flatMap((range) => {
    const data = range.lsda === undefined ? undefined : file.rvaOf(range.lsda);
    const start = file.rvaOf(range.start);
    if (data === undefined || start === undefined) return [];
    return [{ start, end: range.end === undefined ? undefined : file.rvaOf(range.end), data }];
  });
}

interface TableGroup {
  /** RVA of the language data, or of what it leads to. */
  readonly table: number;
  readonly isIndirect: boolean;
  readonly ranges: HandledRange[];
}

/** C++ functions and the parts of them name one and the same table, each with a word of its own. */
function groupedByTable(file: PeFile, ranges: readonly HandledRange[]): Iterable<TableGroup> {
  const groups = new Map<number, TableGroup>();
  for (const range of ranges) {
    const word = wordAt(file, range.data) ?? 0;
    const isIndirect = word >= lowestSection && file.place(word) !== undefined;
    const table = isIndirect ? word : range.data;
    const group = groups.get(table);
    if (group === undefined) groups.set(table, { table, isIndirect, ranges: [range] });
    else group.ranges.push(range);
  }
  return groups.values();
}

function partsOf({ table, isIndirect, ranges: [range] }: TableGroup, context: DataContext, findings: Findings): CalledParts | undefined {
  if (!isIndirect) return range === undefined ? undefined : partsOfScopes(range, context);
  const place = context.file.place(table)?.offset ?? 0;
  if (isFunctionInfo(context.file, table)) return findings.attempt("unwind", place, () => partsOfFunctionInfo(table, context));
  // Language data of another kind is no damage when it cannot be read as this one.
  return new Findings().attempt("unwind", place, () => partsOfCompressedInfo(table, context));
}
