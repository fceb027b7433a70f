import { ReaError, type ErrorDetails, type EvidenceReason } from "./errors.js";
import type { z } from "./z.js";

export type RefusalDetails = Omit<ErrorDetails<"evidence_integrity_mismatch">, "reason">;

/**
 * The typed refusal of JSON, Evidence or a bundle.
 * `constraint` in the details names the broken rule in words that a program can compare.
 */
export function evidenceRefusal(
  reason: EvidenceReason,
  message: string,
  details: RefusalDetails = {},
): ReaError<"evidence_integrity_mismatch"> {
  return new ReaError("evidence_integrity_mismatch", { message, details: { reason, ...details } });
}

/** Reason `schema`, with the place and the rule of the first issue; neither values nor unknown keys are repeated. */
export function schemaRefusal(what: string, error: z.ZodError, details: RefusalDetails = {}): ReaError {
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "top level" : issue.path.map(String).join(".");
  const rule = issue?.code === "custom" ? issue.message : (issue?.code ?? "invalid");
  return evidenceRefusal("schema", `${what} breaks its schema at ${place}.`, { constraint: `${place}: ${rule}`, ...details });
}
