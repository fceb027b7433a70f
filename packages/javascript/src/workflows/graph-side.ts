import type { ApplicationEdge, ApplicationGraph, ApplicationNode } from "@rea/core";

const hex = /^[0-9a-f]{64}$/u;

/** A graph with its nodes and edges at hand. */
export class GraphSide {
  readonly graph: ApplicationGraph;
  readonly #nodes: ReadonlyMap<string, ApplicationNode>;
  readonly #out = new Map<string, ApplicationEdge[]>();
  readonly #in = new Map<string, ApplicationEdge[]>();

  constructor(graph: ApplicationGraph) {
    this.graph = graph;
    this.#nodes = new Map(graph.nodes.map((node) => [node.node_id, node]));
    for (const edge of graph.edges) {
      listIn(this.#out, edge.from).push(edge);
      listIn(this.#in, edge.to).push(edge);
    }
  }

  node(id: string): ApplicationNode | undefined {
    return this.#nodes.get(id);
  }

  from(id: string): readonly ApplicationEdge[] {
    return this.#out.get(id) ?? none;
  }

  to(id: string): readonly ApplicationEdge[] {
    return this.#in.get(id) ?? none;
  }

  isRoot(id: string): boolean {
    return this.graph.root_node_ids.includes(id);
  }

  get isComplete(): boolean {
    return this.graph.coverage.state === "complete";
  }
}

const none: readonly ApplicationEdge[] = [];

function listIn(lists: Map<string, ApplicationEdge[]>, key: string): ApplicationEdge[] {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
}

/** Digest of the content of a file or an original, of a module's text, or another that a property gives. */
export function digestProperty({ properties }: ApplicationNode, name: "sha256" | "source_sha256" | "code_sha256" | "structure_sha256"): string | undefined {
  const value = properties[name];
  return typeof value === "string" && hex.test(value) ? value : undefined;
}

export function textProperty({ properties }: ApplicationNode, name: string): string | undefined {
  const value = properties[name];
  return typeof value === "string" ? value : undefined;
}

export function numberProperty({ properties }: ApplicationNode, name: string): number {
  const value = properties[name];
  return typeof value === "number" ? value : 0;
}

/** What the content of a node is known by. */
export function contentDigest(node: ApplicationNode): string | undefined {
  return digestProperty(node, "sha256") ?? digestProperty(node, "source_sha256");
}
