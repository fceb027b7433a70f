import type { DeclaredCheck } from "../format.js";

/** A declaration that the bytes disprove. */
export interface FailedCheck {
  readonly check: DeclaredCheck;
  readonly observed: string;
}
