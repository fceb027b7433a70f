import { checkRange } from "@rea/core";

import type { Findings } from "../findings.js";
import { decodePointer, pointerFormat } from "./chained-pointer.js";
import type { BindTarget, Fixup, FixupTable } from "./fixups.js";
import type { DataRange, MachOFile } from "./macho-file.js";

const noChain = 0xffff;
const multiple = 0x8000;

/** `LC_DYLD_CHAINED_FIXUPS` (`mach-o/fixup-chains.h`): the imports, and every pointer of every chain. */
export function readChainedFixups(file: MachOFile, range: DataRange, findings: Findings): FixupTable {
  const items: Fixup[] = [];
  const imports = findings.attempt("imports", range.offset, () => readImports(file, range, findings)) ?? [];
  const formats = new Set<string>();
  // Every start of a sound table has its own two bytes, so this ends tables that overlap.
  const budget = { starts: Math.floor(range.size / 2) };
  findings.attempt("fixups", range.offset, () => {
    const starts = inside(range, file.reader.u32(inside(range, 4, 4)), 4);
    const declared = file.reader.u32(starts);
    const count = Math.min(declared, file.segments.length);
    if (count < declared) findings.malformed("fixups", starts, "chains are declared for more segments than there are");
    for (let index = 0; index < count; index += 1) {
      const offset = file.reader.u32(inside(range, starts - range.offset + 4 + index * 4, 4));
      if (offset === 0) continue;
      findings.attempt("fixups", starts, () => {
        walkSegment({ file, range, starts: inside(range, starts - range.offset + offset, 22), imports, items, findings, formats, budget });
      });
    }
  });
  const binds = items.filter(({ bind }) => bind !== undefined).length;
  const summary = { pointer_format: [...formats].join(" "), imports: imports.length, rebases: items.length - binds, binds };
  return { kind: "chained", items, imports, summary };
}

/** File offset of `length` bytes at `offset` of the blob; throws when they lie outside. */
function inside(range: DataRange, offset: number, length: number): number {
  checkRange(offset, length, range.size);
  return range.offset + offset;
}

interface SegmentWalk {
  readonly file: MachOFile;
  readonly range: DataRange;
  /** File offset of `dyld_chained_starts_in_segment`. */
  readonly starts: number;
  readonly imports: readonly BindTarget[];
  readonly items: Fixup[];
  readonly findings: Findings;
  readonly formats: Set<string>;
  readonly budget: { starts: number };
}

function walkSegment(walk: SegmentWalk): void {
  const { reader } = walk.file;
  const pageSize = reader.u16(walk.starts + 4);
  const format = reader.u16(walk.starts + 6);
  const segmentVa = walk.file.base + reader.u64(walk.starts + 8);
  const known = pointerFormat(format);
  if (known === undefined) {
    walk.findings.note("fixups", "unsupported_method", `Pointer format ${String(format)} is not known; its chains were not walked.`);
    return;
  }
  walk.formats.add(known.name);
  const pages = reader.u16(walk.starts + 20);
  for (let page = 0; page < pages; page += 1) {
    for (const start of pageStarts(walk, page)) {
      walkChain(walk, { format, size: known.size, va: segmentVa + BigInt(page * pageSize + start) });
    }
  }
}

/** Starts of the chains of one page; 32-bit formats may have several, listed behind the pages. */
function pageStarts(walk: SegmentWalk, page: number): readonly number[] {
  const at = (index: number): number => {
    walk.budget.starts -= 1;
    if (walk.budget.starts < 0) checkRange(walk.starts, Infinity, walk.file.reader.size);
    return walk.file.reader.u16(inside(walk.range, walk.starts - walk.range.offset + 22 + index * 2, 2));
  };
  const start = at(page);
  if (start === noChain) return [];
  if ((start & multiple) === 0) return [start];
  const starts: number[] = [];
  for (let index = start & ~multiple; ; index += 1) {
    const entry = at(index);
    starts.push(entry & ~multiple);
    if ((entry & multiple) !== 0) return starts;
  }
}

/** Chains only move forward; together they may not hold more pointers than the file has words. */
function walkChain(walk: SegmentWalk, chain: { readonly format: number; readonly size: 4 | 8; readonly va: bigint }): void {
  const { file, items } = walk;
  const limit = Math.floor(file.reader.size / 4);
  let next = 1;
  for (let va = chain.va; next > 0; va += BigInt(next)) {
    const offset = file.offsetOf(va, chain.size);
    if (items.length >= limit) checkRange(offset, Infinity, file.reader.size);
    const raw = chain.size === 8 ? file.reader.u64(offset) : BigInt(file.reader.u32(offset));
    const pointer = decodePointer(chain.format, raw, file.base);
    items.push(fixupOf(walk, va, pointer));
    next = pointer.next;
  }
}

function fixupOf(walk: SegmentWalk, va: bigint, pointer: ReturnType<typeof decodePointer>): Fixup {
  const kind = pointer.authenticated ? "chained-auth-" : "chained-";
  if (pointer.ordinal === undefined) return { va, type: `${kind}rebase`, target: pointer.target, bind: undefined };
  const declared = walk.imports[pointer.ordinal];
  if (declared === undefined) walk.findings.malformed("fixups", walk.starts, "a pointer names an import that does not exist");
  const bind = declared === undefined ? undefined : { ...declared, addend: declared.addend + pointer.addend };
  return { va, type: `${kind}bind`, target: undefined, bind };
}

const importSizes: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [2, 8],
  [3, 16],
]);

function readImports(file: MachOFile, range: DataRange, findings: Findings): readonly BindTarget[] {
  const { reader } = file;
  const at = (field: number): number => reader.u32(inside(range, field, 4));
  const [importsOffset, symbolsOffset, declared, format, symbolsFormat] = [at(8), at(12), at(16), at(20), at(24)];
  const size = importSizes.get(format);
  if (size === undefined || symbolsFormat !== 0) {
    findings.note("imports", "unsupported_method", "The import table uses a format or a compression that is not known.");
    return [];
  }
  const count = Math.min(declared, Math.floor(Math.max(0, range.size - importsOffset) / size));
  if (count < declared) findings.malformed("imports", range.offset, "the import table reaches past its data");
  const imports: BindTarget[] = [];
  for (let index = 0; index < count; index += 1) {
    const entry = range.offset + importsOffset + index * size;
    const { nameOffset, ...rest } = format === 3 ? wideImport(file, entry) : narrowImport(file, entry, format === 2);
    const name = file.strings.at(inside(range, symbolsOffset + nameOffset, 1), range.offset + range.size);
    imports.push({ ...rest, name, file: { offset: entry, size } });
  }
  file.strings.report(findings, "imports");
  return imports;
}

function narrowImport(file: MachOFile, entry: number, addend: boolean) {
  const word = file.reader.u32(entry);
  const ordinal = word & 0xff;
  return {
    // Values above 0xf0 are the negative lookup rules.
    ordinal: ordinal > 0xf0 ? ordinal - 0x100 : ordinal,
    weakImport: ((word >>> 8) & 1) === 1,
    nameOffset: word >>> 9,
    addend: addend ? BigInt(file.reader.i32(entry + 4)) : 0n,
  };
}

function wideImport(file: MachOFile, entry: number) {
  const word = file.reader.u32(entry);
  const ordinal = word & 0xffff;
  return {
    ordinal: ordinal > 0xfff0 ? ordinal - 0x10000 : ordinal,
    weakImport: ((word >>> 16) & 1) === 1,
    nameOffset: file.reader.u32(entry + 4),
    addend: file.reader.i64(entry + 8),
  };
}
