import { evidenceRefusal, operations, throwIfAborted, type ApplicationAnalysis, type ApplicationGraphsPort, type ApplicationGraphTexts, type Evidence, type OperationContext } from "@rea/core";
import type { FactCacheSettings } from "@rea/javascript";
import type { LedgerStore } from "./ledger/ledger-store.js";

/** Paths at which callers of this session had applications analysed: the only ones that are read again. */
export class NamedApplications {
  readonly #paths = new Map<string, string>();

  /** The newest path of a graph counts. */
  add(graphSha256: string, path: string): void {
    this.#paths.delete(graphSha256);
    this.#paths.set(graphSha256, path);
    const [oldest] = this.#paths.keys();
    if (this.#paths.size > mostNamed && oldest !== undefined) this.#paths.delete(oldest);
  }

  of(graphSha256: string): string | undefined {
    return this.#paths.get(graphSha256);
  }
}

const mostNamed = 1000;

interface Sources {
  readonly ledger: LedgerStore;
  readonly named: NamedApplications;
  /** Path of the opened target; null without one. */
  readonly openPath: () => string | null;
  readonly cache: FactCacheSettings | undefined;
}

/** Finds or rebuilds the graphs of analyses. */
export function createApplicationGraphsPort(sources: Sources): ApplicationGraphsPort {
  return {
    load: async ({ record, analysis }, context) => {
      const found = kept(analysis, sources.ledger);
      if (found !== undefined) return found;
      const rebuilt = await rebuild(record, { analysis, sources }, context);
      if (rebuilt !== undefined) return rebuilt;
      throw evidenceRefusal(
        "missing",
        "The whole graphs of this analysis are not retained in this session. Run analyze_javascript_application on the application again, or import a bundle that was exported with its wholes.",
        { evidence_id: record.evidence_id, expected: analysis.graph_sha256 },
      );
    },
  };
}

function kept({ graph, semantic_graph, graph_sha256 }: ApplicationAnalysis, ledger: LedgerStore): ApplicationGraphTexts | undefined {
  const semantics = semantic_graph.state === "unavailable" ? null : semantic_graph.sha256;
  const texts = textsOf({ graph: graph.state === "inline" ? null : graph_sha256, semantics: semantic_graph.state === "inline" ? null : semantics }, ledger);
  if (texts === undefined) return undefined;
  return {
    graph: graph.state === "inline" ? JSON.stringify({ content: graph.graph }) : texts.graph,
    semantics: semantic_graph.state === "inline" ? JSON.stringify({ content: semantic_graph.graph }) : texts.semantics,
  };
}

/** Retained texts; what is not asked for is left out, and undefined when one is not there. */
function textsOf({ graph, semantics }: { readonly graph: string | null; readonly semantics: string | null }, ledger: LedgerStore): ApplicationGraphTexts | undefined {
  const [graphText, semanticsText] = [graph === null ? "" : ledger.wholeText(graph), semantics === null ? null : ledger.wholeText(semantics)];
  return graphText === undefined || semanticsText === undefined ? undefined : { graph: graphText, semantics: semanticsText };
}

const parametersSchema = operations.analyze_javascript_application.params.pick({ format: true, inner_path: true, integrity_policy: true }).strip();

/** Reads the application again where the caller said it lies, as it was read for the record; undefined when that gives something else. */
async function rebuild(record: Evidence, { analysis, sources }: { readonly analysis: ApplicationAnalysis; readonly sources: Sources }, context: OperationContext): Promise<ApplicationGraphTexts | undefined> {
  const parameters = parametersSchema.safeParse(record.parameters);
  if (!parameters.success) return undefined;
  const { format, inner_path: innerPath, integrity_policy: integrityPolicy } = parameters.data;
  const paths = new Set([sources.named.of(analysis.graph_sha256), sources.openPath()].filter((path) => typeof path === "string"));
  for (const path of paths) {
    throwIfAborted(context.signal, "analyze_javascript_application");
    const { analyzeApplication } = await import("@rea/javascript");
    const request = { path, format, innerPath: innerPath ?? null, integrityPolicy, cache: sources.cache ?? null, threads: null, timeMs: null, limits: {} };
    const analyzed = await analyzeApplication(request, context).catch((error: unknown) => {
      throwIfAborted(context.signal, "analyze_javascript_application");
      // What lies there now cannot be read; it is not what the record is about.
      if (error instanceof Error) return undefined;
      throw error;
    });
    if (analyzed === undefined || analyzed.reply.graph_sha256 !== analysis.graph_sha256) continue;
    const { reply, graph, semantics } = analyzed;
    sources.ledger.retain({ kind: "application-graph", sha256: reply.graph_sha256, bytes: graph.bytes, content: graph.text });
    sources.ledger.retain({ kind: "application-graph", sha256: semantics.sha256, bytes: semantics.bytes, content: semantics.text });
    return textsOf({ graph: reply.graph_sha256, semantics: analysis.semantic_graph.state === "unavailable" ? null : semantics.sha256 }, sources.ledger);
  }
  return undefined;
}
