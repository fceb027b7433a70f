import type { JsonObject } from "@rea/core";
import type { AnalysisProvider } from "@rea/provider";
import type { Tool } from "@rea/tool";
import type { LogLevel } from "./configuration.js";
import type { RuntimeIdentity } from "./description/alignment.js";
import type { LedgerLimits } from "./ledger/ledger-store.js";
import type { LogDestination } from "./logger.js";
import type { AuxiliaryProvider } from "./static-calls.js";
import type { DetectFile } from "./target/resolve-target.js";

export interface RuntimeOptions {
  /** The process environment; parsed once. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly identity: RuntimeIdentity;
  /** Default: every tool of `@rea/tools`. */
  readonly tools?: readonly Tool[];
  /** The array that `tools/list` answers with, when the build computed it. */
  readonly catalogue?: readonly JsonObject[];
  /** Deep providers; default: the embedded one and those that drive an engine of the user. */
  readonly providers?: readonly AnalysisProvider[];
  /** Default: the file parsers. */
  readonly auxiliary?: readonly AuxiliaryProvider[];
  /** Default: the home directory of `env`. */
  readonly home?: string;
  /** Absolute; default `<home>/.rea/state`. */
  readonly stateDirectory?: string;
  /** Absolute; holds finished analyses of the embedded engine. Default `<home>/.rea/cache/analysis`. */
  readonly cacheDirectory?: string;
  /** Names the engine's code; a kept analysis serves only the build that made it, and without a name none is kept. */
  readonly engineBuild?: string | undefined;
  readonly log?: {
    /** `REA_LOG_LEVEL` wins; default `info`. */
    readonly level?: LogLevel;
    /** Default: standard error. */
    readonly destination?: LogDestination;
  };
  readonly ledger?: {
    readonly limits?: LedgerLimits;
    /** Canonical bytes kept in memory; default 64 MiB. */
    readonly memoryBytes?: number;
    /** Where the ledger spills to; default the system's temporary directory. */
    readonly directory?: string;
  };
  readonly detect?: DetectFile;
}
