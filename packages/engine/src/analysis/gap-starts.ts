import { endsFlow, flow } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { Explorer } from "./explorer.js";
import type { ExtentIndex } from "./extents.js";
import { alignsFunctions } from "./function-alignment.js";
import { decodesToAnEnd } from "./pointer-starts.js";
import { zeroFill } from "./region-probes.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";
import { straightEnd } from "./straight-end.js";

/** Instructions of the longest detour that linkers make. */
const longestDetour = 4;
/** Linkers keep a place for detours within a page or a few. */
const farthestPassed = 0x4000;
/** Work over claimed code is counted once for so many bytes, less one. */
const coarse = 0xffff;

/**
 * Guesses function starts in code that nothing leads to: the first instruction behind the padding that follows a finished
 * function, at an address where functions may start, where the bytes decode. Not inside declared ranges, and not behind
 * a function with an unresolved computed jump, whose own code may follow. Marked as `prologue`, the weakest evidence.
 */
export function addGapStarts(code: CodeMap, seeds: Seeds, explorer: Explorer, { extents, bounds }: GapInput): number {
  let added = 0;
  const alignment = { instruction: code.alignment, fn: alignsFunctions(seeds) ? code.functionAlignment : code.alignment };
  for (const region of code.regions) {
    const open = explorer.computed.openOwners(region);
    for (const start of bounds.watched(gapStarts(region, open, { alignment, bounds }))) {
      const rva = region.start + start;
      if (seeds.sources.has(rva) || extents.at(rva) !== undefined) continue;
      if (!region.decoder.startsFunction(start) || !decodesToAnEnd(region, start, seeds.noReturn)) continue;
      if (behindDetour(region, start) >= 0 || passesDetours(region, start, code.alignment)) continue;
      seeds.sources.add(rva, "prologue");
      explorer.addEntry(rva);
      added += 1;
    }
  }
  return added;
}

/**
 * The offset behind code that only leads into the middle of a known function: a linker's detour around a processor's fault,
 * not a function; -1 for all else.
 */
function behindDetour(region: CodeRegion, start: number): number {
  const { decoder } = region;
  let at = start;
  for (let count = 0; count < longestDetour && decoder.decode(at); count += 1) {
    const end = at + decoder.length;
    if (decoder.flow === flow.jump) {
      const target = decoder.target - region.start;
      return region.claimed.has(target) && !region.entries.has(target) ? end : -1;
    }
    if (decoder.flow !== flow.sequential) return -1;
    at = end;
  }
  return -1;
}

/** True for a jump over nothing but detours and fill, which a linker puts before those it places between functions. */
function passesDetours(region: CodeRegion, start: number, alignment: number): boolean {
  const { decoder } = region;
  if (!decoder.decode(start) || decoder.flow !== flow.jump) return false;
  const end = decoder.target - region.start;
  if (end - start > farthestPassed) return false;
  let at = start + decoder.length;
  let detours = 0;
  while (at < end) {
    const next = behindFill(region, at, alignment);
    at = next >= 0 ? next : behindDetour(region, at);
    if (at < 0) return false;
    if (next < 0) detours += 1;
  }
  return detours > 0 && at === end;
}

/** The offset behind zeros or an instruction that does nothing, -1 where there is neither. */
function behindFill(region: CodeRegion, at: number, alignment: number): number {
  const zeros = zeroFill(region, at, alignment);
  if (zeros > 0) return at + zeros;
  return region.decoder.decode(at) && region.decoder.flow === flow.padding ? at + region.decoder.length : -1;
}

interface GapInput {
  readonly extents: ExtentIndex;
  readonly bounds: WorkBounds;
}

interface Search {
  readonly alignment: Alignment;
  readonly bounds: WorkBounds;
}

interface Alignment {
  readonly instruction: number;
  readonly fn: number;
}

/** The candidates of each gap between claimed instructions. */
function gapStarts(region: CodeRegion, open: ReadonlySet<number>, { alignment, bounds }: Search): number[] {
  const found: number[] = [];
  let at = 0;
  while (at < region.marks.length) {
    const length = region.claimed.has(at) ? (region.marks[at] ?? 0) & 15 : 0;
    if (length > 0) {
      at += length;
      if ((at & coarse) < length) bounds.worked(coarse >>> 3);
      continue;
    }
    let end = at;
    while (end < region.marks.length && !region.claimed.has(end)) end += 1;
    bounds.worked(8 + ((end - at) >>> 3));
    const start = behindPadding(region, at, end, alignment);
    if (start >= 0 && at > 0 && !open.has(region.entries.floor(at - 1))) addChain(region, { start, end, alignment }, found);
    at = end;
  }
  return found;
}

/**
 * A gap often holds one function after another. Those behind the first are taken at once, as far as each seems to end
 * before the next begins, so that a long row of them does not cost a pass over the code for each.
 */
function addChain(region: CodeRegion, gap: { start: number; end: number; alignment: Alignment }, found: number[]): void {
  let start = gap.start;
  while (start >= 0) {
    found.push(start);
    const end = straightEnd(region, start, gap.end);
    start = end < 0 ? -1 : firstInstruction(region, end, gap.end, gap.alignment);
  }
}

/** Offset of the first instruction in the gap that is no padding, when it is aligned as functions are; else -1. */
function behindPadding(region: CodeRegion, start: number, end: number, alignment: Alignment): number {
  const before = region.claimed.floor(start - 1);
  if (before < 0 || !endsFlow((region.marks[before] ?? 0) >>> 4)) return -1;
  return firstInstruction(region, start, end, alignment);
}

function firstInstruction(region: CodeRegion, start: number, end: number, { instruction, fn }: Alignment): number {
  let at = start;
  while (at < end) {
    const skipped = region.data.has(at) ? 1 : zeroFill(region, at, instruction);
    if (skipped > 0) {
      at += skipped;
      continue;
    }
    if (!region.decoder.decode(at)) return -1;
    if (region.decoder.flow !== flow.padding && region.decoder.flow !== flow.trap) break;
    at += region.decoder.length;
  }
  return at < end && (region.start + at) % fn === 0 ? at : -1;
}
