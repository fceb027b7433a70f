import { artifactComparisonSchema, evidenceInput, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";

export const compareArtifacts = defineTool({
  family: "artifact",
  evidence: true,
  target: "none",
  name: "compare_artifacts",
  description:
    "Compares two artifacts place by place: members added, removed, changed (in content, kind, format, size, permission, place), moved, and those nothing can be said of. Takes two inspect_artifact records, full or by id. Nothing is called added or removed unless both inventories are complete.",
  input: z.strictObject({
    left: evidenceInput.describe("inspect_artifact record of the older artifact"),
    right: evidenceInput.describe("inspect_artifact record of the newer artifact"),
    offset: z.number().int().min(0).default(0).describe("First change to return"),
    limit: z.number().int().min(1).max(500).default(100).describe("Changes to return"),
  }),
  output: artifactComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "artifacts"],
  cli: null,
  examples: [
    {
      title: "Two records of this session",
      input: { left: { evidence_id: `ev_${"0".repeat(64)}` }, right: { evidence_id: `ev_${"0".repeat(64)}` } },
    },
  ],
  run: async ({ left, right, offset, limit }, { evidence, artifacts }, context) => {
    const operation = "inspect_artifact";
    const before = evidence.resolve(left, { operation });
    const after = evidence.resolve(right, { operation });
    const { result, ...produced } = await artifacts.compare({ left: before, right: after, offset, limit }, context);
    const cited = [evidence.cite(before), evidence.cite(after)];
    return { result: { ...result, cited_records: cited }, produced: { ...produced, evidence_links: [before.evidence_id, after.evidence_id] } };
  },
});
