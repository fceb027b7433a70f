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
}

/** What a start may use. */
export interface StartHost {
  readonly power: SignalPower;
  readonly guardian: Guardian;
  readonly cgroups: boolean;
  /** Releases what was prepared, once the run left nothing. */
  readonly release: (prepared: PreparedStart) => Promise<void>;
}

/** The row of a child just started: read in the turn of the start, when it cannot have been collected yet. */
export async function rowOf({ table }: SignalPower, child: Child): Promise<ProcessRow> {
  const row = await table.read(child.pid);
  return row ?? { pid: child.pid, parentPid: process.pid, groupId: child.pid, sessionId: null, startTime: "0", zombie: false };
}
