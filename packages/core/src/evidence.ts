import { checkAnalysisProfile, type AnalysisProfile, type ProviderIdentity } from "./analysis-profile.js";
import { canonicalSha256 } from "./canonical-json.js";
import { checkedJson } from "./checked-json.js";
import { sortedSet } from "./code-point-order.js";
import { deepFreeze } from "./deep-freeze.js";
import { evidenceRefusal, schemaRefusal, type RefusalDetails } from "./evidence-refusal.js";
import {
  evidenceBodySchema,
  evidenceIdSchema,
  evidenceSchema,
  identityUnavailable,
  statesMissingIdentity,
  type Environment,
  type Evidence,
  type EvidenceBody,
  type EvidenceLocation,
  type Subject,
} from "./evidence-schema.js";
import { defaultPredicate, type Authority, type Confidence } from "./evidence-words.js";
import { isJsonObject, type JsonValue } from "./json.js";
import { z } from "./z.js";

export type { AnalysisProfile, Authority, Confidence, Environment, Evidence, EvidenceLocation, ProviderIdentity, Subject };

/** What a producer says; `createEvidence` fills in the rest. Optional members default to null, or to an empty list. */
export interface EvidenceDraft {
  readonly subject: Subject | null;
  readonly provider: ProviderIdentity;
  readonly analysis_profile?: AnalysisProfile | null;
  /** Defaults to `rea.analysis/v2`. */
  readonly predicate_type?: string;
  readonly operation: string;
  /** The parsed input, with Evidence reduced to `{evidence_id}` and paths to `{sha256}`. */
  readonly parameters: unknown;
  readonly raw_result?: unknown;
  readonly normalized_result: unknown;
  readonly confidence: Confidence;
  readonly authority: Authority;
  readonly environment?: Environment | null;
  readonly limitations?: readonly string[];
  readonly locations?: readonly EvidenceLocation[];
  /** In any order; stored sorted and unique. */
  readonly evidence_links?: Iterable<string>;
}

/**
 * Makes a record with its id: a detached, deeply frozen copy of the draft.
 * Repeated limitations are dropped, and a missing subject is stated among them.
 * Throws `evidence_integrity_mismatch` when something in the draft is not JSON, breaks a bound or the schema.
 */
export function createEvidence(draft: EvidenceDraft): Evidence {
  const parsed = evidenceBodySchema.safeParse(checkedJson(bodyOf(draft)));
  if (!parsed.success) throw schemaRefusal("The Evidence record", parsed.error);
  return deepFreeze({ evidence_id: evidenceIdOf(parsed.data), ...parsed.data });
}

/**
 * Reads an untrusted record: bounds, version, schema, profile digest, and its id recomputed. Returns a frozen copy.
 * Throws `evidence_integrity_mismatch` with the precise reason and the record's id when it has a readable one.
 */
export function parseEvidence(value: unknown): Evidence {
  const record = readEvidence(checkedJson(value), "The Evidence record");
  checkEvidenceId(record);
  return deepFreeze(record);
}

/** Version and schema of a record that is certainly JSON; `what` names it in the refusal. */
export function readEvidence(json: JsonValue, what: string): Evidence {
  const named = namedId(json);
  if (isJsonObject(json) && json["schema_version"] !== undefined && json["schema_version"] !== 2) {
    throw evidenceRefusal("unsupported_version", `${what} has an unsupported schema version. Produce the record again.`, {
      ...named,
      constraint: "schema_version",
      expected: 2,
    });
  }
  const parsed = evidenceSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw schemaRefusal(what, parsed.error, named);
}

/** Recomputes the digest of the profile and the id of a record whose shape is right. */
export function checkEvidenceId(record: Evidence): void {
  if (record.analysis_profile !== null) checkAnalysisProfile(record.analysis_profile);
  const { evidence_id: expected } = record;
  const actual = evidenceIdOf(record);
  if (actual === expected) return;
  throw evidenceRefusal("id_mismatch", `The Evidence id ${expected} does not match the content of its record. Produce the record again.`, {
    evidence_id: expected,
    constraint: "evidence_id",
    expected,
    actual,
  });
}

/** The id: a digest of everything in the record but the id itself and the subject's name and path. */
export function evidenceIdOf(record: EvidenceBody): string {
  const { subject } = record;
  const identity =
    subject === null ? null : { digest: subject.digest, format: subject.format, architecture: subject.architecture };
  return `ev_${canonicalSha256({ ...record, subject: identity, evidence_id: undefined })}`;
}

/** Input of tools that take Evidence: the full record or `{evidence_id}`. Code resolves it with the strict check. */
export const evidenceInput = z.looseObject({ evidence_id: evidenceIdSchema });
export type EvidenceInput = z.infer<typeof evidenceInput>;

/** True when the input is only `{evidence_id}`, a reference to a retained record. */
export function isEvidenceReference(input: EvidenceInput): boolean {
  return Object.keys(input).length === 1;
}

function bodyOf(draft: EvidenceDraft): unknown {
  const limitations = [...new Set(draft.limitations ?? [])];
  if (draft.subject === null && !statesMissingIdentity(limitations)) limitations.push(identityUnavailable);
  return {
    schema_version: 2,
    subject: draft.subject,
    provider: draft.provider,
    analysis_profile: draft.analysis_profile ?? null,
    predicate_type: draft.predicate_type ?? defaultPredicate,
    operation: draft.operation,
    parameters: draft.parameters,
    raw_result: draft.raw_result ?? null,
    normalized_result: draft.normalized_result,
    confidence: draft.confidence,
    authority: draft.authority,
    environment: draft.environment ?? null,
    limitations,
    locations: draft.locations ?? [],
    evidence_links: sortedSet(draft.evidence_links ?? []),
  };
}

function namedId(json: JsonValue): RefusalDetails {
  if (!isJsonObject(json)) return {};
  const id = evidenceIdSchema.safeParse(json["evidence_id"]);
  return id.success ? { evidence_id: id.data } : {};
}
