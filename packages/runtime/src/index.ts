export { createRuntime } from "./create-runtime.js";
export { keptAnalyses, type KeptAnalyses } from "./kept-analyses.js";
export type { RuntimeOptions } from "./runtime-options.js";
export type { RuntimeIdentity } from "./description/alignment.js";
export type { LogLevel } from "./configuration.js";
export type { LogDestination } from "./logger.js";
export type { AuxiliaryProvider } from "./static-calls.js";
export type { DetectFile } from "./target/resolve-target.js";
export type { LedgerLimits } from "./ledger/ledger-store.js";
