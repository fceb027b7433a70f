import {
  applicationEdgeIdOf,
  applicationNodeIdOf,
  applicationObservationIdOf,
  coverageOf,
  omission,
  sealApplicationGraph,
  type ApplicationEdge,
  type ApplicationNode,
  type ApplicationObservation,
  type ApplicationRelation,
} from "@rea/core";
import { insideOf } from "./load-states.js";
import type { MatchedScript, RuntimeObservation } from "./match-scripts.js";
import type { LayerAsset, StaticLayer } from "./static-layer.js";

interface Combining {
  readonly layers: readonly StaticLayer[];
  readonly observations: readonly RuntimeObservation[];
  readonly scripts: readonly MatchedScript[];
}

const mostNodes = 20_000;
const noPlace = { state: "unavailable", reason: "It was seen at run time." } as const;

/** Static code that was seen with what it was seen as. Static nodes carry nothing of the run; runtime nodes are nodes of their own. */
export function combinedGraph({ layers, observations, scripts }: Combining) {
  const combined = new Combined();
  for (const layer of layers) for (const node of layer.side.graph.nodes) if (layer.side.isRoot(node.node_id)) combined.root(layer, node);
  for (const observation of observations) combined.target(observation);
  for (const { match, asset } of scripts) combined.script(match, asset);
  return combined.sealed(layers);
}

class Combined {
  readonly #nodes = new Map<string, ApplicationNode>();
  readonly #edges = new Map<string, ApplicationEdge>();
  /** Static nodes of each layer, with their ids here. */
  readonly #placed = new Map<StaticLayer, Map<string, string>>();
  readonly #roots: string[] = [];
  #left = 0;

  root(layer: StaticLayer, node: ApplicationNode): void {
    const id = this.#static(layer, node);
    if (id !== undefined) this.#roots.push(id);
  }

  target({ evidenceId, operation }: RuntimeObservation): void {
    const identity = { strategy: "runtime-instance" as const, value: evidenceId };
    this.#add({ node_id: applicationNodeIdOf("target", identity), kind: "target", identity, name: operation, properties: { operation }, observations: [seen(evidenceId)] });
  }

  script(match: MatchedScript["match"], asset: LayerAsset | undefined): void {
    const identity = { strategy: "runtime-instance" as const, value: `${match.observation}#${match.script_id}` };
    const own = applicationNodeIdOf("runtime-script-instance", identity);
    const properties = { content_sha256: match.content_sha256, match: match.state, script_id: match.script_id };
    if (!this.#add({ node_id: own, kind: "runtime-script-instance", identity, name: match.url === "" ? match.script_id : match.url, properties, observations: [seen(match.observation)] })) return;
    const target = applicationNodeIdOf("target", { strategy: "runtime-instance", value: match.observation });
    this.#edge("loads", target, own, { authority: "passive-cdp-runtime", state: "observed", confidence: "exact", limitations: [], evidence_links: [match.observation], extractor: "runtime-capture" });
    if (asset === undefined || match.basis === null) return;
    const file = this.#static(asset.layer, asset.node);
    for (const inner of insideOf(asset.layer, asset.node)) this.#static(asset.layer, inner);
    if (file === undefined) return;
    this.#edge("observed_as", file, own, {
      authority: "cross-layer-reconciliation",
      state: "inferred",
      confidence: match.confidence === "high" ? "high" : "medium",
      limitations: [`Matched by ${match.basis.replaceAll("-", " ")}.`],
      evidence_links: [asset.layer.input.evidenceId, match.observation].sort(),
      extractor: "runtime-reconciliation",
    });
  }

  /** A node of a layer; nodes of other layers than the application are told apart by their root. */
  #static(layer: StaticLayer, node: ApplicationNode): string | undefined {
    const placed = this.#placed.get(layer) ?? new Map<string, string>();
    this.#placed.set(layer, placed);
    const known = placed.get(node.node_id);
    if (known !== undefined) return known;
    const { role, rootSha256 } = layer.input;
    const isOwn = role === "application";
    const identity = isOwn ? node.identity : { strategy: "artifact-local-key" as const, value: `${rootSha256 ?? layer.side.graph.graph_id}#${node.node_id}` };
    const id = applicationNodeIdOf(node.kind, identity);
    const properties = isOwn ? node.properties : { layer: layer.index, node_id: node.node_id, role };
    if (!this.#add({ node_id: id, kind: node.kind, identity, name: node.name, properties, observations: node.observations })) return undefined;
    placed.set(node.node_id, id);
    return id;
  }

  #add(node: ApplicationNode): boolean {
    if (this.#nodes.has(node.node_id)) return true;
    if (this.#nodes.size >= mostNodes) {
      this.#left += 1;
      return false;
    }
    this.#nodes.set(node.node_id, node);
    return true;
  }

  #edge(relation: ApplicationRelation, from: string, to: string, said: Pick<ApplicationEdge, "authority" | "state" | "confidence" | "limitations" | "evidence_links" | "extractor">): void {
    if (from === to || !this.#nodes.has(from) || !this.#nodes.has(to)) return;
    const ends = { relation, from, to };
    this.#edges.set(applicationEdgeIdOf(ends), { ...ends, edge_id: applicationEdgeIdOf(ends), properties: {}, artifact: noPlace, location: noPlace, coverage: "complete", ...said });
  }

  sealed(layers: readonly StaticLayer[]) {
    for (const layer of layers) this.#between(layer);
    const omissions = this.#left === 0 ? [] : [omission("Nodes beyond the size of the combined graph.", "limit_items", { count: this.#left, limit: mostNodes })];
    return sealApplicationGraph({
      root_node_ids: [...new Set(this.#roots)].sort().slice(0, 1000),
      nodes: [...this.#nodes.values()],
      edges: [...this.#edges.values()],
      coverage: coverageOf(omissions),
      limitations: ["Static code that was seen at run time with what holds it; code that was not seen is in the graphs of the layers.", "What was not seen is not shown to be unused."],
    });
  }

  /** Edges of a layer between nodes that are here. */
  #between(layer: StaticLayer): void {
    const placed = this.#placed.get(layer);
    for (const nodeId of placed?.keys() ?? []) {
      for (const edge of layer.side.from(nodeId)) {
        const [from, to] = [placed?.get(edge.from), placed?.get(edge.to)];
        if (from === undefined || to === undefined || from === to) continue;
        const ends = { relation: edge.relation, from, to };
        this.#edges.set(applicationEdgeIdOf(ends), { ...edge, ...ends, edge_id: applicationEdgeIdOf(ends) });
      }
    }
  }
}

function seen(evidenceId: string): ApplicationObservation {
  const said = {
    authority: "passive-cdp-runtime" as const,
    state: "observed" as const,
    confidence: "exact" as const,
    artifact: noPlace,
    location: noPlace,
    extractor: "runtime-capture",
    coverage: "complete" as const,
    limitations: [],
    evidence_links: [evidenceId],
  };
  return { observation_id: applicationObservationIdOf({ observation_id: "", ...said }), ...said };
}
