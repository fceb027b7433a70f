import { analysisProfileSchema, providerIdentitySchema, sha256Schema } from "./analysis-profile.js";
import { sortedSet } from "./code-point-order.js";
import { architectures, authorities, confidenceLevels, isolations, subjectFormats } from "./evidence-words.js";
import { jsonObject, jsonValue } from "./json-schemas.js";
import { z } from "./z.js";

export const evidenceIdSchema = z.string().regex(/^ev_[0-9a-f]{64}$/);

/** What was observed. `name` and `local_path` are outside the Evidence id. */
export const subjectSchema = z
  .strictObject({
    name: z.string(),
    digest: z.strictObject({ sha256: sha256Schema }).readonly(),
    format: z.enum(subjectFormats),
    architecture: z.enum(architectures).nullable(),
    local_path: z.string().nullable(),
  })
  .readonly();
export type Subject = z.infer<typeof subjectSchema>;

/** Where an observation took place; null for work on files alone. */
export const environmentSchema = z
  .strictObject({
    id: z.string().nullable(),
    platform: z.string().nullable(),
    architecture: z.string().nullable(),
    isolation: z.enum(isolations),
  })
  .readonly();
export type Environment = z.infer<typeof environmentSchema>;

// "0x…" of the main address space, or "<percent-encoded space>:0x…".
const addressText = z.string().regex(/^(?:[\w.!~*'()%-]+:)?0x(?:0|[1-9a-f][0-9a-f]{0,31})$/);
const fileOffset = z.int().nonnegative();

export const evidenceLocationSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("address"), address: addressText }),
    z.strictObject({ kind: z.literal("address-range"), start: addressText, end: addressText }),
    z.strictObject({ kind: z.literal("artifact-path"), path: z.string() }),
    z.strictObject({ kind: z.literal("file-offset"), offset: fileOffset }),
    z.strictObject({ kind: z.literal("file-offset-range"), start: fileOffset, end: fileOffset }),
  ])
  .readonly();
/** A place inside the subject; ranges are half-open. */
export type EvidenceLocation = z.infer<typeof evidenceLocationSchema>;

const bodyShape = {
  schema_version: z.literal(2),
  subject: subjectSchema.nullable(),
  provider: providerIdentitySchema,
  analysis_profile: analysisProfileSchema.nullable(),
  predicate_type: z.string().min(1),
  operation: z.string().min(1),
  parameters: jsonObject,
  raw_result: jsonValue,
  normalized_result: jsonValue,
  confidence: z.enum(confidenceLevels),
  authority: z.enum(authorities),
  environment: environmentSchema.nullable(),
  limitations: z.array(z.string()).readonly(),
  locations: z.array(evidenceLocationSchema).readonly(),
  evidence_links: z.array(evidenceIdSchema).readonly(),
};

/** A record without its id. */
export const evidenceBodySchema = z.strictObject(bodyShape).superRefine(checkConsistency).readonly();
export type EvidenceBody = z.infer<typeof evidenceBodySchema>;

/** The whole record: one fact with its proof. Reading one goes through `parseEvidence`, which also recomputes the id. */
export const evidenceSchema = z
  .strictObject({ ...bodyShape, evidence_id: evidenceIdSchema })
  .superRefine(checkConsistency)
  .readonly();
export type Evidence = z.infer<typeof evidenceSchema>;

/** Limitation of a record about something whose identity nobody could establish. */
export const identityUnavailable = "The identity of the subject is unavailable.";

/** True when the limitations say that the identity of the subject is unavailable. */
export function statesMissingIdentity(limitations: readonly string[]): boolean {
  return limitations.some((text) => /identity/i.test(text) && /unavailable/i.test(text));
}

function checkConsistency(record: z.infer<z.ZodObject<typeof bodyShape>>, context: z.RefinementCtx): void {
  const issue = (path: string, message: string): void => context.addIssue({ code: "custom", path: [path], message });
  const { limitations, evidence_links: links, analysis_profile: profile, provider } = record;
  if (record.subject === null && !statesMissingIdentity(limitations)) issue("limitations", "identity_unavailable");
  if (new Set(limitations).size !== limitations.length) issue("limitations", "unique");
  if (sortedSet(links).join() !== links.join()) issue("evidence_links", "sorted_unique");
  if (profile !== null && !sameProvider(profile.provider, provider)) issue("analysis_profile", "provider_equal");
}

function sameProvider(
  a: z.infer<typeof providerIdentitySchema>,
  b: z.infer<typeof providerIdentitySchema>,
): boolean {
  return a.id === b.id && a.name === b.name && a.version === b.version;
}
