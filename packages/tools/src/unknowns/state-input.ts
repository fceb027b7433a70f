import {
  authorities,
  confidenceLevels,
  evidenceIdSchema,
  isolations,
  truncateCodePoints,
  unknownIdSchema,
  unknownRelationshipTypes,
  z,
  type UnknownState,
} from "@rea/core";

/** Text of at most so many code points. A code point takes two units of a string at most. */
export const boundedText = (codePoints: number) =>
  z
    .string()
    .min(1)
    .max(codePoints * 2)
    .refine((value) => !truncateCodePoints(value, codePoints).truncated, "code_points");

const evidenceIds = z.array(evidenceIdSchema).max(100);
const wanted = z.string().max(200).optional();

/** What a verifying record must reach, and what is known so far; an absent optional key means empty. */
export const stateInputShape = {
  required_confidence: z.enum(confidenceLevels).describe("Weakest confidence that settles it"),
  supporting_evidence_ids: evidenceIds.default([]).describe("Records for it"),
  contradicting_evidence_ids: evidenceIds.default([]).describe("Records against it"),
  required_authority: z.enum(authorities).optional().describe("Kind of source that settles it"),
  required_environment: z
    .strictObject({
      id: wanted.describe("Environment id"),
      platform: wanted.describe("Platform"),
      architecture: wanted.describe("Architecture"),
      isolation: z.enum(isolations).optional().describe("Isolation"),
    })
    .optional()
    .describe("Where it must be observed; a part left out may be anything"),
  recommended_probes: z
    .array(z.strictObject({ operation: boundedText(64).describe("Tool"), rationale: boundedText(1000).describe("Why") }))
    .max(20)
    .default([])
    .describe("What would settle it"),
  relationships: z
    .array(z.strictObject({ type: z.enum(unknownRelationshipTypes).describe("Kind"), unknown_id: unknownIdSchema.describe("Other unknown") }))
    .max(100)
    .default([])
    .describe("Links to other unknowns"),
};

type StateInput = z.output<z.ZodObject<typeof stateInputShape>>;

/** A whole state from the parts that inputs give. */
export function stateOf(input: StateInput & Pick<UnknownState, "status" | "severity" | "resolution">): UnknownState {
  const { status, severity, resolution, required_confidence, required_authority, required_environment } = input;
  const { supporting_evidence_ids, contradicting_evidence_ids, recommended_probes, relationships } = input;
  return {
    status,
    severity,
    resolution,
    required_confidence,
    required_authority: required_authority ?? null,
    required_environment: environmentOf(required_environment),
    supporting_evidence_ids,
    contradicting_evidence_ids,
    recommended_probes,
    relationships,
  };
}

function environmentOf(given: StateInput["required_environment"]): UnknownState["required_environment"] {
  if (given === undefined) return null;
  const { id = null, platform = null, architecture = null, isolation = null } = given;
  return { id, platform, architecture, isolation };
}
