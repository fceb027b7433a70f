import { evidenceRefusal, isEvidenceReference, type CapabilityPorts, type Evidence, type EvidenceInput, type EvidencePort, type OperationContext, type WorkflowApplication } from "@rea/core";
import { loadApplication } from "./load-application.js";

/** An `application` input as the workflows take it. Throws as `loadApplication` does. */
export async function workflowApplication(input: EvidenceInput, ports: Pick<CapabilityPorts, "evidence" | "applicationGraphs">, context: OperationContext): Promise<WorkflowApplication> {
  const { record, analysis, graphs } = await loadApplication(input, ports, context);
  return { record, graphSha256: analysis.graph_sha256, rootSha256: analysis.root_artifact_sha256, graphs };
}

/** A record of any operation. Throws `evidence_integrity_mismatch` (`missing`) for a reference to none. */
export function anyRecord(input: EvidenceInput, evidence: Pick<EvidencePort, "find">): Evidence {
  const found = evidence.find(input);
  if (found !== undefined) return found;
  const named = isEvidenceReference(input) ? { evidence_id: input.evidence_id } : {};
  throw evidenceRefusal("missing", "This session retains no record of that id. Produce it again, or import a bundle that holds it.", named);
}

/** Ids of the records that a result rests on, each once. */
export function linksOf(records: readonly Evidence[]): string[] {
  return [...new Set(records.map(({ evidence_id }) => evidence_id))];
}
