import { inspectSignatureSteps, type SignatureResult } from "@rea/binary";
import { isReaError, type ByteSource } from "@rea/core";
import type { Turns } from "./turns.js";

export type SignatureInspection = SignatureResult;

/** The signatures of an executable; undefined for one that is too damaged to have any. */
export async function inspectSource(source: ByteSource, turns: Turns): Promise<SignatureInspection | undefined> {
  try {
    const steps = inspectSignatureSteps(source);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await turns.take();
    }
  } catch (error) {
    if (isReaError(error) && error.code === "artifact_operation_failed") return undefined;
    throw error;
  }
}
