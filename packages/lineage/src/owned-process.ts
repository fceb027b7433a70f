import type { Writable } from "node:stream";
import type { CapturedOutput } from "./bounded-output.js";
import type { LineageObservation, TreeSnapshot } from "./lineage-observation.js";
import type { TerminalSize } from "./open-terminal.js";
import type { CleanupReport, Confirmation, Ownership } from "./ownership.js";
import type { ProcessIdentity } from "./process-table.js";
import type { SignalOutcome } from "./signal-process.js";
import type { ChildExit } from "./start-child.js";

/** Why a run ended. */
export type EndReason = "exited" | "timeout" | "cancelled" | "closed" | "output_limit";

/** A run that is over, and what ending it left. */
export interface EndedRun {
  readonly reason: EndReason;
  /** Of the program itself; both null when it did not end. */
  readonly exit: ChildExit;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly cleanup: CleanupReport;
  /** How many processes were confirmed to be the run's, by way of confirmation. */
  readonly confirmed: { readonly [way in Confirmation]?: number };
}

export interface ProcessDescription {
  /** Real path of its program; null when it cannot be read. */
  readonly program: string | null;
  /** As the process shows them, at most 64 KiB; null when they cannot be read. */
  readonly arguments: readonly string[] | null;
  /** Its pid as it sees it itself; null where that cannot be read. */
  readonly innerPid: number | null;
}

/** The terminal of a run, from the side of who sits at it. */
export interface OwnedTerminal {
  /** Types bytes; settles when the terminal took them, with false when it took no more of them. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** False when the terminal is gone. */
  resize(size: TerminalSize): boolean;
  /** Whether output is read now; a program that writes on waits, as it would for a slow terminal. Read again once the run ends. */
  reading(reads: boolean): void;
}

/** A program we started, with everything it starts. */
export interface OwnedProcess {
  readonly pid: number;
  /** Null where no process table can be read. */
  readonly identity: ProcessIdentity | null;
  readonly executable: { readonly path: string; readonly sha256: string };
  readonly ownership: Ownership;
  readonly stdin: Writable | null;
  /** Null for a run without a terminal. */
  readonly terminal: OwnedTerminal | null;
  /** Settles when the program has ended, or was ended, and all its processes are cleaned up; never rejects. */
  readonly ended: Promise<EndedRun>;
  /** What the program has written so far. */
  output(): { readonly stdout: CapturedOutput; readonly stderr: CapturedOutput };
  observe(): Promise<LineageObservation>;
  /** Everything that belongs to the run now, at most `maximum` processes (default 1,000). Throws when the process table cannot be read. */
  snapshot(maximum?: number): Promise<TreeSnapshot>;
  /** Real path of the program that a process of a snapshot runs; null when that cannot be read, or it has ended meanwhile. */
  program(process: { readonly pid: number; readonly start_time: string }): Promise<string | null>;
  /** What a process of a snapshot runs; null when it has ended meanwhile. */
  describe(process: { readonly pid: number; readonly start_time: string }): Promise<ProcessDescription | null>;
  /** Signals the program, or its whole group, after reading its identity again. */
  signal(signal: NodeJS.Signals, to?: "root" | "group"): Promise<SignalOutcome>;
  /** Ends the run; safe to call twice. What an earlier end had to leave is tried again. */
  close(): Promise<EndedRun>;
}
