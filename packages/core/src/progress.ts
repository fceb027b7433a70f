/** One progress report. `total` is absent when unknown and never below `completed`. */
export interface ProgressUpdate {
  readonly phase: string;
  /** Finite, not negative, never decreasing over the whole call, also across phases. */
  readonly completed: number;
  readonly total?: number;
  /** From a fixed template; never text of the target. */
  readonly message: string;
}

/** What an operation gets to say how far it is. */
export interface ProgressReporter {
  report(update: ProgressUpdate): void;
}

/** The end of a call; what is absent is taken over from the last report. */
export interface ProgressEnd {
  readonly phase: string;
  readonly message: string;
  readonly completed?: number;
  readonly total?: number;
}

/** Owner's side of a reporter. */
export interface ProgressController extends ProgressReporter {
  /** Sends the terminal update, whatever the rate. Nothing may be reported after it. */
  finish(end: ProgressEnd): void;
}

export interface ProgressOptions {
  /** Milliseconds of a monotonic clock; tests pass their own. */
  readonly now?: () => number;
}

const intervalMs = 100;

/** For callers that nobody watches. */
export const silentProgress: ProgressReporter = { report: () => undefined };

/**
 * Passes reports on to `sink`: at most one intermediate update per 100 ms, the others dropped, the terminal one always.
 * A report that breaks the rules of `ProgressUpdate`, or follows the end, is a programming error and throws a plain Error.
 */
export function createProgress(sink: (update: ProgressUpdate) => void, options: ProgressOptions = {}): ProgressController {
  const now = options.now ?? (() => performance.now());
  let last: ProgressUpdate | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let finished = false;

  const accept = (update: ProgressUpdate): void => {
    if (finished) throw new Error("Progress was reported after the end of the call.");
    checkUpdate(update, last?.completed ?? 0);
    last = update;
  };

  return {
    report(update) {
      accept(update);
      const time = now();
      if (time - sentAt < intervalMs) return;
      sentAt = time;
      sink(update);
    },
    finish(end) {
      const completed = end.completed ?? last?.completed ?? 0;
      const total = end.total ?? last?.total;
      const known = total !== undefined && total >= completed;
      const update = { phase: end.phase, completed, message: end.message };
      const terminal = known ? { ...update, total } : update;
      accept(terminal);
      finished = true;
      sink(terminal);
    },
  };
}

function checkUpdate({ completed, total }: ProgressUpdate, floor: number): void {
  if (!Number.isFinite(completed) || completed < floor) {
    throw new Error(`Progress went from ${String(floor)} to ${String(completed)}; it must be finite and never decrease.`);
  }
  if (total !== undefined && (!Number.isFinite(total) || total < completed)) {
    throw new Error(`The progress total ${String(total)} is below the ${String(completed)} already completed.`);
  }
}
