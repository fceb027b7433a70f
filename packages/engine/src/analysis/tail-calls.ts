import { endsFlow, flow } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { Explorer } from "./explorer.js";
import { ExtentIndex } from "./extents.js";
import { alignsFunctions, usualAlignment } from "./function-alignment.js";
import { endingAt } from "./region-probes.js";
import type { WorkBounds } from "./work-bounds.js";
import type { Seeds } from "./seeds.js";

/** Most bytes of a function's first straight stretch that are looked at. */
const firstStretch = 512;

interface Jump {
  readonly from: number;
  readonly to: number;
}

/**
 * Adds the targets of jumps that leave their function as functions of their own. A compiler lays out one function in one
 * piece, so a jump that crosses another function's entry is a tail call, unless code already runs into its target. A
 * conditional one may lead to a split-off part as well: it counts where functions are aligned, the target is, and what
 * stands there returns and does not jump back. Between neighbours, the target is a function where it is aligned, stands
 * behind padding and sets up a frame, or where nothing but that padding is jumped over.
 */
export function addTailCallTargets(code: CodeMap, seeds: Seeds, explorer: Explorer, bounds: WorkBounds): number {
  const index = new ExtentIndex(seeds.extents);
  const aligned = alignsFunctions(seeds);
  const found = new Set<number>();
  explorer.jumps.forEach((from, to, conditional) => {
    bounds.worked(1);
    if (found.has(to) || seeds.sources.has(to) || index.at(to) !== undefined) return;
    const source = code.regionAt(from);
    const target = code.regionAt(to);
    if (source === undefined || target === undefined || isRunInto(target, to - target.start)) return;
    const jump = { from, to };
    if (crossesEntry(jump, source, target)) {
      if (!conditional || (aligned && isConditionalTailCall(jump, { source, target, explorer }))) found.add(to);
    } else if (!conditional && aligned && isNeighbour(source, jump)) found.add(to);
  });
  for (const to of found) {
    seeds.sources.add(to, "tail-call");
    explorer.addEntry(to);
  }
  return found.size;
}

/** True when the instruction that ends at `at` goes on there. */
function isRunInto(region: CodeRegion, at: number): boolean {
  const before = endingAt(region, at);
  const kind = (region.marks[before] ?? 0) >>> 4;
  return before >= 0 && !endsFlow(kind) && kind !== flow.padding;
}

function crossesEntry({ from, to }: Jump, source: CodeRegion, target: CodeRegion): boolean {
  return source !== target || source.entries.floor(from - source.start) !== source.entries.floor(to - source.start);
}

interface Ends {
  readonly source: CodeRegion;
  readonly target: CodeRegion;
  readonly explorer: Explorer;
}

function isConditionalTailCall(jump: Jump, { source, target, explorer }: Ends): boolean {
  if (jump.to % usualAlignment !== 0 || !crossesEntry(jump, source, target) || !explorer.returns(jump.to)) return false;
  const owner = source.entries.floor(jump.from - source.start);
  return !jumpsInto(target, jump.to - target.start, { region: source, entry: owner });
}

/** True when the first stretch of code from `start` jumps into the middle of the function at `entry`. */
function jumpsInto(region: CodeRegion, start: number, into: { readonly region: CodeRegion; readonly entry: number }): boolean {
  for (let at = start; at < start + firstStretch && at < region.marks.length; ) {
    const mark = region.marks[at] ?? 0;
    if (mark === 0 || (at !== start && region.entries.has(at))) return false;
    const kind = mark >>> 4;
    if ((kind === flow.jump || kind === flow.conditionalJump) && region.decoder.decode(at)) {
      const offset = region.decoder.target - into.region.start;
      if (offset !== into.entry && offset > 0 && into.region.entries.floor(offset) === into.entry) return true;
    }
    at += mark & 15;
  }
  return false;
}

function isNeighbour(region: CodeRegion, { from, to }: Jump): boolean {
  if (to % usualAlignment !== 0 || to < from) return false;
  const padding = paddingBefore(region, to - region.start);
  if (padding === 0) return false;
  const start = from - region.start;
  const jumpEnd = start + ((region.marks[start] ?? 0) & 15);
  return jumpEnd === to - region.start - padding || region.decoder.opensFrame(to - region.start);
}

/** Bytes of padding, less than functions are aligned by, between an instruction that ends flow and `at`. */
function paddingBefore(region: CodeRegion, at: number): number {
  for (let back = 1; back < usualAlignment && back < at; back += 1) {
    const before = endingAt(region, at - back);
    if (before < 0) continue;
    return endsFlow((region.marks[before] ?? 0) >>> 4) && isFill(region, at - back, at) ? back : 0;
  }
  return 0;
}

function isFill(region: CodeRegion, start: number, end: number): boolean {
  let at = start;
  while (at < end && region.decoder.decode(at) && (region.decoder.flow === flow.padding || region.decoder.flow === flow.trap)) {
    at += region.decoder.length;
  }
  return at === end;
}
