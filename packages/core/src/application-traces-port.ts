import type { ApplicationGraphTexts } from "./application-graphs-port.js";
import type { Evidence } from "./evidence.js";
import type { Execution, OperationContext } from "./execution.js";
import type { FeatureTrace, FeatureTraceLimits } from "./operations/javascript-trace-feature.js";
import type { SemanticTrace, SemanticTraceDirection, SemanticTraceLimits } from "./operations/javascript-trace-semantics.js";
import type { TraceSeed } from "./operations/javascript-trace-words.js";
import type { SemanticRelation } from "./operations/javascript-words.js";

/** An analysed application as traces take it. */
export interface TracedApplication {
  readonly record: Evidence;
  readonly graphs: ApplicationGraphTexts;
  readonly graphSha256: string;
  /** Null when the analysis has no semantic graph. */
  readonly semanticsSha256: string | null;
}

export interface FeatureTraceRequest {
  readonly application: TracedApplication;
  readonly seed: TraceSeed;
  readonly direction: FeatureTrace["direction"];
  readonly limits: FeatureTraceLimits;
  readonly native_observations: readonly Evidence[];
  readonly offset: number;
  readonly limit: number;
}

export interface SemanticTraceRequest {
  readonly application: TracedApplication;
  readonly seed: TraceSeed;
  readonly direction: SemanticTraceDirection;
  readonly allowed_relations?: readonly SemanticRelation[] | undefined;
  readonly include_ambiguous_dynamic_edges: boolean;
  readonly limits: SemanticTraceLimits;
  readonly page_size: number;
  readonly cursor?: string | undefined;
}

/** Traces through graphs of analysed applications, in a thread of their own. Each throws `cancelled`. */
export interface ApplicationTracesPort {
  traceFeature(request: FeatureTraceRequest, context: OperationContext): Promise<Execution<Omit<FeatureTrace, "cited_records">>>;
  /** Throws `invalid_request` (`stale_cursor`), and `evidence_integrity_mismatch` (`missing`) for a record without a semantic graph. */
  traceSemantics(request: SemanticTraceRequest, context: OperationContext): Promise<Execution<Omit<SemanticTrace, "cited_records">>>;
}
