import { applicationGraphIn, semanticGraphIn, SemanticRows, type FeatureTrace, type SemanticTrace } from "@rea/core";
import type { FeatureTracing } from "./feature-trace.js";
import type { SemanticTracing } from "./semantic-trace.js";

/** Traces as a thread is given them: graphs as texts. */
export interface FeatureTraceTask {
  readonly trace: "feature";
  readonly graph: string;
  readonly semantics: string | null;
  readonly request: Omit<FeatureTracing, "graph" | "semantics">;
}

export interface SemanticTraceTask {
  readonly trace: "semantics";
  readonly semantics: string;
  readonly request: Omit<SemanticTracing, "semantics">;
}

export type TraceTask = FeatureTraceTask | SemanticTraceTask;

export type TraceOutcome =
  | { readonly trace: "feature"; readonly result: Omit<FeatureTrace, "cited_records"> }
  | { readonly trace: "semantics"; readonly result: Omit<SemanticTrace, "cited_records"> };

/** Traces in the calling thread. */
export async function runTrace(task: TraceTask): Promise<TraceOutcome> {
  if (task.trace === "semantics") {
    const { traceSemantics } = await import("./semantic-trace.js");
    return { trace: "semantics", result: traceSemantics({ ...task.request, semantics: new SemanticRows(semanticGraphIn(task.semantics)) }) };
  }
  const { traceFeature } = await import("./feature-trace.js");
  const semantics = task.semantics === null ? null : new SemanticRows(semanticGraphIn(task.semantics));
  return { trace: "feature", result: traceFeature({ ...task.request, graph: applicationGraphIn(task.graph), semantics }) };
}
