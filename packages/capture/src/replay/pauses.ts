/** Waits that can all be ended at once; no timer outlives `end`. */
export class Pauses {
  readonly #waiting = new Set<() => void>();
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  /** True after the time, false when it was ended before. */
  wait(milliseconds: number): Promise<boolean> {
    if (this.#ended) return Promise.resolve(false);
    if (milliseconds <= 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (elapsed: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(stop);
        resolve(elapsed);
      };
      const stop = (): void => finish(false);
      const timer = setTimeout(() => finish(true), milliseconds);
      this.#waiting.add(stop);
    });
  }

  end(): void {
    this.#ended = true;
    for (const stop of [...this.#waiting]) stop();
  }
}
