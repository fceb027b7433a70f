import { evidenceRefusal, isEvidenceReference, parseEvidence, type Evidence, type EvidencePort } from "@rea/core";
import type { LedgerStore } from "./ledger-store.js";

/** Finds the records that tools are given, in the session's ledger or in the input itself. */
export function createEvidencePort(ledger: LedgerStore): EvidencePort {
  return {
    resolve: (input, { operation, predicate }) => {
      const accepted = typeof operation === "string" ? [operation] : operation;
      const record = isEvidenceReference(input) ? retained(ledger, input.evidence_id) : parseEvidence(input);
      if (accepted.includes(record.operation)) return withPredicate(record, predicate);
      throw evidenceRefusal("wrong_operation", `The record comes from another operation. Give one of ${accepted.join(", ")}.`, {
        evidence_id: record.evidence_id,
        expected: accepted.join(", "),
        actual: record.operation,
      });
    },
    find: (input) => (isEvidenceReference(input) ? ledger.get(input.evidence_id) : parseEvidence(input)),
    cite: ({ evidence_id }) => ({ evidence_id, origin: ledger.produced(evidence_id) ? "session" : "imported" }),
  };
}

function withPredicate(record: Evidence, predicate: string | undefined): Evidence {
  if (predicate === undefined || record.predicate_type === predicate) return record;
  throw evidenceRefusal("wrong_predicate", "The record makes another kind of statement. Produce it again.", {
    evidence_id: record.evidence_id,
    expected: predicate,
    actual: record.predicate_type,
  });
}

function retained(ledger: LedgerStore, evidenceId: string): Evidence {
  const record = ledger.get(evidenceId);
  if (record !== undefined) return record;
  throw evidenceRefusal("missing", "This session retains no record of that id. Produce it again, or import a bundle that holds it.", {
    evidence_id: evidenceId,
  });
}
