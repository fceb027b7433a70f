import type { CapabilityPorts, EvidenceInput, OperationContext, TracedApplication } from "@rea/core";
import { loadApplication } from "./load-application.js";

/** An `application` input as the traces take it. Throws as `loadApplication` does. */
export async function tracedApplication(input: EvidenceInput, ports: Pick<CapabilityPorts, "evidence" | "applicationGraphs">, context: OperationContext): Promise<TracedApplication> {
  const { record, analysis, graphs } = await loadApplication(input, ports, context);
  const { semantic_graph: semantic, graph_sha256: graphSha256 } = analysis;
  return { record, graphs, graphSha256, semanticsSha256: semantic.state === "unavailable" ? null : semantic.sha256 };
}
