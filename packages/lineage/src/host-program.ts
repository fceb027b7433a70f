import { ReaError, type HostProgramProvenance } from "@rea/core";
import type { ProcessLauncher } from "./launcher.js";
import type { EndedRun } from "./owned-process.js";

/** One bounded question to a program of the host. */
export interface HostProgramRequest {
  /** What the program is called in provenance. */
  readonly tool: string;
  /** Absolute path. */
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly stdin?: Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Name of the operation, for errors. */
  readonly operation: string;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** Of each output stream; the run ends when one passes it. Default 4 MiB. */
  readonly maximumOutputBytes?: number;
}

export interface HostProgramAnswer {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly provenance: HostProgramProvenance;
}

const defaultTimeoutMs = 30_000;
const defaultOutputBytes = 4 * 1024 * 1024;

/**
 * Runs a program once, with no shell, an own session, a deadline and bounded output, and cleans up after it. Any exit
 * status is an answer. Throws what `start` throws, and `provider_timeout`, `cancelled` and `cleanup_incomplete`.
 */
export async function runHostProgram(launcher: ProcessLauncher, request: HostProgramRequest): Promise<HostProgramAnswer> {
  const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
  const run = await launcher.start({
    executable: request.executable,
    arguments: request.arguments,
    environment: request.environment ?? { LC_ALL: "C" },
    workingDirectory: "/",
    ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
    signal: request.signal,
    deadlineMs: timeoutMs,
    outputBytes: request.maximumOutputBytes ?? defaultOutputBytes,
    endWhenOutputPassed: true,
  });
  const ended = await run.ended;
  refuseBadEnd(ended, request.operation, timeoutMs);
  const { stdout, stderr, exit } = ended;
  return {
    stdout: stdout.bytes,
    stderr: stderr.bytes,
    provenance: {
      tool: request.tool,
      tool_version: null,
      executable_sha256: run.executable.sha256,
      exit: { ...exit },
      stdout_bytes: stdout.totalBytes,
      stderr_bytes: stderr.totalBytes,
      truncated: stdout.truncated || stderr.truncated,
    },
  };
}

function refuseBadEnd({ reason, cleanup }: EndedRun, operation: string, timeoutMs: number): void {
  if (cleanup.state === "incomplete") {
    throw new ReaError("cleanup_incomplete", {
      message: `${operation} ended a program of the host, but not all of its processes. Details list what remains.`,
      details: { operation, cleanup: "incomplete", resources: cleanup.resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })) },
    });
  }
  if (reason === "timeout") {
    throw new ReaError("provider_timeout", {
      message: `The program of the host did not answer ${operation} within ${String(timeoutMs)} ms. Ask for less and call again.`,
      details: { operation, timeout_ms: timeoutMs, phase: "host_program" },
    });
  }
  if (reason === "cancelled" || reason === "closed") {
    throw new ReaError("cancelled", {
      message: `${operation} was cancelled. Call it again when the result is wanted.`,
      details: { operation, cleanup: "complete" },
    });
  }
}
