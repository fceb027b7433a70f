/** Work that goes on in the background, so much of it at once and no more. */
export class InFlight {
  readonly #most: number;
  #running = 0;
  #failed: Error | undefined;
  #resume: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Starts work as soon as there is room for it, and comes back then. Throws how earlier work failed. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#running >= this.#most) await this.#oneEnds();
    this.#throwFailure();
    this.#running += 1;
    void this.#run(work);
  }

  /** Waits until nothing runs any more. Throws how the first that failed did. */
  async settled(): Promise<void> {
    while (this.#running > 0) await this.#oneEnds();
    this.#throwFailure();
  }

  async #run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failed ??= error instanceof Error ? error : new Error("Work in the background failed.", { cause: error });
    }
    this.#running -= 1;
    const waiting = this.#resume;
    this.#resume = [];
    for (const resume of waiting) resume();
  }

  #oneEnds(): Promise<void> {
    return new Promise((resume) => this.#resume.push(resume));
  }

  #throwFailure(): void {
    if (this.#failed !== undefined) throw this.#failed;
  }
}
