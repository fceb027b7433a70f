import { findMembers, type MemberSearch, type RunFacts } from "./member-search.js";
import type { Confirmation, OwnershipProof } from "./ownership.js";
import type { ProcessRow, ProcessTable, TableSnapshot } from "./process-table.js";
import type { RunMark } from "./run-mark.js";
import { findStrays } from "./strays.js";
import { YoungerProcesses } from "./younger-processes.js";

export interface RunRoot {
  readonly row: ProcessRow;
  readonly token: string;
  /** Null for a run without one. */
  readonly mark: RunMark | null;
  /** The root is our child and not yet collected. */
  readonly held: () => boolean;
  /** Whether a process is in the run's container, judged once for a search; null when the run has none. */
  readonly container: (() => (pid: number) => boolean) | null;
  /** Processes that only hold the container; they are no members. */
  readonly plumbing: ReadonlySet<number>;
}

export interface FullSearch extends MemberSearch {
  /** Processes whose ancestors are gone and that nothing shows to be, or not to be, the run's; never signalled. */
  readonly strays: readonly ProcessRow[];
}

/** In the middle of an exec a process shows no environment, so one look is not enough. */
const glancesAtStrangers = 3;

/** The processes of one run over its life: who was confirmed before stays recognised when what confirmed it has ended. */
export class RunMembers {
  readonly #table: ProcessTable;
  readonly #root: RunRoot;
  readonly #ownPid: number;
  readonly #younger: YoungerProcesses;
  /** How often a process has been looked at and found to carry neither token nor mark. */
  #strangers = new Map<string, number>();
  #known = new Map<number, string>();
  #unreadableToken = false;
  readonly #confirmations = new Map<Confirmation, Set<string>>();

  constructor(table: ProcessTable, root: RunRoot, ownPid = process.pid) {
    this.#table = table;
    this.#root = root;
    this.#ownPid = ownPid;
    this.#younger = new YoungerProcesses(table, root.row);
  }

  /** Searches the process table now; throws when it cannot be read. */
  async collect(): Promise<FullSearch> {
    const snapshot = await this.#table.list();
    const facts = this.#facts(() => false);
    const found = await this.#search(snapshot, facts);
    const strays = facts.contains === null ? findStrays(this.#table, snapshot, { facts, open: found.strangers }) : [];
    return { ...found, strays };
  }

  /** One look of many: what was read before and cannot have changed is not read again. */
  async glance(): Promise<MemberSearch> {
    const snapshot = await this.#younger.list();
    const found = await this.#search(snapshot, this.#facts((row) => (this.#strangers.get(keyOf(row)) ?? 0) >= glancesAtStrangers));
    const strangers = found.strangers.map((row): [string, number] => [keyOf(row), (this.#strangers.get(keyOf(row)) ?? 0) + 1]);
    this.#strangers = new Map(strangers);
    return found;
  }

  #facts(isStranger: RunFacts["isStranger"]): RunFacts {
    const { row: root, token, mark, held, container } = this.#root;
    return { root, token, mark, rootHeld: held(), known: this.#known, contains: container?.() ?? null, ownPid: this.#ownPid, isStranger };
  }

  async #search(snapshot: TableSnapshot, facts: RunFacts): Promise<MemberSearch> {
    const found = await findMembers(this.#table, snapshot, facts);
    this.#remember(found, new Set(snapshot.rows.map(({ sessionId, groupId }) => sessionId ?? groupId)));
    return { ...found, members: found.members.filter(({ row }) => !this.#root.plumbing.has(row.pid)) };
  }

  /** `group_only` once a member's token could not be read and nothing but its group speaks for it. */
  proofOfGroup(): OwnershipProof {
    return this.#unreadableToken ? "group_only" : "group_and_token";
  }

  /** How many processes were confirmed in which way, over the whole run. */
  confirmations(): { readonly [way in Confirmation]?: number } {
    return Object.fromEntries([...this.#confirmations].map(([way, processes]) => [way, processes.size]));
  }

  #remember({ members }: MemberSearch, sessions: ReadonlySet<number>): void {
    // Of the ended ones only those matter whose number is still the number of somebody's session.
    const kept = [...this.#known].filter(([pid]) => sessions.has(pid));
    this.#known = new Map(kept);
    for (const { row, confirmedBy, token } of members) {
      this.#known.set(row.pid, row.startTime);
      if (token === "unreadable" && confirmedBy === "session") this.#unreadableToken = true;
      if (confirmedBy === "known" || this.#root.plumbing.has(row.pid)) continue;
      const processes = this.#confirmations.get(confirmedBy) ?? new Set();
      if (processes.size < 100_000) processes.add(`${String(row.pid)}:${row.startTime}`);
      this.#confirmations.set(confirmedBy, processes);
    }
  }
}

function keyOf({ pid, startTime }: ProcessRow): string {
  return `${String(pid)}:${startTime}`;
}
