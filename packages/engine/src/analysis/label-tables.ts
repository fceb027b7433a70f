import { referenceCode } from "../disassembler/disassembler.js";
import { endsFlow, flow } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { ExtentIndex } from "./extents.js";
import { alignsFunctions, usualAlignment } from "./function-alignment.js";
import { isMarker } from "./landing-marker.js";
import type { Seeds } from "./seeds.js";

interface LabelInput {
  readonly code: CodeMap;
  readonly seeds: Pick<Seeds, "sources" | "stubs" | "slots">;
  readonly extents: ExtentIndex;
  /** The address that a cell of data holds. */
  readonly targetOf: (cell: number) => number | undefined;
  readonly cellBytes: number;
  /** Instructions that may be looked at. */
  readonly budget: number;
}

const mostLabels = 4096;
const fewestLabels = 2;
/** Instructions of a function or block that are looked at. */
const firstInstructions = 32;
const blockInstructions = 128;

/** Code of one function: offsets of its entry and of the next known start. */
interface Owner {
  readonly region: CodeRegion;
  readonly entry: number;
  readonly end: number;
}

/**
 * Tables of label addresses (GNU C, "Labels as Values"). The instructions of a function with an unresolved computed jump
 * form the address of the table; its cells lead, as far as it goes, between the entry of that function and the next known
 * start. A table of functions can look the same: it is one of labels where the function keeps its stack frame over the
 * jump, where a label stands at a place at which no function would, or where a block jumps back into code of the function.
 */
export class LabelTables {
  readonly #input: LabelInput;
  #left: number;

  constructor(input: LabelInput) {
    this.#input = input;
    this.#left = input.budget;
  }

  /**
   * Targets of the computed jump at the offset, in table order. Only the place behind the jump, and behind fill, where nothing but
   * that is known: the compiler had worked out the first jump. Undefined where there may be no labels at all.
   */
  targets(region: CodeRegion, at: number, leaves: () => boolean): readonly number[] | undefined {
    const owner = this.#ownerOf(region, at);
    if (owner === undefined || this.#left <= 0) return undefined;
    const places = this.#addressesIn(owner);
    const cells = [...places].filter((place) => !this.#input.seeds.slots.has(place));
    const tables = cells.flatMap((cell) => {
      const run = this.#run(cell, owner, places);
      return run.length >= fewestLabels ? run : [];
    });
    const behind = region.start + behindPadding(region, at + ((region.marks[at] ?? 0) & 15), owner.end);
    // A constant that the function reads often stands there as well.
    const formed = !region.data.has(behind - region.start) && (places.has(behind) || cells.some((cell) => this.#input.targetOf(cell) === behind));
    const folded = formed && isOwn(behind, owner) && (behind % usualAlignment !== 0 || keepsFrame(owner)) ? [behind] : [];
    if (tables.length > 0 && this.#areLabels(tables, owner, leaves)) return [...tables, ...folded];
    return folded.length > 0 ? folded : undefined;
  }

  #ownerOf(region: CodeRegion, at: number): Owner | undefined {
    const extent = this.#input.extents.at(region.start + at);
    if (extent !== undefined) return { region, entry: extent.start - region.start, end: Math.min(extent.end, region.end) - region.start };
    const entry = region.entries.floor(at);
    return entry < 0 ? undefined : { region, entry, end: region.marks.length };
  }

  /** Places outside and inside code whose addresses the decoded instructions of a function form, or that they read. */
  #addressesIn({ region, entry, end }: Owner): Set<number> {
    const { decoder } = region;
    const places = new Set<number>();
    decoder.begin();
    for (let at = entry; at < end && this.#left > 0; ) {
      if (at !== entry && region.entries.has(at)) break;
      const mark = region.marks[at] ?? 0;
      if (region.leaders.has(at)) decoder.begin();
      if (mark !== 0) this.#left -= 1;
      if (mark !== 0 && decoder.scan(at)) {
        for (let index = 0; index < decoder.referenceCount; index += 1) {
          if (decoder.referenceKind(index) !== referenceCode.write) places.add(decoder.referenceTo(index));
        }
      }
      if (mark === 0 || endsFlow(mark >>> 4)) decoder.begin();
      at += mark === 0 ? 1 : mark & 15;
    }
    return places;
  }

  /** The labels of a table, up to a cell that leads elsewhere or that the function names apart. */
  #run(table: number, owner: Owner, places: ReadonlySet<number>): number[] {
    const targets: number[] = [];
    for (let entry = 0; entry < mostLabels; entry += 1) {
      const cell = table + entry * this.#input.cellBytes;
      if (entry > 0 && places.has(cell)) break;
      const target = this.#input.targetOf(cell);
      if (target === undefined || !this.#input.code.isCode(target) || !isOwn(target, owner)) break;
      targets.push(target);
    }
    this.#left -= targets.length;
    return targets;
  }

  #areLabels(targets: readonly number[], owner: Owner, leaves: () => boolean): boolean {
    const labels = [...new Set(targets)];
    if (alignsFunctions(this.#input.seeds) && labels.some((label) => label % usualAlignment !== 0)) return true;
    if (labels.some((label) => jumpsBack(owner, label - owner.region.start))) return true;
    return keepsFrame(owner) && !leaves();
  }
}

/** The first offset from `at` on where no instruction that does nothing stands. */
function behindPadding({ decoder }: CodeRegion, at: number, end: number): number {
  let next = at;
  while (next < end && decoder.decode(next) && decoder.flow === flow.padding) next += decoder.length;
  return next;
}

function isOwn(target: number, { region, entry, end }: Owner): boolean {
  const offset = target - region.start;
  return offset > entry && offset < end && region.entries.floor(offset) === entry;
}

/** True when the function sets up a stack frame before it first branches; a marker of a place to jump to is none. */
function keepsFrame({ region, entry }: Owner): boolean {
  const { decoder } = region;
  let at = entry;
  for (let count = 0; count < firstInstructions && decoder.decode(at); count += 1) {
    const next = at + decoder.length;
    if (endsFlow(decoder.flow)) return false;
    if (!isMarker(region, at) && decoder.opensFrame(at)) return true;
    at = next;
  }
  return false;
}

/** True when the block jumps to an instruction behind the entry of the function that is decoded already. */
function jumpsBack({ region, entry }: Owner, start: number): boolean {
  const { decoder } = region;
  let at = start;
  for (let count = 0; count < blockInstructions && decoder.decode(at); count += 1) {
    const to = decoder.target - region.start;
    const jumps = decoder.flow === flow.jump || decoder.flow === flow.conditionalJump;
    const outside = to < start || to > at;
    if (jumps && to > entry && outside && (region.marks[to] ?? 0) !== 0 && region.entries.floor(to) === entry) return true;
    if (endsFlow(decoder.flow)) return false;
    at += decoder.length;
  }
  return false;
}
