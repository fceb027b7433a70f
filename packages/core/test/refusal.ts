import { ReaError } from "../src/errors.js";

/** The details of the `evidence_integrity_mismatch` that the action throws; anything else fails the test. */
export function refusalOf(action: () => unknown): { readonly [key: string]: unknown } {
  try {
    action();
  } catch (error) {
    if (error instanceof ReaError && error.code === "evidence_integrity_mismatch") return { ...error.toObject().details };
    throw error;
  }
  throw new Error("The action was expected to be refused.");
}
