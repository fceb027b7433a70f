import { ReaError, silentProgress, throwIfAborted, type ProgressReporter } from "@rea/core";

/** Upper bounds of the work; reaching one makes the analysis incomplete, never wrong. */
export interface AnalysisLimits {
  /** Instructions decoded while code is discovered. */
  readonly instructions: number;
  readonly functions: number;
  /** Instructions of one function. */
  readonly functionInstructions: number;
}

export const standardLimits: AnalysisLimits = {
  instructions: 60_000_000,
  functions: 2_000_000,
  functionInstructions: 1_000_000,
};

export interface AnalysisOptions {
  readonly progress?: ProgressReporter;
  readonly signal?: AbortSignal;
  /** For a thread that cannot see signals while it computes: asked every few thousand instructions. */
  readonly shouldStop?: () => boolean;
  readonly limits?: Partial<AnalysisLimits>;
}

const askEvery = 8192;
const unitsPerItem = 8;

/** Counts work, reports it, and stops it when asked or when a bound is reached. */
export class WorkBounds {
  readonly limits: AnalysisLimits;
  /** Instructions decoded in discovery. */
  instructions = 0;
  readonly #options: AnalysisOptions;
  readonly #progress: ProgressReporter;
  #sinceAsked = 0;
  #completed = 0;

  constructor(options: AnalysisOptions) {
    this.#options = options;
    this.#progress = options.progress ?? silentProgress;
    this.limits = { ...standardLimits, ...options.limits };
  }

  get exhausted(): boolean {
    return this.instructions >= this.limits.instructions;
  }

  /** Notes `count` units of work in a phase; throws `cancelled` when the caller wants no more. */
  did(count: number, phase: string): void {
    this.#completed += count;
    this.#sinceAsked += count;
    if (this.#sinceAsked < askEvery) return;
    this.#sinceAsked = 0;
    this.checkStop();
    this.#progress.report({ phase, completed: this.#completed, message: `${phase}: ${String(this.#completed)} instructions` });
  }

  /** The items one after another, asking now and then whether to stop: for work over tables of any size. */
  *watched<T>(items: Iterable<T>): Generator<T, void, undefined> {
    for (const item of items) {
      this.worked(unitsPerItem);
      yield item;
    }
  }

  /** The comparison, asking now and then while a table is sorted by it. */
  watchedOrder<T>(compare: (a: T, b: T) => number): (a: T, b: T) => number {
    return (a, b) => {
      this.worked(1);
      return compare(a, b);
    };
  }

  /** Notes units of work that progress does not speak of; an item of a table counts as several instructions. */
  worked(count: number): void {
    this.#sinceAsked += count;
    if (this.#sinceAsked < askEvery) return;
    this.#sinceAsked = 0;
    this.checkStop();
  }

  checkStop(): void {
    throwIfAborted(this.#options.signal, "analyze_program");
    if (this.#options.shouldStop?.() !== true) return;
    throw new ReaError("cancelled", {
      message: "analyze_program was cancelled.",
      details: { operation: "analyze_program", cleanup: "complete" },
    });
  }
}
