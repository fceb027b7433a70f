import { evidenceRefusal } from "./evidence-refusal.js";
import type { Environment, Evidence } from "./evidence-schema.js";
import { meetsConfidence, unknownMutationPredicate, type Authority, type Confidence } from "./evidence-words.js";
import { isJsonObject } from "./json.js";
import type { UnknownRevision } from "./unknown-revision.js";

/** What the rules about unknowns need to know of a retained record. */
export interface EvidenceFacts {
  readonly confidence: Confidence;
  readonly authority: Authority;
  readonly environment: Environment | null;
  /** Digest of the revision that this mutation record reports; null for every other record. */
  readonly mutationOf: string | null;
  readonly isMutation: boolean;
}

/** The facts of a record. A mutation record's result is `{unknown: <revision>, …}`. */
export function evidenceFacts(record: Evidence): EvidenceFacts {
  const { confidence, authority, environment, normalized_result: result } = record;
  const isMutation = record.predicate_type === unknownMutationPredicate;
  const revision = isMutation && isJsonObject(result) ? result["unknown"] : undefined;
  const digest = isJsonObject(revision) ? revision["revision_digest"] : undefined;
  return { confidence, authority, environment, isMutation, mutationOf: typeof digest === "string" ? digest : null };
}

type FactsOf = (evidenceId: string) => EvidenceFacts | undefined;

/**
 * The first rule that a `verified` resolution breaks, or undefined; other revisions break none.
 * One cited record must be in the supporting list, be no mutation record, and meet authority, confidence and environment.
 */
export function brokenResolutionRule(revision: UnknownRevision, factsOf: FactsOf): string | undefined {
  const { resolution } = revision;
  if (resolution?.disposition !== "verified") return undefined;
  if (revision.contradicting_evidence_ids.length > 0) return "resolution_uncontradicted";
  const supporting = new Set(revision.supporting_evidence_ids);
  const verifies = (id: string): boolean => {
    const facts = factsOf(id);
    return facts !== undefined && supporting.has(id) && meetsRequirements(revision, facts);
  };
  return resolution.evidence_ids.some(verifies) ? undefined : "resolution_verified";
}

/**
 * The rules between revisions: complete histories whose digests chain, mutation records of every earlier revision,
 * references that stay inside the given records and unknowns, and no circle of `depends-on` among latest revisions.
 * Throws `evidence_integrity_mismatch`, reason `unknown_graph`, naming the rule and the revision.
 */
export function checkUnknownGraph(revisions: Iterable<UnknownRevision>, factsOf: FactsOf): void {
  const histories = groupById(revisions);
  for (const history of histories.values()) {
    history.forEach((revision, index) => {
      refuse(brokenChainRule(revision, history, index) ?? brokenReferenceRule(revision, histories, factsOf), revision);
      refuse(brokenMutationRule(revision, history, factsOf) ?? brokenResolutionRule(revision, factsOf), revision);
    });
  }
  checkAcyclic(histories);
}

type Histories = ReadonlyMap<string, readonly UnknownRevision[]>;

function groupById(revisions: Iterable<UnknownRevision>): Histories {
  const histories = new Map<string, UnknownRevision[]>();
  for (const revision of revisions) {
    const history = histories.get(revision.unknown_id);
    if (history === undefined) histories.set(revision.unknown_id, [revision]);
    else history.push(revision);
  }
  for (const history of histories.values()) history.sort((a, b) => a.revision - b.revision);
  return histories;
}

function brokenChainRule(
  revision: UnknownRevision,
  history: readonly UnknownRevision[],
  index: number,
): string | undefined {
  if (revision.revision !== index + 1) return "history_complete";
  const previous = history[index - 1]?.revision_digest ?? null;
  return revision.previous_revision_digest === previous ? undefined : "previous_revision_digest";
}

function brokenReferenceRule(revision: UnknownRevision, histories: Histories, factsOf: FactsOf): string | undefined {
  const { resolution } = revision;
  const cited = [
    ...revision.supporting_evidence_ids,
    ...revision.contradicting_evidence_ids,
    ...(resolution?.disposition === "verified" ? resolution.evidence_ids : []),
  ];
  if (cited.some((id) => factsOf(id) === undefined)) return "evidence_retained";
  return revision.relationships.every((link) => histories.has(link.unknown_id)) ? undefined : "relationship_known";
}

function brokenMutationRule(
  revision: UnknownRevision,
  history: readonly UnknownRevision[],
  factsOf: FactsOf,
): string | undefined {
  const reported = revision.mutation_evidence_ids.every((id, index) => {
    const digest = factsOf(id)?.mutationOf ?? null;
    return digest !== null && digest === history[index]?.revision_digest;
  });
  return reported ? undefined : "mutation_records";
}

function meetsRequirements(revision: UnknownRevision, facts: EvidenceFacts): boolean {
  if (facts.isMutation) return false;
  const { required_authority: authority, required_environment: required } = revision;
  if (authority !== null && authority !== facts.authority) return false;
  if (!meetsConfidence(facts.confidence, revision.required_confidence)) return false;
  return required === null || meetsEnvironment(required, facts.environment);
}

function meetsEnvironment(
  required: NonNullable<UnknownRevision["required_environment"]>,
  actual: Environment | null,
): boolean {
  if (actual === null) return false;
  const meets = (want: string | null, have: string | null): boolean => want === null || want === have;
  return (
    meets(required.id, actual.id) &&
    meets(required.platform, actual.platform) &&
    meets(required.architecture, actual.architecture) &&
    meets(required.isolation, actual.isolation)
  );
}

/** Removes unknowns that depend on nothing left, until none is left or a circle remains. */
function checkAcyclic(histories: Histories): void {
  const latest = [...histories.values()].flatMap((history) => history.at(-1) ?? []);
  const dependants = new Map<string, UnknownRevision[]>();
  const open = new Map<string, number>();
  for (const revision of latest) {
    const needed = revision.relationships.filter((link) => link.type === "depends-on");
    open.set(revision.unknown_id, needed.length);
    for (const { unknown_id: id } of needed) {
      const known = dependants.get(id);
      if (known === undefined) dependants.set(id, [revision]);
      else known.push(revision);
    }
  }
  // Grows while it is walked.
  const free = latest.filter((revision) => open.get(revision.unknown_id) === 0);
  for (const revision of free) {
    for (const dependant of dependants.get(revision.unknown_id) ?? []) {
      const left = (open.get(dependant.unknown_id) ?? 0) - 1;
      open.set(dependant.unknown_id, left);
      if (left === 0) free.push(dependant);
    }
  }
  const circular = latest.find((revision) => (open.get(revision.unknown_id) ?? 0) > 0);
  if (circular !== undefined) refuse("depends_on_acyclic", circular);
}

function refuse(rule: string | undefined, { unknown_id: id, revision }: UnknownRevision): void {
  if (rule === undefined) return;
  throw evidenceRefusal("unknown_graph", `Revision ${String(revision)} of ${id} breaks the rule ${rule}.`, {
    constraint: rule,
    actual: { unknown_id: id, revision },
  });
}
