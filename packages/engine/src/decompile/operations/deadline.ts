/** Thrown when one function takes longer than its bound. */
export class TooMuchWork extends Error {}

/** Bounds the work on one function, and asks now and then whether the caller gave up. */
export class Deadline {
  #end = Number.POSITIVE_INFINITY;
  #checkpoint: () => void = () => undefined;

  start(ms: number, checkpoint: () => void): void {
    this.#end = performance.now() + ms;
    this.#checkpoint = checkpoint;
  }

  check(): void {
    this.#checkpoint();
    if (performance.now() > this.#end) throw new TooMuchWork("The function takes too long.");
  }
}
