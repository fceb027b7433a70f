import { semanticTraceInput, semanticTraceSchema, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { applicationInput } from "./load-application.js";
import { tracedApplication } from "./traced-application.js";

export const traceJavascriptSemantics = defineTool({
  family: "application",
  evidence: true,
  target: "none",
  name: "trace_javascript_semantics",
  description:
    "Follows values through the code of an application: where one comes from, what it reaches, who calls a function, or who owns and releases a resource, across modules and IPC. A page of relations with places and certainty; go on with its cursor. Needs an analyze_javascript_application record. Begin at a literal, name, API or node id.",
  input: z.strictObject({ application: applicationInput, ...semanticTraceInput }),
  output: semanticTraceSchema,
  effects: effectClasses.evidence,
  requires: ["evidence", "applicationGraphs", "applicationTraces"],
  cli: null,
  examples: [
    {
      title: "Where the argument of a call comes from",
      input: { application: { evidence_id: `ev_${"0".repeat(64)}` }, seed: { kind: "api", value: "child_process.spawn" }, direction: "backward-provenance" },
    },
  ],
  run: async ({ application, ...request }, { evidence, applicationGraphs, applicationTraces }, context) => {
    const loaded = await tracedApplication(application, { evidence, applicationGraphs }, context);
    const { result, ...produced } = await applicationTraces.traceSemantics({ ...request, application: loaded }, context);
    return { result: { ...result, cited_records: [evidence.cite(loaded.record)] }, produced: { ...produced, evidence_links: [loaded.record.evidence_id] } };
  },
});
