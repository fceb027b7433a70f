/** Does something again and again, one after the other, with a pause between; stops for good. */
export class Ticker {
  readonly #work: () => Promise<void>;
  readonly #pauseMs: (round: number) => number;
  #timer: NodeJS.Timeout | null = null;
  #wake: () => void = () => undefined;
  #stopped = false;
  #running: Promise<void> | null = null;

  constructor(work: () => Promise<void>, pauseMs: (round: number) => number) {
    this.#work = work;
    this.#pauseMs = pauseMs;
  }

  start(): void {
    this.#running ??= this.#run();
    // Who stops it is told.
    this.#running.catch(() => undefined);
  }

  /** Settles when the round under way is over. Rejects with what a round threw. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#stopped; round += 1) {
      await this.#work();
      if (this.#stopped) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#timer = setTimeout(resolve, this.#pauseMs(round));
      });
    }
  }
}
