import type { Confirmation, ProcessResource } from "./ownership.js";
import type { ProcessRow, ProcessTable, TableSnapshot, TokenReading } from "./process-table.js";
import type { RunMark } from "./run-mark.js";

/** What is known of a run when its members are looked for. */
export interface RunFacts {
  readonly root: ProcessRow;
  /** The root is our child and not yet collected, so its pid, group and session numbers cannot have been given out again. */
  readonly rootHeld: boolean;
  readonly token: string;
  /** Null for a run without one. */
  readonly mark: RunMark | null;
  /** Start times of the members seen so far, by pid. */
  readonly known: ReadonlyMap<number, string>;
  /** Whether a process is in the run's namespace or cgroup; null when the run has neither. */
  readonly contains: ((pid: number) => boolean) | null;
  /** Never a member, whatever it carries: ourselves. */
  readonly ownPid: number;
  /** Whether a process was looked at often enough to be neither the token's nor the mark's. */
  readonly isStranger: (row: ProcessRow) => boolean;
}

export interface Member {
  readonly row: ProcessRow;
  readonly confirmedBy: Confirmation;
  readonly token: TokenReading;
}

/** A process that has a number of the run and cannot be shown to belong to it; it is reported and never signalled. */
export interface Unverified {
  readonly row: ProcessRow;
  readonly reason: Exclude<ProcessResource["detail"]["reason"], "not_ended">;
}

export interface MemberSearch {
  /** Live processes of the run, sorted by pid; zombies are none. */
  readonly members: readonly Member[];
  readonly unverified: readonly Unverified[];
  /** Processes no older than the root that are nobody's of the run. */
  readonly strangers: readonly ProcessRow[];
  /** Sessions (groups where sessions are not told) in which every process is the run's. */
  readonly sessions: ReadonlySet<number>;
  readonly truncated: boolean;
}

/**
 * Finds the members of a run in a listing: by namespace or cgroup, by session (setsid(2): a session is left by will and
 * never joined, so whoever is in one that the run made descends from the run), by parent links, and by the run's token
 * and mark.
 */
export async function findMembers(table: ProcessTable, snapshot: TableSnapshot, facts: RunFacts): Promise<MemberSearch> {
  const search = new Search(snapshot, facts, table.resolution === "tick");
  search.addCertain();
  search.spread();
  const readings = new Map<number, TokenReading>();
  for (const row of search.open()) {
    if (facts.isStranger(row)) continue;
    const reading = await table.token(row.pid, facts.token);
    readings.set(row.pid, reading);
    if (reading === "carried") search.add(row, "token");
    else if (facts.mark !== null && table.inheritance(row.pid)?.realtimeLimitUs === facts.mark) search.add(row, "mark");
  }
  search.spread();
  const members: Member[] = [];
  for (const { row, confirmedBy } of search.found()) {
    members.push({ row, confirmedBy, token: readings.get(row.pid) ?? (await table.token(row.pid, facts.token)) });
  }
  const unverified = search.unverified(readings);
  return { members, unverified, strangers: search.open(), sessions: search.sessions, truncated: snapshot.truncated };
}

class Search {
  readonly #candidates: readonly ProcessRow[];
  readonly #leaders: ReadonlyMap<number, ProcessRow>;
  readonly #facts: RunFacts;
  readonly #members = new Map<number, { readonly row: ProcessRow; readonly confirmedBy: Confirmation }>();
  readonly sessions = new Set<number>();

  constructor(snapshot: TableSnapshot, facts: RunFacts, ticks: boolean) {
    this.#facts = facts;
    this.#leaders = new Map(snapshot.rows.map((row) => [row.pid, row]));
    // Nothing that started before the root can descend from it. Calendar times do not sort, so `ps` gets no such cut.
    const since = ticks ? BigInt(facts.root.startTime) : null;
    this.#candidates = snapshot.rows.filter(
      (row) => !row.zombie && row.pid !== facts.ownPid && (since === null || BigInt(row.startTime) >= since),
    );
    if (facts.rootHeld) this.sessions.add(sessionOf(facts.root));
  }

  addCertain(): void {
    const { root, known, contains } = this.#facts;
    for (const row of this.#candidates) {
      if (row.pid === root.pid && row.startTime === root.startTime) this.add(row, "root");
      else if (contains?.(row.pid) === true) this.add(row, "container");
      else if (known.get(row.pid) === row.startTime) this.add(row, "known");
    }
  }

  add(row: ProcessRow, confirmedBy: Confirmation): void {
    this.#members.set(row.pid, { row, confirmedBy });
    // A member proves the session it is in, when a process of the run made that session.
    if (this.#madeByRun(sessionOf(row))) this.sessions.add(sessionOf(row));
  }

  /** Follows sessions and parent links until nothing new is found. */
  spread(): void {
    for (let before = -1; before < this.#members.size; ) {
      before = this.#members.size;
      for (const row of this.open()) {
        if (this.sessions.has(sessionOf(row))) this.add(row, "session");
        else if (this.#members.has(row.parentPid)) this.add(row, "ancestry");
      }
    }
  }

  open(): ProcessRow[] {
    return this.#candidates.filter((row) => !this.#members.has(row.pid));
  }

  found(): { readonly row: ProcessRow; readonly confirmedBy: Confirmation }[] {
    return [...this.#members.values()].sort((a, b) => a.row.pid - b.row.pid);
  }

  unverified(readings: ReadonlyMap<number, TokenReading>): Unverified[] {
    return this.open()
      .filter((row) => this.#madeByRun(sessionOf(row)) && readings.get(row.pid) !== "gone")
      .map((row) => ({ row, reason: this.#reason(row, readings.get(row.pid)) }));
  }

  /** The session's number was given to a process of the run, and does not visibly name somebody else by now. */
  #madeByRun(session: number): boolean {
    const { root, known } = this.#facts;
    const member = this.#members.get(session)?.row.startTime;
    const made = session === sessionOf(root) ? root.startTime : (known.get(session) ?? member);
    if (made === undefined) return false;
    const leader = this.#leaders.get(session);
    return leader === undefined || leader.startTime === made;
  }

  #reason(row: ProcessRow, reading: TokenReading | undefined): Unverified["reason"] {
    const before = this.#facts.known.get(row.pid);
    if (before !== undefined && before !== row.startTime) return "identity_changed";
    return reading === "unreadable" ? "environment_unreadable" : "token_mismatch";
  }
}

/** Where sessions are not told, groups stand for them: a group lies within one session. */
export function sessionOf(row: ProcessRow): number {
  return row.sessionId ?? row.groupId;
}
