import type { ProgressReporter } from "@rea/core";
import type { ReadingPool } from "../pool/reading-pool.js";

const everyMs = 100;

/** Tells how many bytes were looked at, also while nothing but other threads works. */
export class WalkProgress implements ProgressReporter {
  readonly #progress: ProgressReporter;
  readonly #pool: ReadingPool;
  readonly #timer: NodeJS.Timeout;
  #completed = 0;

  constructor(progress: ProgressReporter, pool: ReadingPool) {
    this.#progress = progress;
    this.#pool = pool;
    this.#timer = setInterval(() => this.report({ phase: "reading", completed: 0, message: "Reading members" }), everyMs).unref();
  }

  /** Bytes are read ahead of being reported, and some are read again: the number only ever grows. */
  report(update: Parameters<ProgressReporter["report"]>[0]): void {
    this.#completed = Math.max(this.#completed, update.completed, this.#pool.passedBytes);
    this.#progress.report({ ...update, completed: this.#completed });
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
