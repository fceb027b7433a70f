import {
  applicationEdgeIdOf,
  applicationNodeIdOf,
  escapeUntrusted,
  omission,
  sha256Hex,
  type ApplicationAuthority,
  type ApplicationEdge,
  type ApplicationNode,
  type ApplicationNodeKind,
  type ApplicationObservation,
  type ApplicationRelation,
  type ArtifactReference,
  type IdentityStrategy,
  type JsonValue,
  type ObservationConfidence,
  type ObservationState,
  type Omission,
  type SourceLocation,
} from "@rea/core";
import type { Span } from "../facts/fact.js";

export interface GraphLimits {
  readonly nodes: number;
  readonly edges: number;
}

const graphLimits: GraphLimits = { nodes: 500_000, edges: 1_000_000 };

/** Where something was found and how sure that is. */
export interface Finding {
  readonly authority?: ApplicationAuthority;
  readonly state?: ObservationState;
  readonly confidence?: ObservationConfidence;
  /** File that shows it, or why there is none. */
  readonly file: { readonly sha256: string; readonly path: string } | string;
  readonly at: Span | string;
  readonly extractor: string;
  readonly limitations?: readonly string[];
}

export interface NodeDraft {
  readonly kind: ApplicationNodeKind;
  readonly strategy: IdentityStrategy;
  readonly value: string;
  readonly name: string;
  readonly properties?: { readonly [key: string]: JsonValue };
  readonly finding: Finding;
}

const mostObservations = 64;

/** Puts a graph together: equal nodes and edges are one, text of the target is made visible. */
export class GraphBuilder {
  readonly #nodes = new Map<string, ApplicationNode>();
  readonly #edges = new Map<string, ApplicationEdge>();
  /** How often edges were found that were found more than once. */
  readonly #sites = new Map<string, number>();
  readonly #limits: GraphLimits;
  #nodesLeft = 0;
  #edgesLeft = 0;

  constructor(limits: GraphLimits = graphLimits) {
    this.#limits = limits;
  }

  /** Id of the node, new or known; undefined when the graph is full. */
  node({ kind, strategy, value, name, properties = {}, finding }: NodeDraft): string | undefined {
    const identity = { strategy, value: escapeUntrusted(value) };
    const node_id = applicationNodeIdOf(kind, identity);
    const known = this.#nodes.get(node_id);
    if (known !== undefined) {
      const observation = observationOf(finding);
      const isNew = !known.observations.some((one) => one.observation_id === observation.observation_id);
      if (isNew && known.observations.length < mostObservations) known.observations.push(observation);
      return node_id;
    }
    if (this.#nodes.size >= this.#limits.nodes) {
      this.#nodesLeft += 1;
      return undefined;
    }
    this.#nodes.set(node_id, { identity, kind, name: escapeUntrusted(name), node_id, observations: [observationOf(finding)], properties: escaped(properties) });
    return node_id;
  }

  edge(relation: ApplicationRelation, from: string | undefined, to: string | undefined, { finding, properties = {} }: { readonly finding: Finding; readonly properties?: { readonly [key: string]: JsonValue } }): void {
    if (from === undefined || to === undefined || from === to) return;
    const edge_id = applicationEdgeIdOf({ relation, from, to });
    const known = this.#edges.get(edge_id);
    if (known !== undefined) {
      this.#sites.set(edge_id, (this.#sites.get(edge_id) ?? 1) + 1);
      return;
    }
    if (this.#edges.size >= this.#limits.edges) {
      this.#edgesLeft += 1;
      return;
    }
    this.#edges.set(edge_id, edgeOf(finding, { edge_id, from, properties: escaped(properties), relation, to }));
  }

  /** Hands over everything, so that the builder holds nothing more. Observations in order of their ids: which came first says nothing. */
  finish(): { readonly nodes: ApplicationNode[]; readonly edges: ApplicationEdge[]; readonly omissions: readonly Omission[] } {
    const nodes = [...this.#nodes.values()];
    for (const { observations } of nodes) if (observations.length > 1) observations.sort((a, b) => (a.observation_id < b.observation_id ? -1 : 1));
    for (const [id, sites] of this.#sites) {
      const edge = this.#edges.get(id);
      if (edge !== undefined) this.#edges.set(id, { ...edge, properties: escaped({ ...edge.properties, sites }) });
    }
    const omissions: Omission[] = [];
    if (this.#nodesLeft > 0) omissions.push(omission("Nodes beyond the size of a graph.", "limit_items", { count: this.#nodesLeft, limit: this.#limits.nodes }));
    if (this.#edgesLeft > 0) omissions.push(omission("Edges beyond the size of a graph.", "limit_items", { count: this.#edgesLeft, limit: this.#limits.edges }));
    const edges = [...this.#edges.values()];
    for (const held of [this.#nodes, this.#edges, this.#sites]) held.clear();
    return { nodes, edges, omissions };
  }
}

/** Keys stand in their canonical order everywhere, so that the canonical text needs no sorting. */
function observationOf(finding: Finding): ApplicationObservation {
  const { artifact, authority, confidence, coverage, evidence_links, extractor, limitations, location, state } = provenanceOf(finding);
  // The canonical text is what the language writes of keys in this order; a test compares it with `applicationObservationIdOf`.
  const said = JSON.stringify({ artifact, authority, confidence, coverage, evidence_links, extractor, limitations, location, state });
  return { artifact, authority, confidence, coverage, evidence_links, extractor, limitations, location, observation_id: `jag_observation_${sha256Hex(said)}`, state };
}

function edgeOf(finding: Finding, { edge_id, from, properties, relation, to }: Pick<ApplicationEdge, "edge_id" | "from" | "properties" | "relation" | "to">): ApplicationEdge {
  const { artifact, authority, confidence, coverage, evidence_links, extractor, limitations, location, state } = provenanceOf(finding);
  return { artifact, authority, confidence, coverage, edge_id, evidence_links, extractor, from, limitations, location, properties, relation, state, to };
}

function provenanceOf({ authority = "ast-static-analysis", state = "observed", confidence, file, at, extractor, limitations = [] }: Finding): Omit<ApplicationObservation, "observation_id"> {
  return {
    artifact: artifactOf(file),
    authority,
    confidence: confidence ?? (state === "observed" ? "exact" : "medium"),
    coverage: "complete",
    evidence_links: [],
    extractor,
    limitations: [...limitations],
    location: locationOf(at),
    state,
  };
}

function artifactOf(file: Finding["file"]): ArtifactReference {
  return typeof file === "string" ? { reason: file, state: "unavailable" } : { path: escapeUntrusted(file.path), sha256: file.sha256, state: "available" };
}

function locationOf(at: Finding["at"]): SourceLocation {
  return typeof at === "string" ? { reason: at, state: "unavailable" } : { column: at.column, end: at.end, line: Math.max(1, at.line), start: at.start, state: "available" };
}

/** Keys in order, so that the canonical text needs no sorting. */
function escaped(properties: { readonly [key: string]: JsonValue }): { [key: string]: JsonValue } {
  const entries = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, escapedValue(value)]));
}

function escapedValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return escapeUntrusted(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => escapedValue(item));
  if (typeof value === "object" && value !== null) return escaped(Object.fromEntries(Object.entries(value)));
  return value;
}
