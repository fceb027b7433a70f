import {
  canonicalSha256,
  coverageOf,
  omission,
  type CitedRecord,
  type ClaimVerdict,
  type Evidence,
  type EvidenceInput,
  type ReconstructionClaim,
  type ReconstructionSpecification,
  type ReconstructionVerification,
  type UnknownRevision,
} from "@rea/core";
import type { WholeOf } from "./pointed-value.js";
import { unknown, verifyClaim, type Finding } from "./verify-claim.js";

/** What a session holds that claims are judged on. */
export interface ReconstructionGround {
  /** The record that an input stands for; undefined when it is not retained. */
  readonly find: (input: EvidenceInput) => Evidence | undefined;
  readonly wholeOf: WholeOf;
  /** Latest revisions of all unknowns. */
  readonly unknowns: readonly UnknownRevision[];
  readonly cite: (record: Evidence) => CitedRecord;
}

/**
 * Judges every claim of a specification: `fail` on a certain counter-fact, `unknown` with a probe where the records do not
 * settle it, `pass` otherwise. Throws `evidence_integrity_mismatch` for records that are given in full and are not valid.
 */
export function verifyReconstruction(specification: ReconstructionSpecification, ground: ReconstructionGround): ReconstructionVerification {
  const judged = specification.claims.map((claim) => judge(claim, ground));
  const claims = judged.map(({ verdict }) => verdict);
  const cited = new Map(judged.flatMap(({ record }) => (record === undefined ? [] : [[record.evidence_id, ground.cite(record)]])));
  const count = (status: ClaimVerdict["status"]): number => claims.filter((claim) => claim.status === status).length;
  const summary = { pass: count("pass"), fail: count("fail"), unknown: count("unknown") };
  return {
    status: summary.fail > 0 ? "fail" : summary.unknown > 0 ? "unknown" : "pass",
    claims,
    summary,
    imported_evidence_ids: [...cited.values()].filter(({ origin }) => origin === "imported").map(({ evidence_id }) => evidence_id).sort(),
    cited_records: [...cited.values()].sort((a, b) => (a.evidence_id < b.evidence_id ? -1 : 1)),
    recommended_probes: judged.flatMap(({ verdict, probe }) => (probe === undefined ? [] : [{ claim_id: verdict.claim_id, ...probe }])),
    specification_sha256: canonicalSha256(referenced(specification)),
    coverage: coverageOf(summary.unknown === 0 ? [] : [omission("claims", "not_examined", { count: summary.unknown, how_to_continue: "Follow recommended_probes." })]),
    limitations: ["The verdict is about the declared claims and nothing else."],
  };
}

/** The specification with records given in full reduced to their ids, so that both ways to give one are the same claim. */
export function referenced(specification: ReconstructionSpecification): ReconstructionSpecification {
  const claims = specification.claims.map((claim) =>
    "comparison" in claim
      ? { ...claim, comparison: { evidence_id: claim.comparison.evidence_id } }
      : { ...claim, evidence: { evidence_id: claim.evidence.evidence_id } },
  );
  return { ...specification, claims };
}

interface Judged {
  readonly verdict: ClaimVerdict;
  readonly record: Evidence | undefined;
  readonly probe: Finding["probe"];
}

function judge(claim: ReconstructionClaim, ground: ReconstructionGround): Judged {
  const input = "comparison" in claim ? claim.comparison : claim.evidence;
  const record = ground.find(input);
  const { probe, ...finding } = record === undefined ? missing : doubted(verifyClaim(claim, record, ground.wholeOf), record, ground.unknowns);
  const verdict = { claim_id: claim.claim_id, kind: claim.kind, ...finding, evidence_links: [input.evidence_id] };
  return { verdict, record, probe };
}

const missing = unknown("The record is not retained in this session.", {
  operation: "import_evidence_bundle",
  rationale: "Import the bundle that holds the record, or produce it again and cite the new one.",
});

/** An open question that speaks against the record keeps a claim from passing. */
function doubted(finding: Finding, { evidence_id }: Evidence, unknowns: readonly UnknownRevision[]): Finding {
  if (finding.status !== "pass") return finding;
  const doubt = unknowns.find(
    ({ status, contradicting_evidence_ids: against, supporting_evidence_ids: supporting }) =>
      status !== "resolved" && against.length > 0 && (against.includes(evidence_id) || supporting.includes(evidence_id)),
  );
  if (doubt === undefined) return finding;
  return unknown("An open unknown cites the record and holds Evidence against it.", {
    operation: "update_unknown",
    rationale: `Settle ${doubt.unknown_id} first.`,
  });
}
