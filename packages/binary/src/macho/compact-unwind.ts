import type { Findings } from "../findings.js";
import type { UnwindRange } from "../image.js";
import type { MachOFile } from "./macho-file.js";
import type { MachSection } from "./segments.js";

const regularPage = 2;
const compressedPage = 3;

interface UnwindTable {
  readonly file: MachOFile;
  /** File offset and size of `__unwind_info`. */
  readonly offset: number;
  readonly size: number;
  readonly findings: Findings;
  readonly commonCount: number;
  readonly commonOffset: number;
  readonly lsdas: ReadonlyMap<number, number>;
}

interface IndexEntry {
  readonly functionOffset: number;
  readonly pageOffset: number;
  readonly lsdaOffset: number;
}

/**
 * `mach-o/compact_unwind_encoding.h`: one item per entry with an encoding. Linkers fold neighbours with equal encodings
 * into one entry, so an entry tells where a function starts, not where it ends. One with language-specific data stands
 * alone: it reaches to the next entry, padding included.
 */
export function readCompactUnwind(file: MachOFile, findings: Findings): readonly UnwindRange[] {
  const section = file.sections.find(({ name, segmentName }) => name === "__unwind_info" && segmentName === "__TEXT");
  if (section === undefined || section.fileOffset === 0) return [];
  const ranges: UnwindRange[] = [];
  findings.attempt("unwind", section.fileOffset, () => {
    readTable(file, section, findings, ranges);
  });
  return ranges;
}

function readTable(file: MachOFile, section: MachSection, findings: Findings, ranges: UnwindRange[]): void {
  const part = file.reader.slice(section.fileOffset, sizeInFile(file, section));
  const at = (field: number): number => part.u32(field);
  if (at(0) !== 1) {
    findings.note("unwind", "unsupported_format", "The compact unwind table has an unknown version.");
    return;
  }
  const indexOffset = at(20);
  const indexCount = Math.min(at(24), Math.floor(Math.max(0, part.size - indexOffset) / 12));
  const index = Array.from({ length: indexCount }, (_, position): IndexEntry => {
    const entry = indexOffset + position * 12;
    return { functionOffset: at(entry), pageOffset: at(entry + 4), lsdaOffset: at(entry + 8) };
  });
  const table = { file, offset: section.fileOffset, size: part.size, findings, commonOffset: at(4), commonCount: at(8), lsdas: readLsdas(part, index) };
  const functions: FunctionEntry[] = [];
  // Pages do not overlap in a sound table; this bounds one whose index names a page many times.
  let budget = Math.floor(part.size / 4);
  for (const entry of index) {
    // The last entry has no page: it tells where the described code ends.
    if (entry.pageOffset === 0) functions.push({ functionOffset: entry.functionOffset, described: false });
    else {
      findings.attempt("unwind", section.fileOffset + entry.pageOffset, () => {
        budget -= readPage(table, entry, budget, functions);
      });
    }
    if (budget <= 0) break;
  }
  functions.forEach((fn, position) => {
    if (fn.described) ranges.push(rangeOf(table, fn.functionOffset, functions[position + 1]?.functionOffset));
  });
}

function sizeInFile(file: MachOFile, section: MachSection): number {
  const available = Math.max(0, file.reader.size - section.fileOffset);
  return section.size > BigInt(available) ? available : Number(section.size);
}

/** Language-specific data by function offset; the sentinel's offset ends the last run. */
function readLsdas(part: { readonly size: number; u32(offset: number): number }, index: readonly IndexEntry[]): ReadonlyMap<number, number> {
  const lsdas = new Map<number, number>();
  const start = index[0]?.lsdaOffset ?? 0;
  const end = Math.min(index.at(-1)?.lsdaOffset ?? 0, part.size);
  for (let at = start; start > 0 && at + 8 <= end; at += 8) lsdas.set(part.u32(at), part.u32(at + 4));
  return lsdas;
}

interface FunctionEntry {
  readonly functionOffset: number;
  /** False for an encoding of zero: nothing is known about the code, not even that a function starts there. */
  readonly described: boolean;
}

/** Adds the entries of one page and gives their number. */
function readPage(table: UnwindTable, entry: IndexEntry, budget: number, functions: FunctionEntry[]): number {
  const part = table.file.reader.slice(table.offset, table.size);
  const page = entry.pageOffset;
  const kind = part.u32(page);
  const entries = page + part.u16(page + 4);
  const count = Math.min(part.u16(page + 6), budget);
  if (kind !== regularPage && kind !== compressedPage) {
    table.findings.malformed("unwind", table.offset + page, "a second-level page has an unknown kind");
    return 0;
  }
  for (let index = 0; index < count; index += 1) {
    const [functionOffset, encoding] =
      kind === regularPage ? regularEntry(part, entries + index * 8) : compressedEntry(table, part, entry, entries + index * 4);
    functions.push({ functionOffset, described: encoding !== 0 });
  }
  return count;
}

interface Words {
  readonly size: number;
  u16(offset: number): number;
  u32(offset: number): number;
}

function regularEntry(part: Words, at: number): readonly [number, number] {
  return [part.u32(at), part.u32(at + 4)];
}

/** 24 bits of distance from the index entry's function, 8 bits of encoding: common ones first, then the page's own. */
function compressedEntry(table: UnwindTable, part: Words, entry: IndexEntry, at: number): readonly [number, number] {
  const word = part.u32(at);
  const position = word >>> 24;
  const own = entry.pageOffset + part.u16(entry.pageOffset + 8) + (position - table.commonCount) * 4;
  const encoding = part.u32(position < table.commonCount ? table.commonOffset + position * 4 : own);
  return [entry.functionOffset + (word & 0xffffff), encoding];
}

function rangeOf(table: UnwindTable, functionOffset: number, next: number | undefined): UnwindRange {
  const { file, lsdas } = table;
  const lsda = lsdas.get(functionOffset);
  const bounded = lsda !== undefined && next !== undefined && next > functionOffset;
  return {
    start: file.va(file.base + BigInt(functionOffset)),
    end: bounded ? file.va(file.base + BigInt(next)) : undefined,
    source: "unwind-info",
    primary: undefined,
    lsda: lsda === undefined ? undefined : file.va(file.base + BigInt(lsda)),
  };
}
