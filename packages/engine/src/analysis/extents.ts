import { lastAtOrBelow } from "./memory-map.js";
import type { WorkBounds } from "./work-bounds.js";

/** A range of RVAs that a table of the file gives to one function. */
export interface Extent {
  readonly start: number;
  readonly end: number;
  /** True when `end` is only where the next function starts: padding before it is not the function's. */
  readonly open?: boolean;
}

/**
 * Extents for starts of a list that names every function of the image: each reaches to the next start, or to the end of
 * its code. Starts that have an extent of their own keep it.
 */
export function extentsBetween(starts: readonly number[], known: readonly Extent[], endOfCode: (rva: number) => number): Extent[] {
  const described = new Set(known.map((extent) => extent.start));
  const sorted = [...new Set(starts)].sort((a, b) => a - b);
  return sorted.flatMap((start, index) => {
    if (described.has(start)) return [];
    const end = Math.min(sorted[index + 1] ?? Number.POSITIVE_INFINITY, endOfCode(start));
    return end > start ? [{ start, end, open: true }] : [];
  });
}

/** Sorts; keeps the outermost of nested ranges and cuts the tail of those that run into the next one. */
export function withoutNesting(extents: readonly Extent[], bounds: WorkBounds): Extent[] {
  const kept: Extent[] = [];
  for (const extent of [...extents].sort(bounds.watchedOrder((a, b) => a.start - b.start || b.end - a.end))) {
    const previous = kept[kept.length - 1];
    if (previous !== undefined && extent.end <= previous.end) continue;
    if (previous !== undefined && extent.start < previous.end) {
      kept[kept.length - 1] = { ...previous, end: extent.start };
    }
    kept.push(extent);
  }
  return kept.filter((extent) => extent.end > extent.start);
}

/** Finds the extent that holds an address. Code asks for neighbours, so the last answer is tried first. */
export class ExtentIndex {
  readonly #extents: readonly Extent[];
  #last: Extent | undefined;

  /** `extents` as `withoutNesting` gives them. */
  constructor(extents: readonly Extent[]) {
    this.#extents = extents;
  }

  /** True behind the start of an extent: code may call a later part of one function, as Go does with its unrolled loops. */
  isInside(rva: number): boolean {
    const extent = this.at(rva);
    return extent !== undefined && rva !== extent.start;
  }

  at(rva: number): Extent | undefined {
    const last = this.#last;
    if (last !== undefined && rva >= last.start && rva < last.end) return last;
    const found = this.#extents[lastAtOrBelow(this.#extents, rva)];
    if (found === undefined || rva >= found.end) return undefined;
    this.#last = found;
    return found;
  }
}
