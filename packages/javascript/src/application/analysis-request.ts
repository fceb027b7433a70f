import type { ApplicationFormat } from "@rea/core";
import type { FactCacheSettings } from "../cache/fact-cache.js";
import type { GraphLimits } from "../graph/graph-builder.js";
import type { GraphPageRequest } from "../graph/graph-page.js";
import type { SemanticPageRequest } from "../semantics/semantic-page.js";
import type { ApplicationLimits } from "./application-files.js";
import type { TextTotals } from "./bounded-texts.js";

/** What is to be analysed, and how far. */
export interface AnalysisRequest {
  readonly path: string;
  readonly format: "auto" | ApplicationFormat;
  readonly innerPath: string | null;
  readonly integrityPolicy: "fail" | "record-and-continue";
  readonly cache: FactCacheSettings | null;
  /** Threads that read texts; as many as there are processors, at most four, when null. */
  readonly threads: number | null;
  readonly timeMs: number | null;
  readonly limits: Partial<ApplicationLimits>;
  /** Bounds over all texts together; default those of this build. */
  readonly totals?: Partial<TextTotals>;
  /** Bounds of the graph; default those of this build. */
  readonly graphLimits?: GraphLimits;
  /** Bounds of the whole semantic graph; default those of this build. */
  readonly semanticLimits?: { readonly nodes: number; readonly edges: number };
  /** A page of a graph that is wanted with the answer; default none. */
  readonly page?: GraphPageRequest | SemanticPageRequest | null;
}
