import { ReaError } from "@rea/core";

/** Tells running work that its caller gave up. The main thread writes the call's id into shared memory. */
export class Cancellation {
  readonly #word: Int32Array;
  readonly #call: number;
  readonly #operation: string;

  constructor(word: Int32Array, call: number, operation: string) {
    this.#word = word;
    this.#call = call;
    this.#operation = operation;
  }

  get isRequested(): boolean {
    return Atomics.load(this.#word, 0) === this.#call;
  }

  /** Throws `cancelled` when the caller gave up. Cheap enough for loops. */
  readonly checkpoint = (): void => {
    if (!this.isRequested) return;
    throw new ReaError("cancelled", {
      message: `${this.#operation} was cancelled.`,
      details: { operation: this.#operation, cleanup: "complete" },
    });
  };
}
