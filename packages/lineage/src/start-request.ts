import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ReaError, type InputIssue } from "@rea/core";
import type { ChildExit } from "./start-child.js";
import type { TerminalSize } from "./open-terminal.js";
import { runTokenVariable } from "./run-token.js";

/** One program to run, with its bounds. Every start has a deadline, a signal and an output bound. */
export interface StartRequest {
  /** Absolute path. */
  readonly executable: string;
  readonly arguments: readonly string[];
  /** All the program gets, beside its run token; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Bytes to send and then end, `pipe` to write by hand, or nothing (the default). */
  readonly stdin?: Uint8Array | "pipe";
  /** Aborting ends the run with all its processes. */
  readonly signal: AbortSignal;
  /** Milliseconds from the start until the run is ended; at most 2,147,483,647. */
  readonly deadlineMs: number;
  /** Bytes kept of each output stream; default 65,536. Totals are exact whatever is kept. */
  readonly outputBytes?: number;
  /** Which end of an output is kept; default `head`. */
  readonly keep?: "head" | "tail";
  /** End the run when a stream passes its bound; default false. */
  readonly endWhenOutputPassed?: boolean;
  /** `pid_namespace`: a proof that nothing survives, visible to the program; `unsupported_host` where there is none. */
  readonly isolation?: "none" | "pid_namespace";
  /** Programs, by absolute real path, that this one becomes by `exec`; its command is compared with them too. */
  readonly becomes?: readonly string[];
  /** Time between TERM and KILL when the run is ended; default 250 ms. */
  readonly settleMs?: number;
  /**
   * Run it on a terminal of its own, which it controls as the leader of its session, instead of pipes. What it writes is
   * the run's `stdout`, and nothing is its `stderr`.
   */
  readonly terminal?: TerminalRequest;
  /** Run it by the path as it is given, not by the real one: programs look at the name they were called by. Default false. */
  readonly byGivenName?: boolean;
  /**
   * Called when the program itself has ended by will; what it started is left running until this settles, or until the run
   * is ended otherwise. Default: it is ended at once.
   */
  readonly afterExit?: (exit: ChildExit) => Promise<void>;
}

export interface TerminalRequest extends TerminalSize {
  /** Gets each piece of output as it comes, in the turn in which it was read. */
  readonly onOutput?: (bytes: Buffer) => void;
}

const maximumDelayMs = 2_147_483_647;

/** Throws `invalid_request` that names what cannot be used. Values are never echoed. */
export function checkStartRequest(request: StartRequest): void {
  const issues = [...programIssues(request), ...environmentIssues(request.environment), ...boundIssues(request)];
  if (issues.length === 0) return;
  throw new ReaError("invalid_request", {
    message: `A program cannot be started like this: ${[...new Set(issues.map(({ path }) => path))].join(", ")}. Correct it and start again.`,
    details: { operation: "start_process", issues },
  });
}

function programIssues({ executable, arguments: args, workingDirectory, terminal, stdin }: StartRequest): InputIssue[] {
  const issues: InputIssue[] = [];
  if (!isAbsolute(executable) || executable.includes("\0")) issues.push(bad("executable", "absolute path"));
  if (terminal !== undefined && stdin !== undefined) issues.push(bad("stdin", "nothing beside a terminal, which is the input"));
  if (args.some((argument) => argument.includes("\0"))) issues.push(bad("arguments", "text without NUL"));
  if (!isAbsolute(workingDirectory) || !isDirectory(workingDirectory)) issues.push(bad("working_directory", "an existing directory"));
  return issues;
}

function environmentIssues(environment: StartRequest["environment"]): InputIssue[] {
  const issues: InputIssue[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (name === runTokenVariable) issues.push(bad("environment", "no reserved variable"));
    if (name === "" || /[=\0]/.test(name) || value.includes("\0")) issues.push(bad("environment", "names without = and values without NUL"));
  }
  return issues;
}

function boundIssues({ deadlineMs, outputBytes = 0, terminal }: StartRequest): InputIssue[] {
  const issues: InputIssue[] = [];
  for (const size of terminal === undefined ? [] : [terminal.columns, terminal.rows]) {
    if (!(Number.isSafeInteger(size) && size >= 1 && size <= 65_535)) {
      issues.push({ path: "terminal", reason: "out_of_range", minimum: 1, maximum: 65_535 });
    }
  }
  if (!(deadlineMs > 0 && deadlineMs <= maximumDelayMs)) {
    issues.push({ path: "deadline_ms", reason: "out_of_range", minimum: 1, maximum: maximumDelayMs });
  }
  if (!(Number.isSafeInteger(outputBytes) && outputBytes >= 0)) issues.push({ path: "output_bytes", reason: "out_of_range", minimum: 0 });
  return issues;
}

function bad(path: string, expected: string): InputIssue {
  return { path, reason: "invalid_value", expected };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
