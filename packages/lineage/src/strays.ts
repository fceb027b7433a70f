import type { RunFacts } from "./member-search.js";
import type { ProcessRow, ProcessTable, TableSnapshot } from "./process-table.js";
import { lowestMark } from "./run-mark.js";

export interface StraySearch {
  readonly facts: RunFacts;
  /** Live processes, none older than the root where that can be told, that are not the run's. */
  readonly open: readonly ProcessRow[];
}

/**
 * Processes that began during a run and came to one of our own ancestors when their parents ended, as those of the run
 * do that lose theirs. Of a marked run only one with a limit below all marks can be the run's: nobody raises it again
 * without privilege. Without a mark it can be any process of our user. What such processes started counts with them.
 */
export function findStrays(table: ProcessTable, snapshot: TableSnapshot, { facts, open }: StraySearch): ProcessRow[] {
  const reapers = reapersOf(snapshot, facts);
  const strays = new Map<number, ProcessRow>();
  for (const row of open) {
    if (reapers.has(row.parentPid) && isSince(table, row, facts.root) && canBeOurs(table, row, facts)) strays.set(row.pid, row);
  }
  for (let before = -1; before < strays.size; ) {
    before = strays.size;
    for (const row of open) if (strays.has(row.parentPid)) strays.set(row.pid, row);
  }
  return [...strays.values()].sort((a, b) => a.pid - b.pid);
}

/** A process that loses its parent comes to the nearest ancestor that asked for such, or to the first of all (prctl(2)). */
function reapersOf({ rows }: TableSnapshot, { ownPid, mark }: RunFacts): ReadonlySet<number> {
  const parents = new Map(rows.map(({ pid, parentPid }) => [pid, parentPid]));
  const reapers = new Set([1]);
  for (let pid = parents.get(ownPid); pid !== undefined && pid > 1 && !reapers.has(pid); pid = parents.get(pid)) reapers.add(pid);
  // As the first of all we have other children too, which only a mark tells from those that came to us.
  if (mark === null) reapers.delete(ownPid);
  return reapers;
}

function isSince(table: ProcessTable, row: ProcessRow, root: ProcessRow): boolean {
  if (table.resolution === "tick") return BigInt(row.startTime) >= BigInt(root.startTime);
  return !(Date.parse(row.startTime) < Date.parse(root.startTime));
}

function canBeOurs(table: ProcessTable, { pid }: ProcessRow, { mark }: RunFacts): boolean {
  if (table.source === "ps") return true;
  const inherited = table.inheritance(pid);
  if (inherited === null) return false;
  return mark === null ? inherited.userId === process.getuid?.() : inherited.realtimeLimitUs < lowestMark;
}
