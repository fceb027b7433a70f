import { evidenceRefusal, type Evidence, type z } from "@rea/core";
import type { LedgerStore } from "./ledger-store.js";

export interface CaptureKind<S extends z.ZodType, W extends z.ZodType> {
  /** What the record holds: a page about a capture, with the digest of the whole. */
  readonly summary: S;
  readonly whole: W;
  /** The words for it in messages, such as `a process capture`. */
  readonly words: string;
}

/**
 * The whole that the record of a capture commits to. Throws `evidence_integrity_mismatch`: `schema`, or `missing` when the
 * session does not retain it.
 */
export function retainedCapture<S extends z.ZodType<{ readonly capture: { readonly sha256: string } }>, W extends z.ZodType>(
  { normalized_result, evidence_id }: Evidence,
  ledger: LedgerStore,
  kind: CaptureKind<S, W>,
): z.output<W> {
  const summary = kind.summary.safeParse(normalized_result);
  if (!summary.success) throw evidenceRefusal("schema", `The record does not hold ${kind.words}.`, { evidence_id });
  const { sha256 } = summary.data.capture;
  const whole = ledger.whole(sha256);
  if (whole === undefined) {
    throw evidenceRefusal(
      "missing",
      "The whole of this capture is not retained in this session, and it cannot be rebuilt. Capture again, or import a bundle that was exported with its wholes.",
      { evidence_id, expected: sha256 },
    );
  }
  const capture = kind.whole.safeParse(whole.content);
  if (!capture.success) throw evidenceRefusal("schema", `The retained whole is not ${kind.words}.`, { evidence_id, actual: sha256 });
  return capture.data;
}
