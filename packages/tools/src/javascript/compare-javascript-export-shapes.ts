import { exportShapeComparisonSchema, exportShapeLimitsInput, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { applicationInput } from "./load-application.js";
import { linksOf, workflowApplication } from "./workflow-application.js";

const anId = `ev_${"0".repeat(64)}`;
const modulePath = z.string().min(1).max(4096);
const exportName = z.string().min(1).max(1024);

export const compareJavascriptExportShapes = defineTool({
  family: "application",
  evidence: true,
  target: "none",
  name: "compare_javascript_export_shapes",
  description:
    "Compares what two modules export: the variants a function returns, or a value, place by place as JSON pointers. Variants pair by a literal that tells them apart, such as type. Take paths from analyze_javascript_application or compare_application_versions.",
  input: z.strictObject({
    left: applicationInput.describe("analyze_javascript_application record"),
    right: applicationInput.describe("Another, or the same"),
    left_module_path: modulePath.describe("Path of a file, module or original"),
    right_module_path: modulePath.optional().describe("Default: left_module_path"),
    left_export_name: exportName.describe("Name, default, or module.exports"),
    right_export_name: exportName.optional().describe("Default: left_export_name"),
    limits: exportShapeLimitsInput.describe("Bounds"),
  }),
  output: exportShapeComparisonSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "applicationGraphs", "applicationWorkflows"],
  cli: null,
  examples: [
    {
      title: "One function in two versions",
      input: { left: { evidence_id: anId }, right: { evidence_id: anId }, left_module_path: "lib/reducer.js", left_export_name: "reduce" },
    },
  ],
  run: async (input, { evidence, applicationGraphs, applicationWorkflows }, context) => {
    const [left, right] = [await workflowApplication(input.left, { evidence, applicationGraphs }, context), await workflowApplication(input.right, { evidence, applicationGraphs }, context)];
    const names = { left: { module_path: input.left_module_path, export_name: input.left_export_name }, right: { module_path: input.right_module_path ?? input.left_module_path, export_name: input.right_export_name ?? input.left_export_name } };
    const { result, ...produced } = await applicationWorkflows.compareExportShapes({ left: { application: left, ...names.left }, right: { application: right, ...names.right }, limits: input.limits }, context);
    return {
      result: { ...result, cited_records: [evidence.cite(left.record), evidence.cite(right.record)] },
      produced: {
        ...produced,
        evidence_links: linksOf([left.record, right.record]),
        resolved_parameters: { right_module_path: names.right.module_path, right_export_name: names.right.export_name },
      },
    };
  },
});
