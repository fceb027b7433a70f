import type { StepFailure } from "@rea/core";
import { WorldGone } from "./isolated-world.js";
import { StepFailed } from "./step-failed.js";

/** When a step must be over, and what else ends it. */
export interface Deadline {
  /** By `performance.now()`. */
  readonly at: number;
  /** Failure when it is met. */
  readonly failure: StepFailure;
  /** Throws when the page, the browser or the call is over. */
  readonly check: () => void;
}

const pollMs = 30;

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Looks again until `look` gives something other than a failure, which is told when the time is up. A document that goes
 * away while it is looked at is looked at again.
 */
export async function until<T>(deadline: Deadline, look: () => Promise<T | StepFailed>): Promise<T> {
  let last = new StepFailed(deadline.failure);
  for (;;) {
    deadline.check();
    try {
      const found = await look();
      if (!(found instanceof StepFailed)) return found;
      last = found;
    } catch (error) {
      if (!(error instanceof WorldGone)) throw error;
    }
    if (performance.now() >= deadline.at) throw deadline.failure === "time_limit" ? new StepFailed("time_limit", last.matches) : last;
    await pause(pollMs);
  }
}
