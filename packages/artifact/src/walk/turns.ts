import { throwIfAborted } from "@rea/core";

const everyMs = 8;

/** Lets the event loop serve others now and then during long work, and hears a cancel. */
export class Turns {
  readonly #signal: AbortSignal;
  #last = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether it is time to take a turn; for loops in which even asking costs. Throws `cancelled`. */
  due(): boolean {
    throwIfAborted(this.#signal, "read_artifact");
    return performance.now() - this.#last >= everyMs;
  }

  /** Throws `cancelled`. */
  async take(): Promise<void> {
    throwIfAborted(this.#signal, "read_artifact");
    if (performance.now() - this.#last < everyMs) return;
    await new Promise<void>((resume) => setImmediate(resume));
    throwIfAborted(this.#signal, "read_artifact");
    this.#last = performance.now();
  }
}
