import { sha256Schema } from "./analysis-profile.js";
import { canonicalJson, canonicalSha256 } from "./canonical-json.js";
import { checkedJson } from "./checked-json.js";
import { sortedSet } from "./code-point-order.js";
import { deepFreeze } from "./deep-freeze.js";
import { evidenceRefusal, schemaRefusal } from "./evidence-refusal.js";
import { evidenceIdSchema } from "./evidence-schema.js";
import { authorities, confidenceLevels, isolations } from "./evidence-words.js";
import { truncateCodePoints } from "./untrusted-text.js";
import { z } from "./z.js";

export const unknownStatuses = ["open", "investigating", "blocked", "contradicted", "resolved"] as const;
export const unknownSeverities = ["low", "medium", "high", "critical"] as const;
export const unknownRelationshipTypes = ["depends-on", "related-to", "contradicts"] as const;

export const unknownIdSchema = z.string().regex(/^unk_[0-9a-f]{64}$/);
const text = (codePoints: number) =>
  z.string().min(1).refine((value) => !truncateCodePoints(value, codePoints).truncated, "code_points");
const rationale = text(1000);
const evidenceIds = z
  .array(evidenceIdSchema)
  .max(100)
  .refine((ids) => isSortedSet(ids), "sorted_unique")
  .readonly();

const resolutionSchema = z.discriminatedUnion("disposition", [
  z.strictObject({
    disposition: z.literal("verified"),
    rationale,
    evidence_ids: evidenceIds.refine((ids) => ids.length > 0, "not_empty"),
  }),
  z.strictObject({ disposition: z.enum(["withdrawn", "out-of-scope"]), rationale }),
]);

/** Where a verifying record must have been observed; null stands for anything. */
const requiredEnvironmentSchema = z
  .strictObject({
    id: z.string().nullable(),
    platform: z.string().nullable(),
    architecture: z.string().nullable(),
    isolation: z.enum(isolations).nullable(),
  })
  .readonly();

const stateShape = {
  status: z.enum(unknownStatuses),
  severity: z.enum(unknownSeverities),
  supporting_evidence_ids: evidenceIds,
  contradicting_evidence_ids: evidenceIds,
  required_authority: z.enum(authorities).nullable(),
  required_confidence: z.enum(confidenceLevels),
  required_environment: requiredEnvironmentSchema.nullable(),
  recommended_probes: z.array(z.strictObject({ operation: text(64), rationale })).max(20).readonly(),
  relationships: z
    .array(z.strictObject({ type: z.enum(unknownRelationshipTypes), unknown_id: unknownIdSchema }))
    .max(100)
    .refine((links) => isSortedSet(links.map((link) => canonicalJson(link))), "sorted_unique")
    .readonly(),
  resolution: resolutionSchema.nullable(),
};

/** What a mutation sets: everything about an unknown that may change. */
export type UnknownState = Readonly<z.infer<z.ZodObject<typeof stateShape>>>;

/** What an unknown is about; never changes. `scope_digest` is the target's sha256, or null. */
export interface UnknownQuestion {
  readonly domain: string;
  readonly question: string;
  readonly scope_digest: string | null;
}

const revisionShape = {
  registry_version: z.literal(1),
  unknown_id: unknownIdSchema,
  revision: z.int().positive(),
  previous_revision_digest: sha256Schema.nullable(),
  revision_digest: sha256Schema,
  scope_digest: sha256Schema.nullable(),
  question: text(1000),
  domain: text(100),
  ...stateShape,
  mutation_evidence_ids: z.array(evidenceIdSchema).readonly(),
};

/** One state of a question that the work has not settled. */
export const unknownRevisionSchema = z.strictObject(revisionShape).superRefine(checkRules).readonly();
export type UnknownRevision = z.infer<typeof unknownRevisionSchema>;

/** The id of a question; runs of white space in it do not matter. */
export function unknownIdOf({ domain, question, scope_digest }: UnknownQuestion): string {
  return `unk_${canonicalSha256({ domain, question: collapsed(question), scope_digest })}`;
}

/** Revision 1 of an unknown. Lists of ids and relationships may come in any order. */
export function firstUnknownRevision(about: UnknownQuestion, state: UnknownState): UnknownRevision {
  return sealed({
    registry_version: 1,
    unknown_id: unknownIdOf(about),
    revision: 1,
    previous_revision_digest: null,
    scope_digest: about.scope_digest,
    question: collapsed(about.question),
    domain: about.domain,
    ...ordered(state),
    mutation_evidence_ids: [],
  });
}

/** The revision after `previous`, whose own mutation is recorded under `previousMutationId`. */
export function nextUnknownRevision(
  previous: UnknownRevision,
  previousMutationId: string,
  state: UnknownState,
): UnknownRevision {
  const { revision_digest, ...kept } = previous;
  return sealed({
    ...kept,
    revision: previous.revision + 1,
    previous_revision_digest: revision_digest,
    ...ordered(state),
    mutation_evidence_ids: [...previous.mutation_evidence_ids, previousMutationId],
  });
}

/**
 * Reads an untrusted revision: bounds, schema with the rules inside one revision, then id and digest recomputed.
 * Throws `evidence_integrity_mismatch`. The rules between revisions are in `checkUnknownGraph`.
 */
export function parseUnknownRevision(value: unknown): UnknownRevision {
  const parsed = unknownRevisionSchema.safeParse(checkedJson(value));
  if (!parsed.success) throw schemaRefusal("The revision of an unknown", parsed.error);
  checkUnknownIdentity(parsed.data);
  return deepFreeze(parsed.data);
}

/** Recomputes the id and the digest of a revision whose shape is right; a difference is reason `id_mismatch`. */
export function checkUnknownIdentity(revision: UnknownRevision): void {
  const { revision_digest: digest, ...body } = revision;
  refuseDifference("unknown_id", revision.unknown_id, unknownIdOf(revision));
  refuseDifference("revision_digest", digest, canonicalSha256(body));
}

/** Text whose order is the order of revisions in a bundle: by id, then by number. */
export function unknownSortKey({ unknown_id: id, revision }: UnknownRevision): string {
  return `${id} ${String(revision).padStart(16, "0")}`;
}

function refuseDifference(constraint: string, expected: string, actual: string): void {
  if (expected === actual) return;
  throw evidenceRefusal("id_mismatch", `The ${constraint} of an unknown does not match its content.`, {
    constraint,
    expected,
    actual,
  });
}

function sealed(body: Omit<UnknownRevision, "revision_digest">): UnknownRevision {
  return parseUnknownRevision({ ...body, revision_digest: canonicalSha256(body) });
}

function ordered(state: UnknownState): UnknownState {
  const byText = new Map(state.relationships.map((link) => [canonicalJson(link), link]));
  const { resolution } = state;
  return {
    ...state,
    supporting_evidence_ids: sortedSet(state.supporting_evidence_ids),
    contradicting_evidence_ids: sortedSet(state.contradicting_evidence_ids),
    relationships: sortedSet(byText.keys()).flatMap((key) => byText.get(key) ?? []),
    resolution:
      resolution?.disposition === "verified"
        ? { ...resolution, evidence_ids: sortedSet(resolution.evidence_ids) }
        : resolution,
  };
}

function checkRules(revision: z.infer<z.ZodObject<typeof revisionShape>>, context: z.RefinementCtx): void {
  const rule = (holds: boolean, path: string, message: string): void => {
    if (!holds) context.addIssue({ code: "custom", path: [path], message });
  };
  const first = revision.revision === 1;
  rule((revision.previous_revision_digest === null) === first, "previous_revision_digest", "null_only_at_first");
  rule(revision.mutation_evidence_ids.length === revision.revision - 1, "mutation_evidence_ids", "one_per_earlier_revision");
  for (const { field, rule: broken } of brokenStateRules(revision, revision.unknown_id)) rule(false, field, broken);
}

/** The rules inside one state that it breaks: the field at fault and the rule in a word. */
export function brokenStateRules(state: UnknownState, unknownId: string): { readonly field: keyof UnknownState; readonly rule: string }[] {
  const contradicting = new Set(state.contradicting_evidence_ids);
  const rules = [
    { holds: (state.status === "resolved") === (state.resolution !== null), field: "resolution", rule: "present_when_resolved" },
    { holds: state.status !== "contradicted" || contradicting.size > 0, field: "contradicting_evidence_ids", rule: "not_empty" },
    { holds: state.supporting_evidence_ids.every((id) => !contradicting.has(id)), field: "supporting_evidence_ids", rule: "disjoint" },
    { holds: state.relationships.every((link) => link.unknown_id !== unknownId), field: "relationships", rule: "no_self_link" },
  ] as const;
  return rules.filter(({ holds }) => !holds).map(({ field, rule }) => ({ field, rule }));
}

function isSortedSet(values: readonly string[]): boolean {
  return sortedSet(values).every((value, index) => value === values[index]) && new Set(values).size === values.length;
}

function collapsed(question: string): string {
  return question.replace(/\s+/gu, " ").trim();
}
