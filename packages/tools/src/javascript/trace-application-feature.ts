import { evidenceInput, featureTraceInput, featureTraceSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { applicationInput } from "./load-application.js";
import { tracedApplication } from "./traced-application.js";
import { anyRecord, linksOf } from "./workflow-application.js";

export const traceApplicationFeature = defineTool({
  family: "application",
  evidence: true,
  target: "none",
  name: "trace_application_feature",
  description:
    "Shows how an application does something: begins at what a seed names (route, text, API, IPC channel, module, native export) and follows the whole graph to endpoints, handlers, storage and native code, with paths, places and what each edge rests on. Needs an analyze_javascript_application record. Next: trace_javascript_semantics.",
  input: z.strictObject({
    application: applicationInput,
    ...featureTraceInput,
    native_observations: z.array(evidenceInput).max(64).default([]).describe("Records of native tools about files of the application"),
  }),
  output: featureTraceSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "applicationGraphs", "applicationTraces"],
  cli: null,
  examples: [
    {
      title: "Everything about a message channel",
      input: { application: { evidence_id: `ev_${"0".repeat(64)}` }, seed: { kind: "channel", value: "save-file" } },
    },
  ],
  run: async ({ application, native_observations: observations, ...request }, { evidence, applicationGraphs, applicationTraces }, context) => {
    const loaded = await tracedApplication(application, { evidence, applicationGraphs }, context);
    const native = observations.map((one) => anyRecord(one, evidence));
    const { result, ...produced } = await applicationTraces.traceFeature({ ...request, application: loaded, native_observations: native }, context);
    const records = [loaded.record, ...native];
    return { result: { ...result, cited_records: records.map((record) => evidence.cite(record)) }, produced: { ...produced, evidence_links: linksOf(records) } };
  },
});
