import { evidenceRefusal, isEvidenceReference, parseEvidence, type Evidence, type EvidencePort } from "@rea/core";
import type { LedgerStore } from "./ledger-store.js";

/** Finds the records that tools are given, in the session's ledger or in the input itself. */
export function createEvidencePort(ledger: LedgerStore): EvidencePort {
  return {
    resolve: (input, { operation }) => {
      const record = isEvidenceReference(input) ? retained(ledger, input.evidence_id) : parseEvidence(input);
      if (record.operation === operation) return record;
      throw evidenceRefusal("wrong_operation", `The record comes from another operation. Give one of ${operation}.`, {
        evidence_id: record.evidence_id,
        expected: operation,
        actual: record.operation,
      });
    },
  };
}

function retained(ledger: LedgerStore, evidenceId: string): Evidence {
  const record = ledger.get(evidenceId);
  if (record !== undefined) return record;
  throw evidenceRefusal("missing", "This session retains no record of that id. Produce it again, or import a bundle that holds it.", {
    evidence_id: evidenceId,
  });
}
