import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { evidenceInput } from "../evidence.js";
import { z } from "../z.js";
import { count } from "./values.js";

/** What `verify_reconstruction` is asked and answers. */

const text = z.string();
const shared = { claim_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/), statement: z.string().min(1).max(500) };
const dimensions = z.array(z.string().min(1).max(100)).min(1).max(20);
const pointer = z.string().max(4096).regex(/^(?:\/(?:[^~/]|~[01])*)*$/);
const match = z.strictObject({ key: z.string().min(1).max(200), value: z.union([z.string().max(4096), z.int(), z.boolean(), z.null()]) });

const claim = z.discriminatedUnion("kind", [
  z.strictObject({ ...shared, kind: z.literal("behavioral"), comparison: evidenceInput, dimensions }),
  z.strictObject({ ...shared, kind: z.literal("structural"), comparison: evidenceInput, dimensions }),
  z.strictObject({ ...shared, kind: z.literal("value"), evidence: evidenceInput, pointer, equals: z.string().min(1).max(65_536) }),
  z.strictObject({ ...shared, kind: z.literal("presence"), evidence: evidenceInput, collection: pointer, match }),
  z.strictObject({ ...shared, kind: z.literal("absence"), evidence: evidenceInput, collection: pointer, match }),
]);
export type ReconstructionClaim = z.output<typeof claim>;

/** What a reconstruction claims of itself. */
export const reconstructionSpecificationSchema = z.strictObject({
  schema_version: z.literal(1),
  name: z.string().min(1).max(200),
  claims: z.array(claim).min(1).max(100),
});
export type ReconstructionSpecification = z.output<typeof reconstructionSpecificationSchema>;

const claimStatuses = ["pass", "fail", "unknown"] as const;

const verdict = z.strictObject({
  claim_id: text,
  kind: text,
  status: z.enum(claimStatuses),
  reason: text,
  /** For `fail`: where in the record the claim is contradicted, and what stands there. */
  counter_fact: z.strictObject({ place: text, expected: text, actual: text }).nullable(),
  evidence_links: z.array(evidenceIdSchema),
});
export type ClaimVerdict = z.output<typeof verdict>;

export const reconstructionVerificationSchema = z.strictObject({
  status: z.enum(claimStatuses),
  claims: z.array(verdict),
  summary: z.strictObject({ pass: count, fail: count, unknown: count }),
  imported_evidence_ids: z.array(evidenceIdSchema),
  cited_records: z.array(citedRecordSchema),
  recommended_probes: z.array(z.strictObject({ claim_id: text, operation: text, rationale: text })),
  specification_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type ReconstructionVerification = z.output<typeof reconstructionVerificationSchema>;
