import { isAbsolute, join } from "node:path";
import { applicationGraphIn, escapeUntrusted, fittingPageOf, semanticGraphIn, type ApplicationsPort, type JsonObject, type OperationContext, type OperationParams, type OperationResult, type RetainedWhole, type Subject } from "@rea/core";
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
  const analyzed = await analyzeApplication(
    { path: target.path, format: params.format, innerPath: params.inner_path ?? null, integrityPolicy: params.integrity_policy, cache: cache ?? null, threads: null, timeMs: null, limits: {}, page: graphPageRequest(params) },
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
    confidence: graph.isConcluded ? "inferred" : "observed",
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

/** A page of a graph is made where the graph is read, so that this thread never parses one that is large. */
function graphPageRequest({ list, node_kind: kind, offset, limit }: Params) {
  return list === undefined || list === "unknowns" ? null : { list, kind, offset, limit };
}

function graphIn({ graph: { text, id, sha256, bytes, nodes, edges } }: AnalyzedApplication, mayBeInline: boolean): Carried<Result["graph"]> {
  if (mayBeInline && bytes <= inlineBytes) return { said: { state: "inline", graph: applicationGraphIn(`{"content":${stringOf(text)}}`) }, whole: null };
  return { said: { state: "retained", graph_id: id, graph_sha256: sha256, bytes, nodes, edges }, whole: { kind: "application-graph", sha256, bytes, content: text } };
}

function semanticsIn({ semantics: { text, sha256, bytes, nodes, edges } }: AnalyzedApplication, mayBeInline: boolean): Carried<Result["semantic_graph"]> {
  if (mayBeInline && bytes <= inlineBytes) {
    return { said: { state: "inline", sha256, graph: semanticGraphIn(`{"content":${stringOf(text)}}`) }, whole: null };
  }
  return { said: { state: "retained", sha256, bytes, nodes, edges }, whole: { kind: "application-graph", sha256, bytes, content: text } };
}

function stringOf(text: Uint8Array): string {
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("utf8");
}

/** What the analysis is of: the application, also where it lies inside the file that was named. A directory with a part that cannot be read has no digest. */
function subjectOf({ subject }: AnalyzedApplication, target: Target): { readonly subject?: Subject } {
  if (subject.sha256 === null) return {};
  return { subject: { name: escapeUntrusted(subject.name), digest: { sha256: subject.sha256 }, format: subject.format, architecture: null, local_path: escapeUntrusted(target.path) } };
}

function pageIn({ reply, unknowns, page }: AnalyzedApplication, { list, offset, limit }: Params) {
  return list === "unknowns" ? fittingPageOf(unknowns, { offset, limit }, plain, reply.coverage.omissions) : page;
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
