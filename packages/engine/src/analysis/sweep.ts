import { flow } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { Explorer } from "./explorer.js";
import type { Extent } from "./extents.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";

/**
 * Decodes what control flow did not reach inside the range that an unwind table or symbol gives to a function: exception
 * landing pads, targets of computed jumps, catch blocks that are called through tables. What such a block does, return for
 * one, says nothing of the function that it is a part of. Parts of which no table tells the end are followed. A gap counts as code only when it decodes from its start exactly to its end;
 * else it stays unexamined.
 */
export function sweepExtents(code: CodeMap, explorer: Explorer, { extents, sources, parts }: Pick<Seeds, "extents" | "sources" | "parts">, bounds: WorkBounds): void {
  for (const extent of bounds.watched(extents)) {
    const region = code.regionAt(extent.start);
    if (region === undefined || !(sources.has(extent.start) || parts.has(extent.start))) continue;
    const end = Math.min(extent.end, region.end) - region.start;
    bounds.worked(Math.max(0, end - (extent.start - region.start)) >>> 3);
    for (let at = extent.start - region.start; at < end; ) at = sweepFrom(region, at, { end, extent, explorer });
  }
  for (const [start, owner] of bounds.watched(parts)) {
    const region = code.regionAt(start);
    if (region === undefined || region.marks[start - region.start] !== 0) continue;
    explorer.exploreHidden(start, owner);
    explorer.explore();
  }
}

interface Sweep {
  readonly end: number;
  readonly extent: Extent;
  readonly explorer: Explorer;
}

/** Handles the instruction or gap at `at` and gives the offset after it. */
function sweepFrom(region: CodeRegion, at: number, sweep: Sweep): number {
  const known = (region.marks[at] ?? 0) & 15;
  if (known > 0) return at + known;
  if (region.data.has(at)) return at + 1;
  let gapEnd = at + 1;
  while (gapEnd < sweep.end && region.marks[gapEnd] === 0 && !region.data.has(gapEnd)) gapEnd += 1;
  const end = sweep.extent.open === true && gapEnd === sweep.end ? withoutPadding(region, at, gapEnd) : gapEnd;
  if (decodesCleanly(region, at, end)) exploreGap(region, at, end, sweep);
  return gapEnd;
}

function decodesCleanly(region: CodeRegion, start: number, end: number): boolean {
  let at = start;
  while (at < end && region.decoder.decode(at)) at += region.decoder.length;
  return at === end;
}

/** Where the last instruction of a gap ends that is no padding; the end itself when the gap does not decode. */
function withoutPadding(region: CodeRegion, start: number, end: number): number {
  let last = start;
  let at = start;
  while (at < end && region.decoder.decode(at)) {
    at += region.decoder.length;
    if (region.decoder.flow !== flow.padding && region.decoder.flow !== flow.trap) last = at;
  }
  return at === end ? last : end;
}

function exploreGap(region: CodeRegion, start: number, end: number, { extent, explorer }: Sweep): void {
  let at = start;
  while (at < end) {
    if (region.marks[at] === 0) exploreAt(region, at, extent.start, explorer);
    const length = (region.marks[at] ?? 0) & 15;
    if (length === 0) return;
    at += length;
  }
}

/** Padding is marked and no more: it is never executed, so nothing follows from where it leads. */
function exploreAt(region: CodeRegion, at: number, entry: number, explorer: Explorer): void {
  const { decoder } = region;
  if (!decoder.decode(at)) return;
  if (decoder.flow === flow.padding || decoder.flow === flow.trap) {
    region.marks[at] = (decoder.flow << 4) | decoder.length;
    return;
  }
  explorer.exploreHidden(region.start + at, entry);
  explorer.explore();
}
