import { isAbort, ReaError, throwIfAborted } from "@rea/core";

/**
 * Who may run when the target changes. Admitted calls run side by side; a transition runs alone with the other
 * transitions, and from `drain` on waits for the admitted calls and keeps new ones out.
 */
export interface Admission {
  /** Runs a call, or throws `target_unavailable` (`target_changed`) while a transition is draining. */
  admit<T>(work: () => Promise<T>): Promise<T>;
  /** Runs one transition after the other, in the order of the calls. */
  transition<T>(operation: string, signal: AbortSignal, work: (drain: Drain) => Promise<T>): Promise<T>;
  readonly active: number;
}

/** Keeps new calls out and resolves when no admitted call is left; calls may enter again when the transition ends. */
export type Drain = () => Promise<void>;

export function createAdmission(): Admission {
  let active = 0;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
  const waiting = new Set<() => void>();

  const leave = (): void => {
    active -= 1;
    if (active === 0) for (const resume of [...waiting]) resume();
  };
  const drained = async (operation: string, signal: AbortSignal): Promise<void> => {
    if (active > 0) await untilCalled(waiting, signal);
    throwIfAborted(signal, operation);
  };

  return {
    get active() {
      return active;
    },
    async admit(work) {
      if (closed) throw changing();
      active += 1;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async transition(operation, signal, work) {
      const before = last;
      let draining = false;
      let finish = (): void => undefined;
      last = new Promise<void>((resolve) => (finish = resolve));
      try {
        await abortable(before, signal, operation);
        return await work(() => {
          draining = true;
          closed = true;
          return drained(operation, signal);
        });
      } finally {
        if (draining) closed = false;
        void before.then(finish);
      }
    },
  };
}

function changing(): ReaError {
  return new ReaError("target_unavailable", {
    message: "The session is changing its target. Call again when open_binary or close_binary has answered.",
    details: { reason: "target_changed" },
    action: "Wait for the running open_binary or close_binary, then call again.",
  });
}

/** Resolves at the next call of the registered function, or when the signal aborts. */
function untilCalled(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      waiting.delete(done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    waiting.add(done);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}

/** Waits for `promise`; throws `cancelled` as soon as the signal aborts, leaving the promise to itself. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal, operation: string): Promise<T> {
  throwIfAborted(signal, operation);
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new DOMException("aborted", "AbortError"));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    if (isAbort(error)) throwIfAborted(signal, operation);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
