import { sourceComparisonLimitsInput, sourceComparisonSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { applicationInput } from "./load-application.js";
import { linksOf, workflowApplication } from "./workflow-application.js";

export const compareSourceToBundle = defineTool({
  family: "application",
  evidence: true,
  target: "none",
  name: "compare_source_to_bundle",
  description:
    "What became of each source file in a shipped application: unchanged, modified, removed, split, merged, duplicated, unknown, with places and weighted signals. Runs nothing, follows no links, opens no files that look like secrets. Next: compare_javascript_export_shapes.",
  input: z.strictObject({
    reference: z.string().min(1).max(16_384).describe("Absolute path of a directory or saved source graph"),
    application: applicationInput,
    limits: sourceComparisonLimitsInput.describe("Bounds"),
    offset: z.number().int().min(0).default(0).describe("First file"),
    limit: z.number().int().min(1).max(500).default(40).describe("Files of the page"),
  }),
  output: sourceComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "applicationGraphs", "applicationWorkflows"],
  paths: ["reference"],
  cli: null,
  examples: [{ title: "A checkout against its build", input: { reference: "/home/me/app/src", application: { evidence_id: `ev_${"0".repeat(64)}` } } }],
  run: async ({ application, ...more }, { evidence, applicationGraphs, applicationWorkflows }, context) => {
    const side = await workflowApplication(application, { evidence, applicationGraphs }, context);
    const { result, reference_sha256: reference, ...produced } = await applicationWorkflows.compareSource({ ...more, application: side }, context);
    return {
      result: { ...result, cited_records: [evidence.cite(side.record)] },
      produced: { ...produced, evidence_links: linksOf([side.record]), path_digests: { reference } },
    };
  },
});
