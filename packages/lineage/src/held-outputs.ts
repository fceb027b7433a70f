import type { CleanupReport, ProcessResource } from "./ownership.js";
import type { ProcessRow, ProcessTable } from "./process-table.js";

/**
 * The output streams of a run as witnesses: who still holds one after the run was ended came from the run, or was handed
 * it, and is not proved to be ours. Such processes are named and never signalled.
 */
export class HeldOutputs {
  readonly #table: ProcessTable;
  readonly #root: ProcessRow;
  readonly #links: Set<string>;
  readonly #terminal: string | undefined;
  #drained = false;

  /** `terminal`: what descriptors of the run's own terminal refer to. */
  constructor(table: ProcessTable, root: ProcessRow, terminal?: string) {
    this.#table = table;
    this.#root = root;
    // Sockets and pipes have names of their own; a descriptor that the program has replaced already tells nothing.
    const descriptors = table.descriptors(root.pid);
    const links = [descriptors.get(1), descriptors.get(2)].filter((link) => link !== undefined && /^(?:socket|pipe):/.test(link));
    this.#terminal = terminal;
    // A terminal that was closed is shown as deleted, and its name is given out again.
    const names = terminal === undefined ? [] : [terminal, `${terminal} (deleted)`];
    this.#links = new Set([...links, ...names].filter((link) => link !== undefined));
  }

  /** The terminal is about to be closed. */
  forgetTerminal(): void {
    if (this.#terminal !== undefined) this.#links.delete(this.#terminal);
  }

  /** Both streams have come to their ends, so nobody holds them. */
  drained(): void {
    this.#drained = true;
  }

  /** Adds to a report who holds an output stream of the run, or that somebody does. */
  async check(report: CleanupReport): Promise<CleanupReport> {
    if (this.#drained) return report;
    const listed = new Set(report.resources.map(({ detail }) => detail.pid));
    const holders = await this.#holders();
    const unlisted = holders.filter(({ detail }) => !listed.has(detail.pid));
    const resources = [...report.resources, ...unlisted].sort((a, b) => a.detail.pid - b.detail.pid);
    if (holders.length > 0) return { ...report, state: "incomplete", resources };
    if (report.state !== "proven" || (await this.#allReadable())) return report;
    return { ...report, state: "unproven", ownership_reason: "an output stream is held open by a process that was not found" };
  }

  async #holders(): Promise<ProcessResource[]> {
    const rows = await this.#laterRows();
    const holding = rows.filter(({ pid }) => [...this.#table.descriptors(pid).values()].some((link) => this.#links.has(link)));
    return holding.map(({ pid }) => ({ kind: "process_group", detail: { pid, reason: "token_mismatch" } }));
  }

  /** Where all descriptors can be read and none is the run's, the stream has no holder any more. */
  async #allReadable(): Promise<boolean> {
    if (this.#links.size === 0) return false;
    const rows = await this.#laterRows();
    return rows.every(({ pid }) => this.#table.descriptors(pid).size > 0);
  }

  async #laterRows(): Promise<readonly ProcessRow[]> {
    if (this.#table.source !== "procfs") return [];
    const { rows } = await this.#table.list();
    const since = BigInt(this.#root.startTime);
    // Children of 2 are threads of the kernel.
    return rows.filter((row) => !row.zombie && row.parentPid !== 2 && row.pid !== process.pid && BigInt(row.startTime) >= since);
  }
}
