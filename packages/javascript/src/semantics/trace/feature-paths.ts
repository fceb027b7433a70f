import type { ApplicationGraph, ApplicationNodeKind, FeaturePath } from "@rea/core";
import type { Walk } from "./graph-walk.js";

/** What a feature ends in, the most telling first; everything else comes after. */
const telling: readonly ApplicationNodeKind[] = ["endpoint", "storage", "native-export", "native-addon", "ipc-handler", "ipc-channel", "unknown", "package", "browser-window"];
const states = ["observed", "inferred", "unavailable", "unknown"] as const;

interface Choosing {
  readonly positions: ReadonlyMap<number, number>;
  readonly most: number;
}

/** Shortest paths from seeds to where the walks end, and how many there are. */
export function featurePaths(graph: ApplicationGraph, walks: readonly Walk[], { positions, most }: Choosing): { readonly found: readonly FeaturePath[]; readonly total: number } {
  const ends = walks.flatMap((walk) => [...walk.reached.values()].filter(({ node, depth }) => depth > 0 && isEnd(graph.nodes[node]?.kind, walk, node)).map(({ node, depth }) => ({ walk, node, depth })));
  const rank = (node: number): number => {
    const at = telling.indexOf(graph.nodes[node]?.kind ?? "unknown");
    return at < 0 ? telling.length : at;
  };
  const ordered = ends.sort((a, b) => rank(a.node) - rank(b.node) || a.depth - b.depth || a.node - b.node || (a.walk.direction < b.walk.direction ? 1 : -1));
  return { found: ordered.slice(0, most).map(({ walk, node }) => pathTo(graph, walk, { node, positions })), total: ends.length };
}

function isEnd(kind: ApplicationNodeKind | undefined, { ends, direction }: Walk, node: number): boolean {
  return ends.has(node) || (direction === "outgoing" && (kind === "endpoint" || kind === "storage" || kind === "native-addon" || kind === "native-export"));
}

function pathTo(graph: ApplicationGraph, { reached, direction }: Walk, { node, positions }: { readonly node: number; readonly positions: ReadonlyMap<number, number> }): FeaturePath {
  const nodes: number[] = [];
  const edges: number[] = [];
  for (let at = reached.get(node); at !== undefined; at = at.by === undefined ? undefined : reached.get(at.by.from)) {
    nodes.push(positions.get(at.node) ?? 0);
    if (at.by !== undefined) edges.push(at.by.edge);
  }
  const found = edges.reverse().flatMap((edge) => graph.edges[edge] ?? []);
  const worst = Math.max(0, ...found.map(({ state }) => states.indexOf(state)));
  return { direction, terminal: graph.nodes[node]?.kind ?? "unknown", nodes: nodes.reverse(), relations: found.map(({ relation }) => relation), state: states[worst] ?? "unknown" };
}
