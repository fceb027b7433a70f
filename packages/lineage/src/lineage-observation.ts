import type { Confirmation, OwnershipProof } from "./ownership.js";
import type { MemberSearch } from "./member-search.js";
import { isSameProcess, type ProcessRow, type ProcessTable } from "./process-table.js";

/** Why a launcher's lineage could not be observed. */
export type LineageReason =
  | "process_table_unreadable"
  | "launcher_not_live"
  | "group_mismatch"
  | "parent_mismatch"
  | "command_mismatch"
  | "unowned_or_reused"
  | "not_revalidated";

/** A dated look at what a launcher had started; an empty list does not deny processes that lived between two looks. */
export type LineageObservation =
  | {
      readonly status: "verified";
      readonly schema_version: 1;
      /** RFC 3339. */
      readonly observed_at: string;
      readonly launcher_pid: number;
      readonly launcher_parent_pid: number;
      readonly process_group_id: number;
      /** Sorted by pid. */
      readonly descendants: readonly { readonly pid: number; readonly parent_pid: number; readonly process_group_id: number }[];
    }
  | {
      readonly status: "unavailable";
      readonly observed_at: string;
      readonly launcher_pid: number;
      readonly process_group_id: number | null;
      readonly reason: LineageReason;
    };

/** Everything that belonged to a run at one moment, and how each process was confirmed. */
export interface TreeSnapshot {
  /** RFC 3339. */
  readonly observed_at: string;
  readonly ownership_proof: OwnershipProof;
  /** Sorted by pid; at most as many as were asked for. */
  readonly processes: readonly {
    readonly pid: number;
    readonly parent_pid: number;
    readonly process_group_id: number;
    readonly session_id: number | null;
    readonly start_time: string;
    readonly confirmed_by: Confirmation;
  }[];
  readonly total: number;
  readonly truncated: boolean;
  /** Processes with a number of the run that could not be shown to belong to it. */
  readonly unverified: readonly { readonly pid: number; readonly reason: string }[];
}

export interface Launcher {
  readonly row: ProcessRow;
  readonly ownPid: number;
  /** Real paths of the programs it may run. */
  readonly commands: readonly string[];
  /** Whether the launcher has not ended, by its handle. */
  readonly live: () => boolean;
}

/** Looks at a launcher and its descendants, and checks before and after that the launcher is the process we started. */
export async function observeLineage(
  table: ProcessTable,
  launcher: Launcher,
  search: () => Promise<MemberSearch>,
): Promise<LineageObservation> {
  const { row } = launcher;
  const unavailable = (reason: LineageReason): LineageObservation => ({
    status: "unavailable",
    observed_at: new Date().toISOString(),
    launcher_pid: row.pid,
    process_group_id: row.groupId,
    reason,
  });
  if (table.unreadable !== null) return unavailable("process_table_unreadable");
  const before = await table.read(row.pid);
  const problem = await launcherProblem(table, launcher, before);
  if (problem !== null || before === null) return unavailable(problem ?? "launcher_not_live");
  const found = await search().catch(() => null);
  if (found === null) return unavailable("process_table_unreadable");
  const after = await table.read(row.pid);
  if (after === null || !isSameProcess(after, row) || after.zombie) return unavailable("not_revalidated");
  return {
    status: "verified",
    schema_version: 1,
    observed_at: new Date().toISOString(),
    launcher_pid: row.pid,
    launcher_parent_pid: after.parentPid,
    process_group_id: after.groupId,
    descendants: found.members
      .filter((member) => member.row.pid !== row.pid)
      .map(({ row: { pid, parentPid, groupId } }) => ({ pid, parent_pid: parentPid, process_group_id: groupId })),
  };
}

async function launcherProblem(table: ProcessTable, launcher: Launcher, now: ProcessRow | null): Promise<LineageReason | null> {
  const { row, commands } = launcher;
  if (now === null || now.zombie || !launcher.live()) return "launcher_not_live";
  if (!isSameProcess(now, row)) return "unowned_or_reused";
  if (now.groupId !== row.groupId) return "group_mismatch";
  if (now.parentPid !== launcher.ownPid) return "parent_mismatch";
  const command = await table.command(row.pid);
  if (command !== null && !commands.some((known) => sameCommand(known, command))) return "command_mismatch";
  return null;
}

/** Real paths; where file systems fold case, so do we. A program that was replaced while it runs is still itself. */
function sameCommand(known: string, command: string): boolean {
  const path = command.replace(/ \(deleted\)$/, "");
  if (process.platform === "darwin" || process.platform === "win32") return known.toLowerCase() === path.toLowerCase();
  return known === path;
}

/** The snapshot of a search, cut to `maximum` processes. */
export function treeSnapshot(search: MemberSearch, proof: OwnershipProof, maximum: number): TreeSnapshot {
  return {
    observed_at: new Date().toISOString(),
    ownership_proof: proof,
    processes: search.members.slice(0, maximum).map(({ row, confirmedBy }) => ({
      pid: row.pid,
      parent_pid: row.parentPid,
      process_group_id: row.groupId,
      session_id: row.sessionId,
      start_time: row.startTime,
      confirmed_by: confirmedBy,
    })),
    total: search.members.length,
    truncated: search.truncated || search.members.length > maximum,
    unverified: search.unverified.slice(0, maximum).map(({ row, reason }) => ({ pid: row.pid, reason })),
  };
}

