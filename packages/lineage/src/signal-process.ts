import { isSameProcess, type ProcessRow, type ProcessTable } from "./process-table.js";

/** Sends a signal to a pid, or with a negative pid to a group; throws as `process.kill` does. */
export type Kill = (pid: number, signal: NodeJS.Signals) => void;

export interface SignalPower {
  readonly table: ProcessTable;
  readonly kill: Kill;
}

/** `gone`: the process has ended, also when its pid now names another one. */
export type SignalOutcome = "sent" | "gone" | "denied";

/** Signals one process after reading its identity again, immediately before. */
export async function signalProcess({ table, kill }: SignalPower, row: ProcessRow, signal: NodeJS.Signals): Promise<SignalOutcome> {
  const now = await table.read(row.pid);
  return isLive(now, row) ? send(kill, row.pid, signal) : "gone";
}

/**
 * Signals a whole group at once, so that no member forks its way past it. Some member must still be the process it was
 * and still be in the group: then the group's number cannot have been given out again.
 */
export async function signalGroup(power: SignalPower, members: readonly ProcessRow[], signal: NodeJS.Signals): Promise<SignalOutcome> {
  for (const row of members) {
    const now = await power.table.read(row.pid);
    if (isLive(now, row) && now?.groupId === row.groupId) return send(power.kill, -row.groupId, signal);
  }
  return "gone";
}

function isLive(now: ProcessRow | null, row: ProcessRow): boolean {
  return now !== null && !now.zombie && isSameProcess(now, row);
}

function send(kill: Kill, pid: number, signal: NodeJS.Signals): SignalOutcome {
  try {
    kill(pid, signal);
    return "sent";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? "gone" : "denied";
  }
}
