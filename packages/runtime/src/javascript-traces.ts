import { evidenceRefusal, throwIfAborted, type ApplicationTracesPort, type Execution, type OperationContext, type ProviderIdentity } from "@rea/core";

const provider: ProviderIdentity = { id: "rea-javascript-workflows", name: "REA JavaScript workflows", version: "1" };

/** Traces through analysed applications; the reader of applications is loaded with the first call and works in a thread. */
export function createApplicationTracesPort(): ApplicationTracesPort {
  return {
    traceFeature: async ({ application, native_observations: observations, ...request }, context) => {
      const { traceFeatureInThread } = await import("@rea/javascript");
      const native = observations.map(({ evidence_id: evidenceId, subject }) => ({ evidenceId, sha256: subject?.digest.sha256 ?? null }));
      const { graph, semantics } = application.graphs;
      const result = await traceFeatureInThread({ trace: "feature", graph, semantics, request: { ...request, graphSha256: application.graphSha256, native } }, context);
      await turn(context, "trace_application_feature");
      return executed(result);
    },
    traceSemantics: async ({ application, allowed_relations: allowed, include_ambiguous_dynamic_edges: includeAmbiguous, page_size: pageSize, cursor, ...request }, context) => {
      const { graphs, record, semanticsSha256 } = application;
      if (graphs.semantics === null || semanticsSha256 === null) {
        throw evidenceRefusal("missing", "The analysis of this record has no semantic graph. Run analyze_javascript_application on the application again.", { evidence_id: record.evidence_id });
      }
      const { traceSemanticsInThread } = await import("@rea/javascript");
      const result = await traceSemanticsInThread(
        { trace: "semantics", semantics: graphs.semantics, request: { ...request, semanticsSha256, allowed: allowed ?? null, includeAmbiguous, pageSize, cursor: cursor ?? null } },
        context,
      );
      await turn(context, "trace_javascript_semantics");
      return executed(result);
    },
  };
}

/** Edges that were concluded make a trace a conclusion. */
function executed<R extends { readonly limitations: readonly string[] }>(result: R): Execution<R> {
  return { result, raw_result: null, provider, analysis_profile: null, subject: null, confidence: "inferred", limitations: result.limitations, locations: [], resolved_parameters: {} };
}

/** Lets a cancel be heard before anything is published. */
async function turn({ signal }: OperationContext, operation: string): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, operation);
}
