import type { Guardian } from "./guardian.js";
import type { SignalPower } from "./signal-process.js";
import type { Child, ChildCommand } from "./start-child.js";
import type { StartRequest } from "./start-request.js";
import type { ProcessRow } from "./process-table.js";
import type { VerifiedExecutable } from "./verified-executable.js";

/** A checked request with its program opened. */
export interface PreparedStart {
  readonly request: StartRequest;
  readonly token: string;
  readonly executable: VerifiedExecutable;
  readonly command: ChildCommand;
  /** Makes the terminal of the command the controlling one; null without a terminal. */
  readonly setsid: VerifiedExecutable | null;
}

/** What a start may use. */
export interface StartHost {
  readonly power: SignalPower;
  readonly guardian: Guardian;
  readonly cgroups: boolean;
  readonly marks: boolean;
  /** Releases what was prepared, once the run left nothing. */
  readonly release: (prepared: PreparedStart) => Promise<void>;
}

/**
 * The command by which a program becomes the leader of its session with its terminal as the controlling one (setsid(1)):
 * in the same process, and without a group of its own before, as a group's leader cannot make a session.
 */
export function onTerminal(command: ChildCommand, setsid: VerifiedExecutable | null): ChildCommand {
  if (setsid === null) return command;
  return { ...command, file: setsid.path, args: ["-c", "--", command.file, ...command.args], makesSession: true };
}

/** The row of a child just started: read in the turn of the start, when it cannot have been collected yet. */
export async function rowOf({ table }: SignalPower, child: Child): Promise<ProcessRow> {
  const row = await table.read(child.pid);
  return row ?? { pid: child.pid, parentPid: process.pid, groupId: child.pid, sessionId: null, startTime: "0", zombie: false };
}
