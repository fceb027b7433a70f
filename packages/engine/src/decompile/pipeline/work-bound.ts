/** Thrown when one function takes more work than its bound. */
export class TooMuchWork extends Error {}

/**
 * Bounds the work on one function by counting it, so that what comes out is the same on a fast machine and on a slow one.
 * A unit is about one value looked at once. Asks now and then whether the caller gave up.
 */
export class WorkBound {
  #left = Number.POSITIVE_INFINITY;
  #checkpoint: () => void;

  constructor(checkpoint: () => void = () => undefined) {
    this.#checkpoint = checkpoint;
  }

  /** Who is asked from now on whether to go on. */
  ask(checkpoint: () => void): void {
    this.#checkpoint = checkpoint;
  }

  /** Runs what may take so many units. What runs inside another has its own bound and does not count there. Throws TooMuchWork. */
  within<T>(most: number, work: () => T): T {
    const before = this.#left;
    this.#left = most;
    try {
      return work();
    } finally {
      this.#left = before;
    }
  }

  spend(units = 1): void {
    this.#checkpoint();
    this.#left -= units;
    if (this.#left < 0) throw new TooMuchWork("The function takes more work than its bound.");
  }
}
