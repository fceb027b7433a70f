import type { ReactiveAction } from "@rea/core";
import type { ActionOutcome, ReactiveEffect } from "./reactive-machine.js";

export interface EffectCoordinatorOptions {
  /** Does one thing and tells what became of it; what it throws counts as `failed`. */
  readonly perform: (action: ReactiveAction) => Promise<ActionOutcome>;
  readonly performed: (effect: ReactiveEffect, outcome: ActionOutcome) => void;
}

/** The only way from a machine to its program: one effect at a time, in the order they were given out. */
export class EffectCoordinator {
  readonly #options: EffectCoordinatorOptions;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: EffectCoordinatorOptions) {
    this.#options = options;
  }

  submit(effects: readonly ReactiveEffect[]): void {
    for (const effect of effects) this.#last = this.#last.then(() => this.#perform(effect));
  }

  /** Settles when everything submitted until then is done. */
  async idle(): Promise<void> {
    let waited;
    do {
      waited = this.#last;
      await waited;
    } while (waited !== this.#last);
  }

  /** What has not begun is not done any more and counts as `failed`; waits for what has. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.idle();
  }

  async #perform(effect: ReactiveEffect): Promise<void> {
    const outcome = this.#closed ? "failed" : await this.#options.perform(effect.perform).catch(() => "failed" as const);
    this.#options.performed(effect, outcome);
  }
}
