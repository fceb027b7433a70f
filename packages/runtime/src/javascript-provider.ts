import { isAbsolute, join } from "node:path";
import { escapeUntrusted, fittingPageOf, semanticGraphSchema, type ApplicationsPort, type JsonObject, type OperationContext, type OperationParams, type OperationResult, type RetainedWhole, type Subject } from "@rea/core";
import type { AnalyzedApplication, FactCacheSettings } from "@rea/javascript";
import type { Target } from "@rea/provider";
import type { NamedApplications } from "./javascript-graphs-port.js";
import type { AuxiliaryProvider, StaticReply } from "./static-calls.js";

type Params = OperationParams<"analyze_javascript_application">;

/** The reader of JavaScript applications as an auxiliary provider; it is loaded with the first call. */
export function javascriptProvider(cache: FactCacheSettings | undefined, named: NamedApplications): AuxiliaryProvider {
  return {
    identity: { id: "rea-javascript-application", name: "REA JavaScript applications", version: "1" },
    answers: { analyze_javascript_application: (target, params, context) => analyze({ target, params, cache, named }, context) },
    establishes: ["analyze_javascript_application"],
    close: () => Promise.resolve(),
  };
}

/** `~/.rea/cache/applications`; undefined without a home directory or a name for the code that finds facts. */
export function factCacheSettings(home: string | undefined, build: string | undefined): FactCacheSettings | undefined {
  if (home === undefined || !isAbsolute(home) || build === undefined || build === "") return undefined;
  return { directory: join(home, ".rea", "cache", "applications"), version: build };
}

interface Analyzing {
  readonly target: Target;
  readonly params: Params;
  readonly cache: FactCacheSettings | undefined;
  readonly named: NamedApplications;
}

/** A graph up to this size stands in the reply itself. */
const inlineBytes = 16 * 1024;

async function analyze({ target, params, cache, named }: Analyzing, context: OperationContext): Promise<StaticReply> {
  const { analyzeApplication } = await import("@rea/javascript");
  const semanticPage = params.list === "semantic_nodes" || params.list === "semantic_edges" ? { list: params.list, offset: params.offset, limit: params.limit } : null;
  const analyzed = await analyzeApplication(
    { path: target.path, format: params.format, innerPath: params.inner_path ?? null, integrityPolicy: params.integrity_policy, cache: cache ?? null, threads: null, timeMs: null, limits: {}, semanticPage },
    context,
  );
  const { reply, graph } = analyzed;
  named.add(reply.graph_sha256, target.path);
  const isInline = params.list === undefined;
  const graphs = [graphIn(analyzed, isInline), semanticsIn(analyzed, isInline)] as const;
  return {
    result: { ...reply, graph: graphs[0].said, semantic_graph: graphs[1].said, page: pageIn(analyzed, params) },
    wholes: graphs.flatMap(({ whole }) => (whole === null ? [] : [whole])),
    // Relations between files, processes and originals are conclusions.
    confidence: graph.edges.some(({ state }) => state !== "observed") ? "inferred" : "observed",
    limitations: reply.limitations,
    locations: [],
    raw_result: null,
    resolved_parameters: {},
    ...subjectOf(analyzed, target),
    subject_sha256: analyzed.subject.sha256,
  };
}

type Result = OperationResult<"analyze_javascript_application">;

/** What the reply says of a graph, and the whole that is retained when the reply does not hold it. */
interface Carried<S> {
  readonly said: S;
  readonly whole: RetainedWhole | null;
}

function graphIn({ reply, graph, graphBytes }: AnalyzedApplication, mayBeInline: boolean): Carried<Result["graph"]> {
  if (mayBeInline && graphBytes <= inlineBytes) return { said: { state: "inline", graph }, whole: null };
  const said = { state: "retained", graph_id: graph.graph_id, graph_sha256: reply.graph_sha256, bytes: graphBytes, nodes: graph.nodes.length, edges: graph.edges.length } as const;
  return { said, whole: { kind: "application-graph", sha256: reply.graph_sha256, bytes: graphBytes, content: graph } };
}

function semanticsIn({ semantics: { text, sha256, bytes, nodes, edges } }: AnalyzedApplication, mayBeInline: boolean): Carried<Result["semantic_graph"]> {
  if (mayBeInline && bytes <= inlineBytes) {
    const graph = semanticGraphSchema.parse(JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8")));
    return { said: { state: "inline", sha256, graph }, whole: null };
  }
  return { said: { state: "retained", sha256, bytes, nodes, edges }, whole: { kind: "application-graph", sha256, bytes, content: text } };
}

/** What the analysis is of: the application, also where it lies inside the file that was named. A directory with a part that cannot be read has no digest. */
function subjectOf({ subject }: AnalyzedApplication, target: Target): { readonly subject?: Subject } {
  if (subject.sha256 === null) return {};
  return { subject: { name: escapeUntrusted(subject.name), digest: { sha256: subject.sha256 }, format: subject.format, architecture: null, local_path: escapeUntrusted(target.path) } };
}

function pageIn({ graph, unknowns, semanticPage }: AnalyzedApplication, { list, node_kind, offset, limit }: Params) {
  const request = { offset, limit };
  const { omissions } = graph.coverage;
  switch (list) {
    case undefined:
      return null;
    case "nodes":
      return fittingPageOf(graph.nodes.filter(({ kind }) => node_kind === undefined || kind === node_kind), request, plain, omissions);
    case "edges":
      return fittingPageOf(graph.edges, request, plain, omissions);
    case "unknowns":
      return fittingPageOf(unknowns, request, plain, omissions);
    default:
      return semanticPage;
  }
}

function plain(item: object): JsonObject {
  return Object.fromEntries(Object.entries(item));
}

/** Reads applications again for their texts; loaded with the first call. */
export function createApplicationsPort(): ApplicationsPort {
  return {
    search: async ({ path, inner_path, text, case_sensitive, offset, limit }, context) =>
      (await import("@rea/javascript")).searchInApplication({ path, innerPath: inner_path ?? null, text, caseSensitive: case_sensitive, offset, limit }, context),
    recoverSources: async ({ path, inner_path, output }, context) => (await import("@rea/javascript")).recoverApplicationSources({ path, innerPath: inner_path ?? null, output }, context),
  };
}
