import { escapeBytes, escapeUntrusted, ReaError, truncateCodePoints } from "@rea/core";
import type { ChildExit } from "../start-child.js";
import type { EngineFailure } from "./engine-protocol.js";

const tailBytes = 16 * 1024;

/** Makes the error that one operation of a provider ends with. */
export type ErrorOf = (operation: string) => ReaError;

/** `provider_unavailable`: not now, and calling again may help. */
export function engineUnavailable(providerId: string, reason: string, message: string): ErrorOf {
  return (operation) => new ReaError("provider_unavailable", { message, details: { provider_id: providerId, operation, reason } });
}

export function queueFull(providerId: string): ErrorOf {
  return engineUnavailable(providerId, "queue_full", "Too many calls wait for this engine. Call again when some have been answered.");
}

export function engineClosed(providerId: string): ErrorOf {
  return engineUnavailable(providerId, "closed", "The engine was closed. Open the target again.");
}

/** `unreadable_output`: the engine said something that its protocol does not know. The connection is dead. */
export function offProtocol(providerId: string, reason: string): ErrorOf {
  return (operation) =>
    new ReaError("unreadable_output", {
      message: "The engine sent something that its protocol does not allow, and its connection was ended. Report the provider and operation.",
      details: { provider_id: providerId, operation, reason },
    });
}

export interface EngineExit {
  readonly exit: ChildExit;
  readonly stderr: { readonly bytes: Buffer; readonly totalBytes: number };
}

/** `provider_unavailable`, reason `engine_exited`, with how it ended and the end of what it wrote to its standard error. */
export function engineExited(providerId: string, { exit, stderr }: EngineExit): ErrorOf {
  const tail = escapedTail(stderr.bytes);
  return (operation) =>
    new ReaError("provider_unavailable", {
      message: "The engine ended before it answered. Call again to start a fresh one; details show how it ended.",
      details: {
        provider_id: providerId,
        operation,
        reason: "engine_exited",
        exit_code: exit.code,
        signal: exit.signal,
        stderr_tail: tail,
        stderr_bytes: stderr.totalBytes,
      },
    });
}

/** `execution_failure` with what the engine said, escaped and bounded. */
export function engineFailed(providerId: string, operation: string, failure: EngineFailure): ReaError {
  return new ReaError("execution_failure", {
    message: "The engine could not do what was asked; details hold what it said. Change the request, or choose another provider.",
    details: {
      provider_id: providerId,
      operation,
      diagnostics: {
        code: shown(failure.code, 128),
        message: shown(failure.message, 4_096),
        ...(failure.type === undefined ? {} : { type: shown(failure.type, 128) }),
      },
    },
  });
}

/** `provider_unavailable`, reason `private_directory_unusable`: the system did not let us or the adapter write there. */
export function directoryRefused(errno: string, cause: unknown): ReaError {
  const what = errno === "ENOSPC" || errno === "EDQUOT" ? "There is no room left for the engine's private directory" : `The engine's private directory cannot be written (${errno})`;
  return new ReaError("provider_unavailable", {
    message: `${what}. Let TMPDIR name a directory with room, then call again.`,
    details: { operation: "start_engine", reason: "private_directory_unusable", errno },
    cause,
  });
}

export function timedOut(operation: string, timeoutMs: number, phase: string): ReaError {
  return new ReaError("provider_timeout", {
    message: `The engine did not answer ${operation} within ${String(timeoutMs)} ms. Narrow the request or raise the deadline.`,
    details: { operation, timeout_ms: timeoutMs, phase },
  });
}

export function cancelledCall(operation: string): ReaError {
  return new ReaError("cancelled", {
    message: `${operation} was cancelled. Call it again when the result is wanted.`,
    details: { operation, cleanup: "complete" },
  });
}

/** At most 16 KiB once escaped, and never half of an escape. */
function escapedTail(bytes: Buffer): string {
  let raw = bytes.subarray(Math.max(0, bytes.length - tailBytes));
  for (;;) {
    const text = escapeBytes(raw, "utf-8", { multiline: true });
    const size = Buffer.byteLength(text);
    if (size <= tailBytes) return text;
    raw = raw.subarray(raw.length - Math.floor((raw.length * tailBytes) / (size + 1)));
  }
}

function shown(text: string, maximum: number): string {
  return escapeUntrusted(truncateCodePoints(text, maximum).text, { multiline: true });
}
