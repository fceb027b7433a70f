import { evidenceInput, ReaError, runtimeObservationOperations, runtimeReconciliationSchema, staticLayerInput, z, type StaticLayerRole } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { linksOf, workflowApplication } from "./workflow-application.js";

const name = "reconcile_javascript_runtime";
const anId = `ev_${"0".repeat(64)}`;

export const reconcileJavascriptRuntime = defineTool({
  family: "application",
  evidence: true,
  target: "none",
  name,
  description:
    "Ties scripts seen to run, in pages, Electron or a V8 inspector, to files of analysed applications: by digest and place, by digest, or by place. Says of each file and module: loaded, resident in a loaded file, not observed, unknown. Not observed never means unused.",
  input: z.strictObject({
    static_layers: z.array(staticLayerInput).min(1).max(8).describe("What may run; exactly one is the application"),
    runtime_observations: z.array(evidenceInput).min(1).max(32).describe("inspect_web_page, observe_javascript_runtime records …"),
    offset: z.number().int().min(0).default(0).describe("First of each list"),
    limit: z.number().int().min(1).max(500).default(40).describe("Items of each list"),
  }),
  output: runtimeReconciliationSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "applicationGraphs", "applicationWorkflows"],
  cli: null,
  examples: [
    {
      title: "One application, one observed process",
      input: { static_layers: [{ analysis: { evidence_id: anId }, role: "application" }], runtime_observations: [{ evidence_id: anId }] },
    },
  ],
  run: async ({ static_layers: given, runtime_observations: observed, offset, limit }, { evidence, applicationGraphs, applicationWorkflows }, context) => {
    requireOneApplication(given.map(({ role }) => role));
    const observations = observed.map((one) => evidence.resolve(one, { operation: runtimeObservationOperations }));
    const layers = [];
    for (const { analysis, ...more } of given) layers.push({ application: await workflowApplication(analysis, { evidence, applicationGraphs }, context), ...more });
    const { result, ...produced } = await applicationWorkflows.reconcile({ layers, observations, offset, limit }, context);
    const records = [...layers.map(({ application }) => application.record), ...observations];
    return { result: { ...result, cited_records: records.map((record) => evidence.cite(record)) }, produced: { ...produced, evidence_links: linksOf(records) } };
  },
});

function requireOneApplication(roles: readonly StaticLayerRole[]): void {
  const applications = roles.filter((role) => role === "application").length;
  if (applications === 1) return;
  throw new ReaError("invalid_request", {
    message: `Exactly one of static_layers has the role application; ${String(applications)} have it. Correct the roles and call again.`,
    details: { operation: name, issues: [{ path: "static_layers", reason: "invalid_value", expected: "exactly one layer with role application" }] },
  });
}
