import { referenceCode } from "../disassembler/disassembler.js";
import { endsFlow, flow } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { Explorer } from "./explorer.js";
import type { ExtentIndex } from "./extents.js";
import type { ReferenceCollector } from "./reference-table.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";

interface PointerInput {
  readonly code: CodeMap;
  readonly seeds: Seeds;
  /** Cell → target, in order of cells. */
  readonly pointers: ReadonlyMap<number, number>;
  readonly references: ReferenceCollector;
  readonly explorer: Explorer;
  readonly extents: ExtentIndex;
  readonly bounds: WorkBounds;
}

const probeInstructions = 64;
/** So many code pointers side by side make a table. */
const tableEntries = 4;
const longestCell = 8;

/** Which pointers to follow, most telling first: formed by instructions, in mixed data, in tables of nothing but code pointers. */
export const pointerStages = ["instructions", "records", "tables"] as const;
export type PointerStage = (typeof pointerStages)[number];

/**
 * Takes as functions what relocated pointers in data and address-forming instructions lead to, where no function has that
 * code yet and it decodes. Pointers into the middle of declared ranges are labels. Tables come last: once their function
 * is known, jump targets are its code already. Gives the number of new starts.
 */
export function addPointerStarts(stage: PointerStage, input: PointerInput): number {
  const { seeds, explorer } = input;
  let added = 0;
  const take = (target: number): void => {
    const known = seeds.sources.has(target);
    if (!known && !isNewStart(target, input)) return;
    seeds.sources.add(target, "pointer");
    if (known) return;
    explorer.addEntry(target);
    added += 1;
  };
  if (stage === "instructions") takeFromInstructions(input, take);
  else takeFromData(stage, input, take);
  return added;
}

function takeFromInstructions({ references, bounds }: PointerInput, take: (target: number) => void): void {
  for (let row = 0; row < references.length; row += 1) {
    bounds.worked(1);
    if (references.kind(row) === referenceCode.address) take(references.to(row));
  }
}

function takeFromData(stage: "records" | "tables", input: PointerInput, take: (target: number) => void): void {
  const labels = stage === "tables" ? labelCells(input) : new Set<number>();
  for (const run of pointerRuns(input)) {
    if (run.length >= tableEntries !== (stage === "tables")) continue;
    for (const { cell, target } of run) if (!labels.has(cell)) take(target);
  }
}

interface CodePointer {
  readonly cell: number;
  readonly target: number;
}

/** Runs of neighbouring cells that all point into code. */
function pointerRuns({ code, pointers, seeds, bounds }: PointerInput): CodePointer[][] {
  const runs: CodePointer[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [cell, target] of bounds.watched(pointers)) {
    // Until it is bound, the cell of an import leads to the linker's own binding code.
    if (!code.isCode(target) || seeds.slots.has(cell)) continue;
    const run = runs[runs.length - 1];
    if (run !== undefined && cell - last <= longestCell) run.push({ cell, target });
    else runs.push([{ cell, target }]);
    last = cell;
  }
  return runs;
}

/** No instruction begins with an address: where relocation fills a cell, a table stands among the code. */
function isNewStart(target: number, { code, extents, explorer, seeds, pointers }: PointerInput): boolean {
  if (!code.isCode(target) || explorer.computed.isTableBase(target) || pointers.has(target)) return false;
  const region = code.regionAt(target);
  if (region === undefined || extents.at(target) !== undefined || region.data.has(target - region.start)) return false;
  return !region.claimed.has(target - region.start) && decodesToAnEnd(region, target - region.start, seeds.noReturn);
}

/** True when the bytes read as instructions up to the end of a run, or far enough. */
export function decodesToAnEnd(region: CodeRegion, start: number, noReturn: ReadonlySet<number>): boolean {
  let at = start;
  for (let count = 0; count < probeInstructions; count += 1) {
    if (!region.decoder.decode(at)) return false;
    if (endsFlow(region.decoder.flow) || (region.decoder.flow === flow.call && noReturn.has(region.decoder.target))) return true;
    at += region.decoder.length;
  }
  return true;
}

/**
 * Cells of tables of jump targets: runs of neighbouring pointers that all lead behind one and the same entry, into a
 * function with a computed jump that is not resolved. What they lead to is code of that function, and is explored as such.
 */
function labelCells(input: PointerInput): ReadonlySet<number> {
  const { code, explorer } = input;
  const owners = new Set<number>();
  for (const jump of explorer.computed.unresolved.keys()) owners.add(entryBelow(code, jump));
  const labels = new Set<number>();
  for (const run of pointerRuns(input)) {
    const owner = entryBelow(code, run[0]?.target ?? -1);
    if (run.length < tableEntries || !owners.has(owner)) continue;
    if (!run.every(({ target }) => entryBelow(code, target) === owner)) continue;
    for (const { cell, target } of run) {
      labels.add(cell);
      if (target !== owner) explorer.exploreHidden(target, owner);
    }
  }
  return labels;
}

/** The nearest entry at or below an address, -1 without one. */
function entryBelow(code: CodeMap, rva: number): number {
  const region = code.regionAt(rva);
  if (region === undefined) return -1;
  const offset = region.entries.floor(rva - region.start);
  return offset < 0 ? -1 : region.start + offset;
}
