import { referenceCode } from "../disassembler/disassembler.js";
import { endsFlow } from "../disassembler/flow.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import type { Explorer } from "./explorer.js";
import type { ExtentIndex } from "./extents.js";
import type { ReferenceCollector } from "./reference-table.js";
import type { Seeds } from "./seeds.js";

interface PointerInput {
  readonly code: CodeMap;
  readonly seeds: Seeds;
  /** Cell → target, in order of cells. */
  readonly pointers: ReadonlyMap<number, number>;
  readonly references: ReferenceCollector;
  readonly explorer: Explorer;
  readonly extents: ExtentIndex;
}

const probeInstructions = 64;

/**
 * Takes as functions what relocated pointers in data and address-forming instructions lead to, where no function has that
 * code yet and it decodes. Pointers into the middle of declared ranges are labels. Gives the number of new starts.
 */
export function addPointerStarts(input: PointerInput): number {
  const { seeds, explorer } = input;
  const labels = labelCells(input);
  let added = 0;
  const take = (target: number): void => {
    const known = seeds.sources.has(target);
    if (!known && !isNewStart(target, input)) return;
    seeds.sources.add(target, "pointer");
    if (known) return;
    explorer.addEntry(target);
    added += 1;
  };
  for (const [cell, target] of input.pointers) if (!labels.has(cell)) take(target);
  for (let row = 0; row < input.references.length; row += 1) {
    if (input.references.kind(row) === referenceCode.address) take(input.references.to(row));
  }
  return added;
}

function isNewStart(target: number, { code, extents }: PointerInput): boolean {
  if (!code.isCode(target)) return false;
  const region = code.regionAt(target);
  if (region === undefined || extents.at(target) !== undefined) return false;
  return !region.claimed.has(target - region.start) && decodesToAnEnd(region, target - region.start);
}

/** True when the bytes read as instructions up to the end of a run, or far enough. */
export function decodesToAnEnd(region: CodeRegion, start: number): boolean {
  let at = start;
  for (let count = 0; count < probeInstructions; count += 1) {
    if (!region.decoder.decode(at)) return false;
    if (endsFlow(region.decoder.flow)) return true;
    at += region.decoder.length;
  }
  return true;
}

/**
 * Cells of tables of jump targets: runs of neighbouring pointers that all lead behind one and the same entry, into a
 * function with a computed jump that is not resolved. What they lead to is code of that function, and is explored as such.
 */
function labelCells({ code, pointers, explorer }: PointerInput): ReadonlySet<number> {
  const owners = new Set<number>();
  for (const jump of explorer.unresolved) owners.add(entryBelow(code, jump));
  const labels = new Set<number>();
  let run: { readonly cell: number; readonly target: number }[] = [];
  let owner = -1;
  const close = (): void => {
    if (run.length < 4 || !owners.has(owner)) return;
    for (const { cell, target } of run) {
      labels.add(cell);
      if (target !== owner) explorer.exploreHidden(target, owner);
    }
  };
  for (const [cell, target] of pointers) {
    const last = run[run.length - 1];
    const below = code.isCode(target) ? entryBelow(code, target) : -1;
    if (last === undefined || cell - last.cell > 8 || below !== owner) {
      close();
      run = [];
      owner = below;
    }
    if (below >= 0) run.push({ cell, target });
  }
  close();
  return labels;
}

/** The nearest entry at or below an address, -1 without one. */
function entryBelow(code: CodeMap, rva: number): number {
  const region = code.regionAt(rva);
  if (region === undefined) return -1;
  const offset = region.entries.floor(rva - region.start);
  return offset < 0 ? -1 : region.start + offset;
}
