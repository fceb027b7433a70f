/** Runs work a few at a time: a connection takes only so many commands without an answer. */
export class CommandQueue {
  readonly #waiting: (() => Promise<unknown>)[] = [];
  readonly #atOnce: number;
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Failures are the work's own affair. */
  add(work: () => Promise<unknown>): void {
    this.#waiting.push(work);
    this.#pump();
  }

  #pump(): void {
    while (this.#running < this.#atOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      void next().then(
        () => this.#done(),
        () => this.#done(),
      );
    }
  }

  #done(): void {
    this.#running -= 1;
    this.#pump();
  }
}
