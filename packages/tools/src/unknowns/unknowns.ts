import {
  evidenceIdSchema,
  pageSchema,
  ReaError,
  unknownIdSchema,
  unknownRevisionSchema,
  unknownSeverities,
  unknownStatuses,
  z,
  type UnknownState,
} from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { boundedText, stateInputShape, stateOf } from "./state-input.js";

const shared = { family: "session", target: "none", requires: ["unknowns"], cli: null } as const;
const anId = `unk_${"0".repeat(64)}`;
const unknownId = unknownIdSchema.describe("Id of the unknown");
const severity = z.enum(unknownSeverities).describe("How much depends on it");

export const listUnknowns = defineTool({
  ...shared,
  evidence: false,
  name: "list_unknowns",
  description:
    "Pages the open and settled questions of this session, each at its latest revision, by status, severity or domain. Use it before a conclusion, to see what has not been settled. Next: verify_unknown_resolution, update_unknown.",
  input: z.strictObject({
    status: z.enum(unknownStatuses).optional().describe("Only of this status"),
    severity: severity.optional().describe("Only of this severity"),
    domain: boundedText(100).optional().describe("Only of this domain"),
    offset: z.number().int().min(0).default(0).describe("First unknown to return"),
    limit: z.number().int().min(1).max(500).default(100).describe("Unknowns to return"),
  }),
  output: pageSchema(unknownRevisionSchema),
  effects: effectClasses.pure,
  examples: [{ title: "What is still open", input: { status: "open" } }],
  run: (input, { unknowns }) => Promise.resolve({ result: unknowns.list(input), produced: null }),
});

export const recordUnknown = defineTool({
  ...shared,
  evidence: true,
  name: "record_unknown",
  description:
    "Records a question that the work has not settled, with what would settle it: confidence, kind of source, environment, probes. The same question about the same target again returns the one that is there. Next: update_unknown when something is found, list_unknowns before a conclusion.",
  input: z.strictObject({
    question: boundedText(1000).describe("The question; white space runs do not matter"),
    domain: boundedText(100).describe("Area, such as network or storage"),
    severity,
    ...stateInputShape,
  }),
  output: z.strictObject({ unknown: unknownRevisionSchema, created: z.boolean() }),
  effects: effectClasses.registryWrite,
  examples: [
    {
      title: "A question to settle by observation",
      input: { question: "Which host receives the report?", domain: "network", severity: "high", required_confidence: "observed" },
    },
  ],
  run: async ({ question, domain, ...given }, { unknowns }, context) => {
    const state = stateOf({ ...given, status: "open", resolution: null });
    return answer(await unknowns.record({ question, domain, state }, context));
  },
});

export const updateUnknown = defineTool({
  ...shared,
  evidence: true,
  name: "update_unknown",
  description:
    "Gives an unknown its next state, whole: an optional key left out means empty. expected_revision must be the latest, or the call is refused. resolved needs a resolution; verified needs a supporting record that meets the requirements. Next: verify_unknown_resolution.",
  input: z.strictObject({
    unknown_id: unknownId,
    expected_revision: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe("Revision that was read"),
    status: z.enum(unknownStatuses).describe("Where it stands"),
    severity,
    ...stateInputShape,
    resolution: z
      .strictObject({
        disposition: z.enum(["verified", "withdrawn", "out-of-scope"]).describe("How it ended"),
        rationale: boundedText(1000).describe("Why"),
        evidence_ids: z.array(evidenceIdSchema).max(100).optional().describe("For verified: the records that settle it"),
      })
      .optional()
      .describe("Given exactly when resolved"),
  }),
  output: z.strictObject({ unknown: unknownRevisionSchema }),
  effects: effectClasses.registryWrite,
  examples: [
    {
      title: "Work on it has begun",
      input: { unknown_id: anId, expected_revision: 1, status: "investigating", severity: "high", required_confidence: "observed" },
    },
  ],
  run: async ({ unknown_id, expected_revision, resolution, ...given }, { unknowns }, context) => {
    const state = stateOf({ ...given, resolution: resolutionOf(resolution) });
    return answer(await unknowns.update({ unknown_id, expected_revision, state }, context));
  },
});

export const verifyUnknownResolution = defineTool({
  ...shared,
  evidence: false,
  name: "verify_unknown_resolution",
  description:
    "Checks the resolution of an unknown against the records of this session: valid says whether it stands, truth_verified whether a record settles the question. Withdrawn and out-of-scope can be valid and are never truth_verified.",
  input: z.strictObject({ unknown_id: unknownId }),
  output: z.strictObject({ unknown: unknownRevisionSchema, valid: z.boolean(), truth_verified: z.boolean() }),
  effects: effectClasses.pure,
  examples: [{ title: "Is it settled", input: { unknown_id: anId } }],
  run: (input, { unknowns }) => Promise.resolve({ result: unknowns.verify(input.unknown_id), produced: null }),
});

interface GivenResolution {
  readonly disposition: "verified" | "withdrawn" | "out-of-scope";
  readonly rationale: string;
  readonly evidence_ids?: readonly string[] | undefined;
}

/** A verified resolution cites records, the others cite none. */
function resolutionOf(given: GivenResolution | undefined): UnknownState["resolution"] {
  if (given === undefined) return null;
  const { disposition, rationale, evidence_ids = [] } = given;
  if ((disposition === "verified") !== evidence_ids.length > 0) {
    throw new ReaError("invalid_request", {
      message: "update_unknown cannot use this resolution: evidence_ids must be given exactly when disposition is verified.",
      details: {
        operation: "update_unknown",
        issues: [{ path: "resolution.evidence_ids", reason: "invalid_value", expected: "given exactly when disposition is verified" }],
      },
    });
  }
  return disposition === "verified" ? { disposition, rationale, evidence_ids } : { disposition, rationale };
}
