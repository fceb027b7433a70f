import { evidenceInput, evidenceRefusal, operations, type ApplicationAnalysis, type ApplicationGraphTexts, type CapabilityPorts, type Evidence, type EvidenceInput, type OperationContext } from "@rea/core";

/** `application` of the workflow tools. */
export const applicationInput = evidenceInput.describe("analyze_javascript_application record, full or by id");

/** An application that was analysed before, with the whole graphs that its record commits to. */
export interface LoadedApplication {
  readonly record: Evidence;
  readonly analysis: ApplicationAnalysis;
  readonly summary: ApplicationAnalysis["summary"];
  /** Texts for a thread; `applicationGraphIn` and `semanticGraphIn` of core read them. */
  readonly graphs: ApplicationGraphTexts;
}

/**
 * Resolves an `application` input. Throws `evidence_integrity_mismatch`: what is wrong with the record, or `missing` when its
 * whole graphs can neither be found nor rebuilt.
 */
export async function loadApplication(
  input: EvidenceInput,
  { evidence, applicationGraphs }: Pick<CapabilityPorts, "evidence" | "applicationGraphs">,
  context: OperationContext,
): Promise<LoadedApplication> {
  const record = evidence.resolve(input, { operation: "analyze_javascript_application" });
  const parsed = operations.analyze_javascript_application.result.safeParse(record.normalized_result);
  if (!parsed.success) throw evidenceRefusal("schema", "The record does not hold an analysis of this version. Run analyze_javascript_application again.", { evidence_id: record.evidence_id });
  const analysis = parsed.data;
  return { record, analysis, summary: analysis.summary, graphs: await applicationGraphs.load({ record, analysis }, context) };
}
