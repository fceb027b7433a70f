import type { Evidence } from "./evidence.js";
import type { OperationContext } from "./execution.js";
import type { ApplicationAnalysis } from "./operations/javascript-application.js";
import { applicationGraphSchema, type ApplicationGraph } from "./operations/javascript-graph-schema.js";
import { semanticGraphSchema, type SemanticGraph } from "./operations/javascript-semantics.js";
import { evidenceRefusal } from "./evidence-refusal.js";

/**
 * The graphs that an analysis commits to, as JSON texts of objects whose member `content` is the graph. Texts go to a thread
 * at the price of a copy; `applicationGraphIn` and `semanticGraphIn` read them there.
 */
export interface ApplicationGraphTexts {
  readonly graph: string;
  /** Null when the record's analysis has no semantic graph. */
  readonly semantics: string | null;
}

/** Graphs of applications that were analysed before. */
export interface ApplicationGraphsPort {
  /**
   * The whole graphs of an `analyze_javascript_application` record: its own, what the session retains, or what reading the
   * application again gives when the caller of this session named its path and it still is the same. Throws
   * `evidence_integrity_mismatch` (`missing`) otherwise, and `cancelled`.
   */
  load(input: { readonly record: Evidence; readonly analysis: ApplicationAnalysis }, context: OperationContext): Promise<ApplicationGraphTexts>;
}

/** Reads the text of a whole application graph; may take seconds, so call it in a thread. Throws `evidence_integrity_mismatch` (`schema`). */
export function applicationGraphIn(text: string): ApplicationGraph {
  const parsed = applicationGraphSchema.safeParse(contentOf(text));
  if (parsed.success) return parsed.data;
  throw evidenceRefusal("schema", "The retained whole is not an application graph of this version. Run analyze_javascript_application again.");
}

/** Reads the text of a whole semantic graph, as `applicationGraphIn` does. */
export function semanticGraphIn(text: string): SemanticGraph {
  const parsed = semanticGraphSchema.safeParse(contentOf(text));
  if (parsed.success) return parsed.data;
  throw evidenceRefusal("schema", "The retained whole is not a semantic graph of this version. Run analyze_javascript_application again.");
}

function contentOf(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "content" in value ? value.content : undefined;
}
