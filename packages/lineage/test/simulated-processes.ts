import type { ProcessRow, ProcessTable, TokenReading } from "../src/index.js";

interface Simulated {
  readonly row: ProcessRow;
  readonly ours: boolean;
  readonly token: TokenReading;
  readonly ignoresTerm: boolean;
}

type Making = Partial<Omit<Simulated, "row">> & Partial<ProcessRow> & { readonly pid: number };

/**
 * A process table in which time passes between any two looks: `onTurn` may end, fork and replace processes. As in Linux,
 * nothing happens between a look at one process and the signal sent in the same turn.
 */
export class SimulatedProcesses {
  readonly processes = new Map<number, Simulated>();
  lastPid: number | null = null;
  readonly harmed: number[] = [];
  readonly signals: [number, NodeJS.Signals][] = [];
  onTurn: () => void = () => undefined;
  #clock = 100;

  add({ pid, ours = true, token = ours ? "carried" : "absent", ignoresTerm = false, ...more }: Making): ProcessRow {
    this.#clock += 1;
    const row = { parentPid: 1, groupId: pid, sessionId: pid, startTime: String(this.#clock), zombie: false, ...more, pid };
    this.processes.set(pid, { row, ours, token, ignoresTerm });
    return row;
  }

  end(pid: number): void {
    this.processes.delete(pid);
  }

  /** Whether the kernel could give the number to a new process. */
  isFree(number: number): boolean {
    return ![...this.processes.values()].some(({ row }) => [row.pid, row.groupId, row.sessionId].includes(number));
  }

  readonly kill = (pid: number, signal: NodeJS.Signals): void => {
    this.signals.push([pid, signal]);
    const hit = [...this.processes.values()].filter(({ row }) => (pid < 0 ? row.groupId === -pid : row.pid === pid));
    if (hit.length === 0) throw Object.assign(new Error("no such process"), { code: "ESRCH" });
    for (const { row, ours, ignoresTerm } of hit) {
      if (!ours) this.harmed.push(row.pid);
      if (signal === "SIGKILL" || !ignoresTerm) this.end(row.pid);
    }
  };

  readonly table: ProcessTable = {
    source: "procfs",
    bootId: "boot",
    resolution: "tick",
    unreadable: null,
    list: (passOver = () => false) => {
      this.onTurn();
      const rows = [...this.processes.values()].map(({ row }) => row).filter(({ pid }) => !passOver(pid)).sort((a, b) => a.pid - b.pid);
      return Promise.resolve({ observedAt: new Date(0).toISOString(), rows, truncated: false });
    },
    read: (pid) => {
      this.onTurn();
      return Promise.resolve(this.processes.get(pid)?.row ?? null);
    },
    token: (pid) => {
      this.onTurn();
      return Promise.resolve(this.processes.get(pid)?.token ?? "gone");
    },
    lastPid: () => this.lastPid,
    pidNamespace: () => null,
    descriptors: () => new Map(),
    appearance: () => null,
    inheritance: () => null,
    command: () => Promise.resolve(null),
  };
}
