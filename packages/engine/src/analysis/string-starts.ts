import type { ReferenceTable } from "./reference-table.js";
import type { StringRuns } from "./string-runs.js";

/** For each run with references behind its first byte, the addresses they lead to, sorted. */
export type InnerStarts = ReadonlyMap<number, readonly number[]>;

/**
 * Where pointers and address-forming instructions lead into the middle of text: a linker lets a text share the end of a
 * longer one, and languages that count lengths put texts one behind the other. Reads of single characters do not count.
 */
export function innerStarts(references: ReferenceTable, runs: StringRuns): InnerStarts {
  const found = new Map<number, number[]>();
  references.forEachAddress((to) => {
    const run = runs.indexAt(to);
    if (run < 0 || to === runs.startOf(run)) return;
    const starts = found.get(run);
    if (starts === undefined) found.set(run, [to]);
    else if (starts.at(-1) !== to) starts.push(to);
  });
  return found;
}
