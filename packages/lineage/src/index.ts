export { createLauncher, type LauncherOptions, type ProcessLauncher } from "./launcher.js";
export type { StartRequest, TerminalRequest } from "./start-request.js";
export type { EndedRun, EndReason, OwnedProcess, OwnedTerminal, ProcessDescription } from "./owned-run.js";
export type { CapturedOutput } from "./bounded-output.js";
export type { ChildExit } from "./start-child.js";
export type {
  CleanupReport,
  Confirmation,
  Ownership,
  OwnershipProof,
  ProcessResource,
  ProofRefusal,
} from "./ownership.js";
export type { LineageObservation, LineageReason, TreeSnapshot } from "./lineage-observation.js";
export type { ProcessIdentity, ProcessRow, ProcessTable, TableSnapshot, TokenReading } from "./process-table.js";
export type { Kill, SignalOutcome } from "./signal-process.js";
export { openExecutable, type VerifiedExecutable } from "./verified-executable.js";
export { runHostProgram, type HostProgramAnswer, type HostProgramRequest } from "./host-program.js";
