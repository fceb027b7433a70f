import { throwIfAborted, toReaError, type OperationContext } from "@rea/core";
import { ProgressFan } from "./progress-fan.js";

/**
 * A start that several callers wait for. It goes on while anybody waits; the last one to give up ends it, and leaves only
 * when all it had made is gone.
 */
export class SharedStart<T> {
  readonly #abort = new AbortController();
  readonly #fan = new ProgressFan();
  readonly #outcome: Promise<T>;
  #waiting = 0;

  constructor(begin: (context: OperationContext) => Promise<T>) {
    this.#outcome = begin({ signal: this.#abort.signal, progress: this.#fan.reporter });
    this.#outcome.catch(() => undefined);
  }

  /** Nobody waits for it any more and it is being undone. */
  get abandoned(): boolean {
    return this.#abort.signal.aborted;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Settles when the start is over, however it ended. */
  async settled(): Promise<void> {
    await this.#outcome.catch(() => undefined);
  }

  abandon(): void {
    this.#abort.abort();
  }

  /** Throws what the start throws, and `cancelled` for a caller that gives up. */
  async join({ signal, progress }: OperationContext, operation: string): Promise<T> {
    throwIfAborted(signal, operation);
    const member = this.#fan.add(progress);
    this.#waiting += 1;
    let onAbort = (): void => undefined;
    const aborted = new Promise<"aborted">((resolve) => {
      onAbort = () => resolve("aborted");
      signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      const first = await Promise.race([this.#outcome.then((value) => ({ value })), aborted, member.refused]);
      if (first !== "aborted") return first.value;
    } finally {
      signal.removeEventListener("abort", onAbort);
      member.stop();
      this.#waiting -= 1;
      if (this.#waiting === 0) await this.#abandonUnlessOver(signal);
    }
    throw toReaError(new DOMException("aborted", "AbortError"), operation);
  }

  /** The last to leave waits until nothing is left; what could not be removed is the error then. */
  async #abandonUnlessOver(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) return;
    this.abandon();
    await this.#outcome.then(
      () => undefined,
      (error: unknown) => {
        const failure = toReaError(error, "start_engine");
        if (failure.code === "cleanup_incomplete") throw failure;
      },
    );
  }
}
