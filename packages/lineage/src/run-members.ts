import { findMembers, type MemberSearch } from "./member-search.js";
import type { Confirmation, OwnershipProof } from "./ownership.js";
import type { ProcessRow, ProcessTable } from "./process-table.js";
import type { RunMark } from "./run-mark.js";

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

/** The processes of one run over its life: who was confirmed before stays recognised when what confirmed it has ended. */
export class RunMembers {
  readonly #table: ProcessTable;
  readonly #root: RunRoot;
  readonly #ownPid: number;
  #known = new Map<number, string>();
  #unreadableToken = false;
  readonly #confirmations = new Map<Confirmation, Set<string>>();

  constructor(table: ProcessTable, root: RunRoot, ownPid = process.pid) {
    this.#table = table;
    this.#root = root;
    this.#ownPid = ownPid;
  }

  /** Searches the process table now; throws when it cannot be read. */
  async collect(): Promise<MemberSearch> {
    const { row: root, token, mark, held, container, plumbing } = this.#root;
    const snapshot = await this.#table.list();
    const facts = {
      root,
      token,
      mark,
      rootHeld: held(),
      known: this.#known,
      contains: container?.() ?? null,
      ownPid: this.#ownPid,
    };
    const found = await findMembers(this.#table, snapshot, facts);
    this.#remember(found, new Set(snapshot.rows.map(({ sessionId, groupId }) => sessionId ?? groupId)));
    return { ...found, members: found.members.filter(({ row }) => !plumbing.has(row.pid)) };
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
