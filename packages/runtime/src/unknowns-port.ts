import {
  brokenResolutionRule,
  brokenStateRules,
  canonicalJson,
  evidenceFacts,
  evidenceRefusal,
  firstUnknownRevision,
  nextUnknownRevision,
  pageOf,
  ReaError,
  throwIfAborted,
  unknownIdOf,
  unknownMutationPredicate,
  type Execution,
  type OperationContext,
  type Subject,
  type UnknownRevision,
  type UnknownsPort,
  type UnknownState,
} from "@rea/core";
import type { LedgerStore } from "./ledger/ledger-store.js";
import { revisionConflict } from "./ledger/unknown-histories.js";

const identity = { id: "rea-reconstruction", name: "REA reconstruction", version: "1" };

/** The registry of unknowns of a session; questions are about its active target, where one is open. */
export function createUnknownsPort(ledger: LedgerStore, subject: () => Subject | null): UnknownsPort {
  const mutation = <R>(result: R, revision?: UnknownRevision): Execution<R> => ({
    result,
    raw_result: null,
    provider: identity,
    analysis_profile: null,
    subject: subject(),
    confidence: "inferred",
    limitations: [],
    locations: [],
    resolved_parameters: {},
    predicate_type: unknownMutationPredicate,
    ...(revision === undefined ? {} : { unknown_revision: revision }),
  });
  return {
    latest: () => ledger.latestUnknowns(),
    list: ({ status, severity, domain, offset, limit }) => {
      const wanted = (revision: UnknownRevision): boolean =>
        (status === undefined || revision.status === status) &&
        (severity === undefined || revision.severity === severity) &&
        (domain === undefined || revision.domain === domain);
      return pageOf(ledger.latestUnknowns().filter(wanted), { offset, limit }, (revision) => revision);
    },
    record: async ({ domain, question, state }, context) => {
      const about = { domain, question, scope_digest: subject()?.digest.sha256 ?? null };
      const known = ledger.latestUnknown(unknownIdOf(about));
      if (known !== undefined) return mutation({ unknown: known, created: false });
      requireRules(state, unknownIdOf(about), "record_unknown");
      requireCited(ledger, state);
      const first = firstUnknownRevision(about, state);
      ledger.checkUnknown(first);
      await turn(context, "record_unknown");
      return mutation({ unknown: first, created: true }, first);
    },
    update: async ({ unknown_id: id, expected_revision: expected, state }, context) => {
      const before = requireKnown(ledger, id);
      if (before.revision !== expected) throw revisionConflict(expected, before.revision);
      requireRules(state, id, "update_unknown");
      requireCited(ledger, state);
      const mutationId = ledger.mutationOf(before);
      if (mutationId === undefined) throw unreported(before);
      const next = nextUnknownRevision(before, mutationId, state);
      if (sameState(before, next)) return mutation({ unknown: before });
      ledger.checkUnknown(next);
      await turn(context, "update_unknown");
      return mutation({ unknown: next }, next);
    },
    verify: (id) => {
      const unknown = requireKnown(ledger, id);
      const broken = brokenResolutionRule(unknown, (evidenceId) => {
        const record = ledger.get(evidenceId);
        return record === undefined ? undefined : evidenceFacts(record);
      });
      const valid = unknown.resolution !== null && broken === undefined;
      return { unknown, valid, truth_verified: valid && unknown.resolution?.disposition === "verified" };
    },
  };
}

function requireKnown(ledger: LedgerStore, id: string): UnknownRevision {
  const known = ledger.latestUnknown(id);
  if (known !== undefined) return known;
  throw evidenceRefusal("missing", "This session knows no unknown of that id. list_unknowns names those it knows; record_unknown adds one.", {
    constraint: "unknown_known",
  });
}

/** What the caller's state breaks by itself is a fault of the request. */
function requireRules(state: UnknownState, id: string, operation: string): void {
  const issues = brokenStateRules(state, id).map(({ field, rule }) => ({ path: field, reason: "invalid_value" as const, expected: ruleTexts[rule] ?? rule }));
  if (issues.length === 0) return;
  throw new ReaError("invalid_request", {
    message: `${operation} cannot use this state: ${issues.map(({ path, expected }) => `${path} must be ${expected}`).join("; ")}.`,
    details: { operation, issues },
  });
}

const ruleTexts: { readonly [rule: string]: string } = {
  present_when_resolved: "given exactly when status is resolved",
  not_empty: "non-empty when status is contradicted",
  disjoint: "disjoint from contradicting_evidence_ids",
  no_self_link: "without a link to the unknown itself",
};

function requireCited(ledger: LedgerStore, state: UnknownState): void {
  const resolution = state.resolution?.disposition === "verified" ? state.resolution.evidence_ids : [];
  const cited = [...state.supporting_evidence_ids, ...state.contradicting_evidence_ids, ...resolution];
  const missing = cited.find((id) => !ledger.has(id));
  if (missing === undefined) return;
  throw evidenceRefusal("missing", "A cited record is not retained in this session. Produce it again, or import a bundle that holds it.", {
    evidence_id: missing,
  });
}

const stateFields = [
  "status",
  "severity",
  "supporting_evidence_ids",
  "contradicting_evidence_ids",
  "required_authority",
  "required_confidence",
  "required_environment",
  "recommended_probes",
  "relationships",
  "resolution",
] as const satisfies readonly (keyof UnknownState)[];

function sameState(before: UnknownRevision, next: UnknownRevision): boolean {
  return stateFields.every((field) => canonicalJson(before[field]) === canonicalJson(next[field]));
}

function unreported({ unknown_id, revision }: UnknownRevision): ReaError {
  return evidenceRefusal("unknown_graph", "No retained record reports the latest revision of this unknown, so it cannot be continued.", {
    constraint: "mutation_records",
    actual: { unknown_id, revision },
  });
}

/** Lets a cancel be heard before anything is published. */
async function turn({ signal }: OperationContext, operation: string): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, operation);
}
