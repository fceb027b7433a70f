import type { MemoryMap } from "./memory-map.js";
import type { ReferenceTable } from "./reference-table.js";
import type { StringRuns } from "./string-runs.js";
import type { WorkBounds } from "./work-bounds.js";

/** For each run with references behind its first byte, the addresses they lead to, sorted. */
export type InnerStarts = ReadonlyMap<number, readonly number[]>;

/**
 * Where pointers and address-forming instructions lead into the middle of text: a linker lets a text share the end of a
 * longer one, and languages that count lengths put texts one behind the other. Reads of single characters do not count, nor
 * where lengths are counted do words of data that are pointers by their value: other tables read as text as well.
 */
export function innerStarts(references: ReferenceTable, { runs, counted, bounds }: { readonly runs: StringRuns; readonly counted: boolean; readonly bounds: WorkBounds }): InnerStarts {
  const found = new Map<number, number[]>();
  references.forEachAddress((to, row) => {
    bounds.worked(1);
    if (counted && references.isByValue(row)) return;
    const run = runs.indexAt(to);
    if (run < 0 || to === runs.startOf(run)) return;
    const starts = found.get(run);
    if (starts === undefined) found.set(run, [to]);
    else if (starts.at(-1) !== to) starts.push(to);
  });
  return found;
}

const entryBytes = 4;
const fewestEntries = 3;
const mostEntries = 64;
/** Shorter distances are small numbers rather than the way to a text. */
const shortest = 16;

interface TextPlaces {
  readonly runs: StringRuns;
  readonly memory: MemoryMap;
  readonly bounds: WorkBounds;
}

/**
 * Where tables of 32-bit distances lead into text: LLVM makes them of constant strings that an index chooses. Each distance
 * counts from the table's start; three in a row that lead into text make a table. Sorted, without the starts of runs.
 */
export function distanceStarts(references: ReferenceTable, { runs, memory, bounds }: TextPlaces): InnerStarts {
  const found = new Map<number, Set<number>>();
  let before = -1;
  references.forEachAddress((table) => {
    bounds.worked(1);
    if (table === before || table % entryBytes !== 0 || runs.indexAt(table) >= 0) return;
    before = table;
    const targets = distances(table, runs, memory);
    if (targets.length < fewestEntries) return;
    for (const to of targets) {
      const run = runs.indexAt(to);
      if (to !== runs.startOf(run)) found.set(run, (found.get(run) ?? new Set()).add(to));
    }
  });
  return new Map([...found].map(([run, starts]) => [run, [...starts].sort((a, b) => a - b)]));
}

function distances(table: number, runs: StringRuns, memory: MemoryMap): readonly number[] {
  const bytes = memory.read(table, mostEntries * entryBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const targets: number[] = [];
  for (let at = 0; at + entryBytes <= bytes.byteLength; at += entryBytes) {
    const distance = view.getInt32(at, true);
    if (Math.abs(distance) < shortest || runs.indexAt(table + distance) < 0) break;
    targets.push(table + distance);
  }
  return targets;
}
