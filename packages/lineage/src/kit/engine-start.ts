import { throwIfAborted, type OperationContext, type ProgressReporter } from "@rea/core";
import { cancelledCall } from "./engine-errors.js";
import type { Engine } from "./engine.js";
import { reportRising } from "./rising-progress.js";

export type OpenEngine = (context: OperationContext) => Promise<Engine>;

interface Waiter {
  readonly progress: ProgressReporter;
  readonly refuse: (error: unknown) => void;
}

/**
 * A start that all who need the engine wait for: each hears how far it is and may leave. When the last has left it is
 * given up, and that one learns only after everything is gone whether it is.
 */
export class SharedEngineStart {
  readonly startedAt: number;
  readonly engine: Promise<Engine>;
  readonly #controller = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #over = false;

  constructor(open: OpenEngine, startedAt: number) {
    this.startedAt = startedAt;
    this.engine = open({ signal: this.#controller.signal, progress: { report: (update) => this.#tell(update) } });
    const over = (): void => void (this.#over = true);
    // Whoever waits is told of a failure; nobody may be waiting any more.
    void this.engine.then(over, over);
  }

  /** Given up, and on its way out. */
  get abandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  abandon(): void {
    this.#controller.abort();
  }

  /**
   * Resolves with the engine. Throws what the start throws, and `cancelled` as soon as the signal aborts; for the last who
   * waits, `cancelled` or `cleanup_incomplete` once the start has been cleared away.
   */
  async join({ signal, progress }: OperationContext): Promise<Engine> {
    throwIfAborted(signal, "start_engine");
    let leave = (): void => undefined;
    const left = new Promise<"left">((resolve) => (leave = () => resolve("left")));
    let refuse: (error: unknown) => void = () => undefined;
    const refused = new Promise<never>((_, reject) => (refuse = reject));
    const waiter: Waiter = { progress, refuse };
    this.#waiters.add(waiter);
    signal.addEventListener("abort", leave, { once: true });
    try {
      const first = await Promise.race([this.engine, left, refused]);
      if (first !== "left") return first;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#waiters.delete(waiter);
      if (this.#waiters.size === 0 && !this.#over) this.abandon();
    }
    // An engine that came up in this very moment stays; it is closed with its owner.
    if (this.abandoned) await this.engine;
    throw cancelledCall("start_engine");
  }

  #tell(update: Parameters<ProgressReporter["report"]>[0]): void {
    for (const { progress, refuse } of this.#waiters) {
      try {
        reportRising(progress, update);
      } catch (error) {
        refuse(error);
      }
    }
  }
}
