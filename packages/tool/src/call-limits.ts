import { ReaError } from "@rea/core";

/** The one signal of a call: aborted by its caller or by its deadline, whichever comes first. */
export interface CallLimits {
  readonly signal: AbortSignal;
  /** The typed error of the abort, or undefined while there is none. */
  failure(): ReaError | undefined;
  /** Throws the typed error when the call was aborted. */
  check(): void;
  /** Waits for `work`. Once aborted, waits `graceMs` more for its cleanup, then throws `cleanup_incomplete`. */
  settle<T>(work: Promise<T>): Promise<T>;
  /** Removes timer and listener. */
  release(): void;
}

export interface CallLimitOptions {
  readonly operation: string;
  readonly signal: AbortSignal;
  readonly deadlineMs: number | undefined;
  readonly graceMs: number;
  /** Where the call is, for the message of a timeout. */
  phase(): string;
}

export function callLimits(options: CallLimitOptions): CallLimits {
  const { operation, signal: caller, deadlineMs } = options;
  const controller = new AbortController();
  let failure: ReaError | undefined;
  const abort = (error: ReaError): void => {
    if (failure !== undefined) return;
    failure = error;
    controller.abort(error);
  };
  const onCancel = (): void => abort(cancelled(operation));
  const timer =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => abort(timedOut(operation, deadlineMs, options.phase())), deadlineMs);
  if (caller.aborted) onCancel();
  else caller.addEventListener("abort", onCancel, { once: true });
  return {
    signal: controller.signal,
    failure: () => failure,
    check: () => {
      if (failure !== undefined) throw failure;
    },
    settle: (work) => settle(work, controller.signal, options),
    release: () => {
      clearTimeout(timer);
      caller.removeEventListener("abort", onCancel);
    },
  };
}

async function settle<T>(work: Promise<T>, signal: AbortSignal, options: CallLimitOptions): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(notSettled(options.operation, options.graceMs)), options.graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

function cancelled(operation: string): ReaError {
  return new ReaError("cancelled", {
    message: `${operation} was cancelled. Call it again when the result is wanted.`,
    details: { operation, cleanup: "complete" },
  });
}

function timedOut(operation: string, timeoutMs: number, phase: string): ReaError {
  return new ReaError("provider_timeout", {
    message: `${operation} did not finish within ${String(timeoutMs)} ms. Narrow the request or raise the deadline.`,
    details: { operation, timeout_ms: timeoutMs, phase },
  });
}

function notSettled(operation: string, graceMs: number): ReaError {
  return new ReaError("cleanup_incomplete", {
    message: `${operation} was stopped but had not ended ${String(graceMs)} ms later. Call close_binary to release what it holds.`,
    details: { operation, cleanup: "incomplete", resources: [] },
  });
}
