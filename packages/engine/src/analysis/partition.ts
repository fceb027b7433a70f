import { endsFlow, flow, isComputedJump, isJump } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { Parts } from "./entries.js";
import type { Explorer } from "./explorer.js";
import type { Extent } from "./extents.js";
import { lastAtOrBelow } from "./memory-map.js";
import type { WorkBounds } from "./work-bounds.js";

const phase = "forming functions";
/** Compilers align loops and jump targets to at most 64 bytes. */
const longestPadding = 63;
const unitsPerDraft = 16;

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A function as a set of instructions: what is claimed for it, as sorted ranges that touch nobody else's. */
export interface Body {
  readonly entry: number;
  readonly ranges: readonly Range[];
  readonly instructions: number;
  /** True when the bound of instructions for one function cut it short. */
  readonly cut: boolean;
}

interface Draft {
  readonly entry: number;
  readonly pieces: Range[];
  instructions: number;
  cut: boolean;
}

/**
 * Gives every decoded instruction to at most one function. Declared ranges are taken first; then each function, in order of
 * entries, takes what its own control flow reaches and nobody has, stopping at other entries. Jumps to those are tail calls.
 */
export class Partition {
  readonly #code: CodeMap;
  readonly #explorer: Explorer;
  readonly #bounds: WorkBounds;

  constructor(code: CodeMap, explorer: Explorer, bounds: WorkBounds) {
    this.#code = code;
    this.#explorer = explorer;
    this.#bounds = bounds;
  }

  /** Bodies for `entries` (sorted), which must be new; instructions of earlier calls stay with their owners. */
  form(entries: Float64Array, extents: readonly Extent[], parts: Parts): Body[] {
    const drafts = new Map<number, Draft>();
    for (const entry of this.#bounds.watched(entries)) drafts.set(entry, { entry, pieces: [], instructions: 0, cut: false });
    const ranged = new Set<number>();
    for (const extent of this.#bounds.watched(extents)) {
      if (parts.has(extent.start)) ranged.add(extent.start);
      const draft = drafts.get(parts.get(extent.start) ?? extent.start);
      if (draft !== undefined) this.#claimDeclared(draft, extent);
    }
    for (const draft of drafts.values()) {
      this.#claimOutside(draft);
      this.#claimReached(draft, [draft.entry]);
    }
    for (const [start, owner] of this.#bounds.watched(parts)) {
      const draft = ranged.has(start) ? undefined : drafts.get(owner);
      if (draft !== undefined) this.#claimReached(draft, [start]);
    }
    return [...drafts.values()].map((draft) => {
      this.#bounds.worked(unitsPerDraft + draft.pieces.length);
      return finish(draft, (from, to) => this.#claimPadding(draft, from, to));
    });
  }

  /** Takes a hole between two pieces of one function when nothing but padding stands in it. */
  #claimPadding(draft: Draft, from: number, to: number): boolean {
    const region = this.#code.regionAt(from);
    this.#bounds.worked(4);
    if (region === undefined || to - from > longestPadding || to > region.end) return false;
    // Where the file says that the function ends here, it does.
    if (region.extentEnds.has(from - region.start)) return false;
    const starts: number[] = [];
    let at = from - region.start;
    while (at < to - region.start) {
      if (region.entries.has(at) || region.claimed.has(at) || !region.decoder.decode(at)) return false;
      if (region.decoder.flow !== flow.padding) return false;
      starts.push(at);
      at += region.decoder.length;
    }
    if (at !== to - region.start) return false;
    for (const start of starts) this.#claimPaddingAt(draft, region, start);
    return true;
  }

  #claimPaddingAt(draft: Draft, region: CodeRegion, at: number): void {
    if (!region.decoder.decode(at)) return;
    region.marks[at] = (flow.padding << 4) | region.decoder.length;
    region.claimed.add(at);
    draft.instructions += 1;
  }

  /** All decoded instructions of a declared range up to the next entry inside it. */
  #claimDeclared(draft: Draft, extent: Extent): void {
    const region = this.#code.regionAt(extent.start);
    if (region === undefined) return;
    const first = extent.start - region.start;
    const end = Math.min(extent.end, region.end) - region.start;
    let pieceStart = first;
    let at = first;
    while (at < end && (at === first || !region.entries.has(at))) {
      const length = (region.marks[at] ?? 0) & 15;
      if (length === 0 || !this.#claim(draft, region, at)) {
        addPiece(draft, region, pieceStart, at);
        at += 1;
        pieceStart = at;
      } else at += length;
    }
    addPiece(draft, region, pieceStart, Math.min(at, region.marks.length));
  }

  /** Follows jumps out of what is claimed so far. */
  #claimOutside(draft: Draft): void {
    for (const piece of [...draft.pieces]) {
      const region = this.#code.regionAt(piece.start);
      if (region === undefined) continue;
      this.#bounds.worked((piece.end - piece.start) >>> 2);
      for (let at = piece.start - region.start; at < piece.end - region.start; ) {
        const mark = region.marks[at] ?? 0;
        if (mark === 0) break;
        if (isJump(mark >>> 4)) this.#claimReached(draft, this.#targets(region, at));
        at += mark & 15;
      }
    }
  }

  #targets(region: CodeRegion, at: number): readonly number[] {
    const kind = (region.marks[at] ?? 0) >>> 4;
    if (isComputedJump(kind)) return this.#explorer.computed.resolved.get(region.start + at) ?? [];
    return region.decoder.decode(at) ? [region.decoder.target] : [];
  }

  #claimReached(draft: Draft, starts: readonly number[]): void {
    const work = [...starts];
    for (let start = work.pop(); start !== undefined; start = work.pop()) {
      const region = this.#code.regionAt(start);
      if (region === undefined) continue;
      if (start !== draft.entry && region.entries.has(start - region.start)) continue;
      this.#claimRun(draft, region, start - region.start, work);
    }
  }

  #claimRun(draft: Draft, region: CodeRegion, start: number, work: number[]): void {
    let at = start;
    while (at < region.marks.length) {
      const mark = region.marks[at] ?? 0;
      const foreign = at !== start && region.entries.has(at);
      if (mark === 0 || foreign || !this.#claim(draft, region, at)) break;
      const kind = mark >>> 4;
      if (isJump(kind)) work.push(...this.#targets(region, at));
      at += mark & 15;
      if (endsFlow(kind) && !this.#explorer.behindCalls.has(region.start + at)) break;
    }
    addPiece(draft, region, start, Math.min(at, region.marks.length));
  }

  /** False when the instruction has an owner or the function is as large as it may be. */
  #claim(draft: Draft, region: CodeRegion, at: number): boolean {
    if (region.claimed.has(at)) return false;
    if (draft.instructions >= this.#bounds.limits.functionInstructions) {
      draft.cut = true;
      return false;
    }
    region.claimed.add(at);
    draft.instructions += 1;
    if ((draft.instructions & 1023) === 0) this.#bounds.did(1024, phase);
    return true;
  }
}

function addPiece(draft: Draft, region: CodeRegion, start: number, end: number): void {
  if (end > start) draft.pieces.push({ start: region.start + start, end: region.start + end });
}

/** Sorts and joins pieces, across what `fill` takes; the one with the entry comes first. */
function finish(draft: Draft, fill: (from: number, to: number) => boolean): Body {
  const { entry, pieces } = draft;
  const sorted = pieces.sort((a, b) => a.start - b.start || a.end - b.end);
  const joined: { start: number; end: number }[] = [];
  for (const piece of sorted) {
    const last = joined[joined.length - 1];
    if (last !== undefined && (piece.start <= last.end || fill(last.end, piece.start))) last.end = Math.max(last.end, piece.end);
    else joined.push({ start: piece.start, end: piece.end });
  }
  const holder = lastAtOrBelow(joined, entry);
  if (holder > 0) joined.unshift(...joined.splice(holder, 1));
  return { entry, ranges: joined, instructions: draft.instructions, cut: draft.cut };
}
