import type { ProcessRow, ProcessTable, TableSnapshot } from "./process-table.js";

/** In this time no host gives out all its pids. */
const trustedMs = 1_000;

/**
 * Lists again and again the processes that may belong to a run, and reads those once only that are older than it. Pids are
 * given out in turn, so an older process's number can mean another process only when the turn has come past it since the
 * look before.
 */
export class YoungerProcesses {
  readonly #table: ProcessTable;
  readonly #root: ProcessRow;
  #older = new Set<number>();
  #lastPid: number | null = null;
  #at = -Infinity;

  constructor(table: ProcessTable, root: ProcessRow) {
    this.#table = table;
    this.#root = root;
  }

  async list(): Promise<TableSnapshot> {
    const { resolution } = this.#table;
    if (resolution !== "tick") return this.#table.list();
    const [before, at] = [this.#lastPid, performance.now()];
    const now = this.#table.lastPid();
    const trusted = before !== null && now !== null && at - this.#at < trustedMs;
    const snapshot = await this.#table.list((pid) => trusted && this.#older.has(pid) && !isBetween(pid, before, now));
    const since = BigInt(this.#root.startTime);
    const older = snapshot.rows.filter(({ startTime }) => BigInt(startTime) < since).map(({ pid }) => pid);
    // Numbers that were read again are judged anew.
    const kept = trusted ? [...this.#older].filter((pid) => !isBetween(pid, before, now)) : [];
    this.#older = new Set([...kept, ...older]);
    this.#lastPid = now;
    this.#at = at;
    return snapshot;
  }
}

/** Whether a number was given out after `before` and up to `now`, in turn. */
function isBetween(pid: number, before: number, now: number): boolean {
  return before <= now ? pid > before && pid <= now : pid > before || pid <= now;
}
