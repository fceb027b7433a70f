import { canonicalJson, digestOfChunks } from "../canonical-json.js";
import { sha256Hex } from "../digest.js";
import { evidenceRefusal } from "../evidence-refusal.js";
import { concludingAuthorities, type ApplicationNodeKind, type ApplicationRelation, type IdentityStrategy } from "./javascript-words.js";
import { applicationGraphSchema, type ApplicationEdge, type ApplicationGraph, type ApplicationNode, type ApplicationObservation } from "./javascript-graph-schema.js";

export interface NodeIdentity {
  readonly strategy: IdentityStrategy;
  readonly value: string;
}

/** Id of a node: over its kind and identity; what was found about it takes no part. */
export function applicationNodeIdOf(kind: ApplicationNodeKind, { strategy, value }: NodeIdentity): string {
  return `jag_node_${sha256Hex(`{"identity":{"strategy":"${strategy}","value":${JSON.stringify(value)}},"kind":"${kind}"}`)}`;
}

/** Id of an edge: over its ends and relation, of which a graph has at most one. */
export function applicationEdgeIdOf({ relation, from, to }: { readonly relation: ApplicationRelation; readonly from: string; readonly to: string }): string {
  return `jag_edge_${sha256Hex(`{"from":"${from}","relation":"${relation}","to":"${to}"}`)}`;
}

/** Id of an observation: over everything it says. */
export function applicationObservationIdOf({ observation_id: _own, ...said }: ApplicationObservation): string {
  return `jag_observation_${sha256Hex(canonicalJson(said))}`;
}

export type ApplicationGraphContent = Omit<ApplicationGraph, "graph_id" | "schema" | "schema_version">;

/**
 * A graph with its id, digest and size: nodes and edges sorted by id, written in canonical JSON once. `sha256` and `bytes`
 * are of the whole as it is retained. `isCanonical`: its maker has written every object with its keys in order, with whole
 * numbers and well-formed text only, so that nothing needs to be checked or sorted.
 */
export function sealApplicationGraph(content: ApplicationGraphContent, { isCanonical = false } = {}): { readonly graph: ApplicationGraph; readonly sha256: string; readonly bytes: number } {
  const nodes = [...content.nodes].sort(byId((node) => node.node_id));
  const edges = [...content.edges].sort(byId((edge) => edge.edge_id));
  const textOf = isCanonical ? (item: object) => JSON.stringify(item) : (item: object) => canonicalJson(item);
  const texts = { nodes: nodes.map(textOf), edges: edges.map(textOf) };
  const rest = { coverage: canonicalJson(content.coverage), limitations: canonicalJson(content.limitations), roots: canonicalJson(content.root_node_ids) };
  const write = function* (id: string | undefined): Generator<string> {
    yield `{"coverage":${rest.coverage},"edges":`;
    yield* list(texts.edges);
    if (id !== undefined) yield `,"graph_id":"${id}"`;
    yield `,"limitations":${rest.limitations},"nodes":`;
    yield* list(texts.nodes);
    yield `,"root_node_ids":${rest.roots},"schema":"JavaScriptApplicationGraph","schema_version":1}`;
  };
  const graph_id = `jag_${digestOfChunks(write(undefined)).sha256}`;
  const graph: ApplicationGraph = { ...content, schema: "JavaScriptApplicationGraph", schema_version: 1, graph_id, nodes, edges };
  return { graph, ...digestOfChunks(write(graph_id)) };
}

/**
 * Reads a graph that came from elsewhere: its shape, every id recomputed, and what holds between its parts. Throws
 * `evidence_integrity_mismatch` (`schema`, `id_mismatch`, `bounds`).
 */
export function parseApplicationGraph(value: unknown): ApplicationGraph {
  const parsed = applicationGraphSchema.safeParse(value);
  if (!parsed.success) throw evidenceRefusal("schema", "This is not an application graph of this version. Run analyze_javascript_application again.");
  const broken = brokenGraphRule(parsed.data);
  if (broken !== undefined) throw evidenceRefusal(broken.isIdentity ? "id_mismatch" : "schema", `${broken.rule} Run analyze_javascript_application again.`);
  if (sealApplicationGraph(parsed.data).graph.graph_id !== parsed.data.graph_id) {
    throw evidenceRefusal("id_mismatch", "The id of this application graph is not that of its content. Run analyze_javascript_application again.");
  }
  return parsed.data;
}

interface BrokenRule {
  readonly rule: string;
  readonly isIdentity: boolean;
}

/** The first rule that a graph breaks; undefined when it keeps all. */
export function brokenGraphRule({ nodes, edges, root_node_ids }: Pick<ApplicationGraph, "nodes" | "edges" | "root_node_ids">): BrokenRule | undefined {
  const known = new Set<string>();
  for (const node of nodes) {
    if (known.has(node.node_id)) return rule("A node stands twice in the graph.");
    known.add(node.node_id);
    const broken = brokenNode(node);
    if (broken !== undefined) return broken;
  }
  if (!root_node_ids.every((id) => known.has(id))) return rule("A root of the graph is not among its nodes.");
  const seen = new Set<string>();
  for (const edge of edges) {
    if (seen.has(edge.edge_id)) return rule("An edge stands twice in the graph.");
    seen.add(edge.edge_id);
    const broken = brokenEdge(edge, known);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function brokenNode(node: ApplicationNode): BrokenRule | undefined {
  if (applicationNodeIdOf(node.kind, node.identity) !== node.node_id) return identity("The id of a node is not that of its identity.");
  if (!fitProperties(node.properties)) return rule("The properties of a node are more or deeper than allowed.");
  for (const observation of node.observations) {
    if (applicationObservationIdOf(observation) !== observation.observation_id) return identity("The id of an observation is not that of its content.");
    const broken = brokenProvenance(observation);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function brokenEdge(edge: ApplicationEdge, known: ReadonlySet<string>): BrokenRule | undefined {
  if (edge.from === edge.to) return rule("An edge leads to where it begins.");
  if (!known.has(edge.from) || !known.has(edge.to)) return rule("An edge has an end that is not a node of the graph.");
  if (applicationEdgeIdOf(edge) !== edge.edge_id) return identity("The id of an edge is not that of its ends.");
  if (!fitProperties(edge.properties)) return rule("The properties of an edge are more or deeper than allowed.");
  return brokenProvenance(edge);
}

function brokenProvenance({ authority, state, confidence, limitations }: Pick<ApplicationObservation, "authority" | "state" | "confidence" | "limitations">): BrokenRule | undefined {
  if (state === "observed" && concludingAuthorities.has(authority)) return rule("A conclusion is given as an observation.");
  if (confidence === "exact" && state !== "observed") return rule("Something that was not observed is given as exact.");
  if ((state === "inferred" || state === "unknown") && limitations.length === 0) return rule("Something inferred or unknown names no limitation.");
  return undefined;
}

const mostKeys = 64;
const deepestValue = 6;

function fitProperties(properties: { readonly [key: string]: unknown }): boolean {
  return Object.keys(properties).length <= mostKeys && depthOf(properties) <= deepestValue;
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let deepest = 0;
  for (const item of Array.isArray(value) ? value : Object.values(value)) deepest = Math.max(deepest, depthOf(item));
  return deepest + 1;
}

function rule(text: string): BrokenRule {
  return { rule: text, isIdentity: false };
}

function identity(text: string): BrokenRule {
  return { rule: text, isIdentity: true };
}

function* list(texts: readonly string[]): Generator<string> {
  let separator = "[";
  for (const text of texts) {
    yield separator + text;
    separator = ",";
  }
  yield texts.length === 0 ? "[]" : "]";
}

function byId<T>(id: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (id(a) < id(b) ? -1 : 1);
}
