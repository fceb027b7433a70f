import type { StepFailure } from "@rea/core";

/** An action that did not come to its end; it ends the scenario and is told in its step. */
export class StepFailed extends Error {
  constructor(
    readonly failure: StepFailure,
    /** How many elements the locator had. */
    readonly matches: number | null = null,
  ) {
    super(failure);
  }
}
