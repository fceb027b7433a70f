import { applicationComparisonLimitsInput, applicationVersionComparisonSchema, evidenceInput, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { applicationInput } from "./load-application.js";
import { anyRecord, linksOf, workflowApplication } from "./workflow-application.js";

const anId = `ev_${"0".repeat(64)}`;
const native = (side: string) => z.array(evidenceInput).max(64).default([]).describe(`Native records about ${side} files`);

export const compareApplicationVersions = defineTool({
  family: "application",
  evidence: true,
  target: "none",
  name: "compare_application_versions",
  description:
    "What changed between two versions of an application: files, modules, packages, windows, IPC handlers, endpoints, each with what its match rests on. Absence is claimed only of a side that was read whole. Next: find_changed_behavior, compare_javascript_export_shapes.",
  input: z.strictObject({
    left: applicationInput.describe("analyze_javascript_application record, older"),
    right: applicationInput.describe("The newer one"),
    limits: applicationComparisonLimitsInput.describe("Bounds"),
    left_native_observations: native("left"),
    right_native_observations: native("right"),
    offset: z.number().int().min(0).default(0).describe("First item"),
    limit: z.number().int().min(1).max(500).default(40).describe("Items of the page"),
  }),
  output: applicationVersionComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "applicationGraphs", "applicationWorkflows"],
  cli: null,
  examples: [{ title: "Two versions", input: { left: { evidence_id: anId }, right: { evidence_id: anId } } }],
  run: async ({ left, right, left_native_observations: leftNative, right_native_observations: rightNative, ...more }, { evidence, applicationGraphs, applicationWorkflows }, context) => {
    const sides = { left: await workflowApplication(left, { evidence, applicationGraphs }, context), right: await workflowApplication(right, { evidence, applicationGraphs }, context) };
    const observations = { left: leftNative.map((one) => anyRecord(one, evidence)), right: rightNative.map((one) => anyRecord(one, evidence)) };
    const { result, ...produced } = await applicationWorkflows.compareVersions({ ...sides, ...more, left_native_observations: observations.left, right_native_observations: observations.right }, context);
    const records = [sides.left.record, sides.right.record, ...observations.left, ...observations.right];
    return { result: { ...result, cited_records: records.map((record) => evidence.cite(record)) }, produced: { ...produced, evidence_links: linksOf(records) } };
  },
});
