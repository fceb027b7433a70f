import { evidenceRefusal, type ProcessCapture } from "@rea/core";
import { commitmentsOf } from "../commitments.js";
import { entryOf } from "./journal-entry.js";

/**
 * Recomputes every commitment of a capture and follows its journal. Throws `evidence_integrity_mismatch` (`id_mismatch`)
 * that names what does not hold.
 */
export function checkCapture(capture: ProcessCapture, evidenceId: string): void {
  const { manifest, ...journaled } = capture;
  const { commitments } = manifest;
  const actual = commitmentsOf(manifest, journaled);
  for (const name of ["scenario_sha256", "comparison_contract_sha256", "shim_plan_sha256", "replay_plan_sha256", "normalization_sha256", "journal_sha256"] as const) {
    if (commitments[name] !== actual[name]) throw refusal(evidenceId, name, { expected: commitments[name], actual: actual[name] });
  }
  const wrong = capture.event_journal.findIndex((entry, index) => entry.capture_order !== index + 1 || entryOf(capture, entry) === undefined);
  if (wrong >= 0) throw refusal(evidenceId, "event_journal", { expected: wrong + 1 });
}

function refusal(evidenceId: string, constraint: string, details: { readonly expected: string | number | null; readonly actual?: string | null }): Error {
  return evidenceRefusal("id_mismatch", `The capture does not match what it commits to (${constraint}). Capture again.`, {
    evidence_id: evidenceId,
    constraint,
    ...details,
  });
}
