import type { ProgressReporter } from "@rea/core";
import type { OpenedSource } from "../format.js";
import type { ArtifactLimits } from "../limits.js";
import type { ReadingPool } from "../pool/reading-pool.js";
import type { Budget } from "./budget.js";
import type { ContentSink } from "./content-sink.js";
import type { Findings } from "./findings.js";
import type { Place } from "./place.js";
import type { Turns } from "./turns.js";

export interface WalkOptions {
  readonly limits: ArtifactLimits;
  readonly integrityPolicy: "fail" | "record-and-continue";
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
  /** Where contents are read and measured ahead. */
  readonly pool: ReadingPool;
  /** A file beside the artifact itself; see `ReaderInput.openBeside`. */
  readonly openBeside: (containerPath: string, path: string) => OpenedSource | undefined;
  /** Shown each place when its content is known; the walk waits for it. */
  readonly onPlace?: (place: Place) => Promise<void> | undefined;
  /** Shown each verified content while it passes; extraction writes it. */
  readonly sink?: ContentSink;
  /** Signatures of executables are read and verified too; costs a second look at each. */
  readonly signatures?: boolean;
}

/** What the parts of one walk share. */
export interface WalkState {
  readonly options: WalkOptions;
  readonly budget: Budget;
  readonly turns: Turns;
  readonly found: Findings;
}
