import { canonicalJson, canonicalSha256 } from "./canonical-json.js";
import { checkedJson } from "./checked-json.js";
import { deepFreeze } from "./deep-freeze.js";
import { evidenceRefusal, schemaRefusal } from "./evidence-refusal.js";
import type { JsonBounds } from "./json-bounds.js";
import { jsonObject } from "./json-schemas.js";
import { z } from "./z.js";

/** Who produced something. */
export const providerIdentitySchema = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,62}[a-z0-9]$/),
    name: z.string().min(1),
    version: z.string().min(1).nullable(),
  })
  .readonly();
export type ProviderIdentity = z.infer<typeof providerIdentitySchema>;

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** Everything of a deep provider's set-up that changes its answers, and nothing that does not. */
export const analysisProfileSchema = z
  .strictObject({
    schema_version: z.literal(1),
    provider: providerIdentitySchema,
    provider_profile_schema_version: z.int().positive(),
    parameters: jsonObject,
    digest: sha256Schema,
  })
  .readonly();
export type AnalysisProfile = z.infer<typeof analysisProfileSchema>;

const parameterBounds: JsonBounds = { depth: 16, nodes: 4_096, stringBytes: 16 * 1024 };
const maxParameterBytes = 64 * 1024;

/**
 * Builds a profile and its digest. Every default must be explicit in `parameters` and sets must be sorted.
 * Throws `evidence_integrity_mismatch` when the parameters are not JSON within the bounds of a profile.
 */
export function createAnalysisProfile(draft: {
  readonly provider: ProviderIdentity;
  readonly provider_profile_schema_version: number;
  readonly parameters: unknown;
}): AnalysisProfile {
  const parameters = checkedJson(draft.parameters, parameterBounds);
  const body = { ...draft, schema_version: 1, parameters };
  return parseAnalysisProfile({ ...body, digest: canonicalSha256(body) });
}

/** Reads a profile: shape, bounds and digest; a wrong digest is `evidence_integrity_mismatch`, reason `profile_mismatch`. */
export function parseAnalysisProfile(value: unknown): AnalysisProfile {
  const parsed = analysisProfileSchema.safeParse(checkedJson(value));
  if (!parsed.success) throw schemaRefusal("The analysis profile", parsed.error);
  checkAnalysisProfile(parsed.data);
  return deepFreeze(parsed.data);
}

/** Bounds and digest of a profile whose shape is right. */
export function checkAnalysisProfile(profile: AnalysisProfile): void {
  const bytes = Buffer.byteLength(canonicalJson(profile.parameters, parameterBounds));
  if (bytes > maxParameterBytes) {
    throw evidenceRefusal("bounds", "The parameters of the analysis profile take more than 64 KiB.", {
      constraint: "parameter_bytes",
      expected: maxParameterBytes,
      actual: bytes,
    });
  }
  const { digest, ...body } = profile;
  const actual = canonicalSha256(body);
  if (actual === digest) return;
  throw evidenceRefusal("profile_mismatch", "The digest of the analysis profile does not match its content.", {
    constraint: "profile_digest",
    expected: digest,
    actual,
  });
}
