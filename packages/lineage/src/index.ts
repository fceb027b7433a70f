export { createLauncher, type LauncherOptions, type ProcessLauncher } from "./launcher.js";
export type { StartRequest, TerminalRequest } from "./start-request.js";
export type { EndedRun, EndReason, OwnedProcess, OwnedTerminal, ProcessDescription } from "./owned-process.js";
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
export { claimDirectory, removeTree, sweepOnce } from "./owned-directories.js";
export { openExecutable, type VerifiedExecutable } from "./verified-executable.js";
export { runHostProgram, type HostProgramAnswer, type HostProgramRequest } from "./host-program.js";
export { openEngine } from "./kit/open-engine.js";
export { OnDemandEngine } from "./kit/on-demand-engine.js";
export type { Engine, EngineCall, EngineState } from "./kit/engine.js";
export type { EngineLaunch, EngineSession, EngineSpec } from "./kit/engine-spec.js";
export type { EngineFailure, EngineFrame, EngineProgress, EngineProtocol, EngineRequest } from "./kit/engine-protocol.js";
export type { EngineCloseOutcome, EngineResource } from "./kit/engine-holdings.js";
export type { EngineActivity } from "./kit/request-queue.js";
