import type { CodeMap } from "./code-map.js";
import type { Explorer } from "./explorer.js";
import { ExtentIndex } from "./extents.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";

/** A split-off part: where it starts, and the entry of the function it belongs to. */
export type Parts = ReadonlyMap<number, number>;

interface Watch {
  readonly index: ExtentIndex;
  readonly bounds: WorkBounds;
}

interface Incoming {
  /** Entry of the only function that jumps here, -1 for several. */
  source: number;
  conditional: boolean;
  /** True when the candidate jumps back into the middle of that function. */
  back: boolean;
}

/**
 * Separates function entries from split-off parts. A start that only an unwind range or a `.cold` symbol names, and that
 * one single function jumps to, is a part of that function when a symbol says so, when it jumps back into the middle of
 * that function, or when it is reached by a conditional jump and never returns. Anything else may be a tail call.
 */
export function findParts(code: CodeMap, seeds: Seeds, explorer: Explorer, bounds: WorkBounds): Parts {
  const parts = new Map(seeds.parts);
  const index = new ExtentIndex(seeds.extents);
  const incoming = incomingJumps(seeds, explorer, { index, bounds });
  noteJumpsBack(incoming, explorer, { index, bounds });
  for (const [start, { source, conditional, back }] of bounds.watched(incoming)) {
    const looksSplit = seeds.coldNamed.has(start) || back || (conditional && !explorer.returns(start));
    if (source >= 0 && source !== start && looksSplit) parts.set(start, source);
  }
  for (const start of parts.keys()) dropEntry(code, seeds, start);
  return withoutChains(parts);
}

function incomingJumps(seeds: Seeds, explorer: Explorer, { index, bounds }: Watch): Map<number, Incoming> {
  const incoming = new Map<number, Incoming>();
  explorer.jumps.forEach((from, to, conditional) => {
    bounds.worked(1);
    if (!isCandidate(seeds, to)) return;
    const source = index.at(from)?.start ?? -1;
    const known = incoming.get(to);
    if (known === undefined) incoming.set(to, { source, conditional, back: false });
    else {
      if (known.source !== source) known.source = -1;
      known.conditional ||= conditional;
    }
  });
  return incoming;
}

function noteJumpsBack(incoming: ReadonlyMap<number, Incoming>, explorer: Explorer, { index, bounds }: Watch): void {
  explorer.jumps.forEach((from, to) => {
    bounds.worked(1);
    const candidate = incoming.get(index.at(from)?.start ?? -1);
    if (candidate === undefined) return;
    const into = index.at(to)?.start;
    if (into === candidate.source && to !== into) candidate.back = true;
  });
}

/** Nothing but the unwind table, or a `.cold` symbol, speaks for the start. */
function isCandidate(seeds: Seeds, start: number): boolean {
  if (!seeds.sources.has(start)) return false;
  return seeds.coldNamed.has(start)
    ? seeds.sources.isOnly(start, "unwind", "symbol")
    : seeds.sources.isOnly(start, "unwind");
}

function dropEntry(code: CodeMap, seeds: Seeds, start: number): void {
  if (!seeds.sources.isOnly(start, "unwind", "symbol")) return;
  const region = code.regionAt(start);
  region?.entries.delete(start - region.start);
  seeds.sources.delete(start);
}

/** A part of a part belongs to the outermost function; parts that only name each other are left out. */
function withoutChains(parts: ReadonlyMap<number, number>): Map<number, number> {
  const flat = new Map<number, number>();
  for (const start of parts.keys()) {
    let owner = start;
    for (let hops = 0; hops < 16; hops += 1) {
      const next = parts.get(owner);
      if (next === undefined) break;
      owner = next;
    }
    if (!parts.has(owner)) flat.set(start, owner);
  }
  return flat;
}
