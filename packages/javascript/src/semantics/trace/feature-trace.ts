import {
  canonicalSha256,
  coverageOf,
  omission,
  pageOf,
  type ApplicationGraph,
  type ApplicationNode,
  type ApplicationNodeKind,
  type ArtifactReference,

  type FeatureTrace,
  type FeatureTraceLimits,
  type Omission,
  type SemanticRows,
  type SourceLocation,
  type TracedApplicationEdge,
  type TracedApplicationNode,
  type TraceSeed,
} from "@rea/core";
import { featureSeeds } from "./feature-seeds.js";
import { featurePaths } from "./feature-paths.js";
import { GraphWalker, type Walk } from "./graph-walk.js";
import { shortName } from "./seed-match.js";

export interface FeatureTracing {
  readonly graph: ApplicationGraph;
  readonly graphSha256: string;
  readonly semantics: SemanticRows | null;
  readonly seed: TraceSeed;
  readonly direction: FeatureTrace["direction"];
  readonly limits: FeatureTraceLimits;
  /** What engines said about native files, by the file's digest. */
  readonly native: readonly { readonly evidenceId: string; readonly sha256: string | null }[];
  readonly offset: number;
  readonly limit: number;
}

const shownFrontier = 20;

/** Follows a feature through an application: from what a seed names to what it leads to and what leads to it. */
export function traceFeature(tracing: FeatureTracing): Omit<FeatureTrace, "cited_records"> {
  const { graph, seed, direction, limits, semantics } = tracing;
  const all = featureSeeds(graph, semantics, seed);
  const seeds = all.slice(0, limits.max_seed_matches);
  const walks = walksOf(tracing, seeds.map(({ node }) => node));
  const positions = new Map<number, number>();
  for (const walk of walks) for (const node of walk.reached.keys()) if (!positions.has(node)) positions.set(node, positions.size);
  const edges = [...new Set(walks.flatMap((walk) => [...walk.edges]))].sort((a, b) => a - b);
  const paths = featurePaths(graph, walks, { positions, most: limits.max_paths });
  const frontier = walks.flatMap((walk) => [...walk.frontier].map(([node, left]) => ({ n: positions.get(node) ?? 0, ...left })));
  const omissions = omissionsOf(tracing, { walks, seeds: all.length, paths: paths.total });
  const paging = { offset: tracing.offset, limit: tracing.limit };
  const native = nativeHandovers(tracing, positions);
  return {
    schema_version: 1,
    graph_id: graph.graph_id,
    graph_sha256: tracing.graphSha256,
    seed: { kind: seed.kind, value: seed.value },
    direction,
    seeds: {
      items: seeds.slice(0, 25).map(({ node, matched, text, at }) => ({ n: positions.get(node) ?? 0, matched, text: shortName(text), at: at ?? placeOf(graph.nodes[node]) })),
      total: all.length,
      truncated: all.length > Math.min(25, seeds.length),
    },
    subgraph_sha256: canonicalSha256({ nodes: [...positions.keys()].map((node) => graph.nodes[node]?.node_id ?? ""), edges: edges.map((edge) => graph.edges[edge]?.edge_id ?? "") }),
    nodes: pageOf([...positions], paging, ([node, n]) => tracedNode(graph, node, { n, walks }), omissions),
    edges: pageOf(edges, paging, (edge) => tracedEdge(graph, edge, positions), omissions),
    paths: pageOf(paths.found, paging, same, omissions),
    frontier: { items: frontier.slice(0, shownFrontier), total: frontier.length },
    authorities: authoritiesOf(graph, edges),
    ...native,
    coverage: coverageOf(omissions),
    limitations: limitationsOf(tracing, all.length),
  };
}

function walksOf({ graph, direction, limits }: FeatureTracing, seeds: readonly number[]): readonly Walk[] {
  const walker = new GraphWalker(graph);
  if (direction !== "both") return [walker.walk(seeds, direction, limits)];
  // Neither side may use up what the other needs.
  const half = { ...limits, max_nodes: Math.ceil(limits.max_nodes / 2), max_edges: Math.ceil(limits.max_edges / 2) };
  return [walker.walk(seeds, "outgoing", half), walker.walk(seeds, "incoming", half)];
}

function same<T>(item: T): T {
  return item;
}

function tracedNode(graph: ApplicationGraph, index: number, { n, walks }: { readonly n: number; readonly walks: readonly Walk[] }): TracedApplicationNode {
  const node = graph.nodes[index];
  const depth = Math.min(...walks.flatMap((walk) => walk.reached.get(index)?.depth ?? []));
  return { n, node_id: node?.node_id ?? "", kind: node?.kind ?? "unknown", name: shortName(node?.name ?? ""), depth, at: placeOf(node) };
}

function tracedEdge(graph: ApplicationGraph, index: number, positions: ReadonlyMap<number, number>): TracedApplicationEdge {
  const edge = graph.edges[index];
  if (edge === undefined) throw new RangeError("An edge of the walk is one of the graph.");
  const at = (id: string): number => positions.get(nodeIndex(graph, id)) ?? 0;
  const { relation, from, to, authority, state, confidence, artifact, location } = edge;
  return { relation, from: at(from), to: at(to), authority, state, confidence, at: place(artifact, location) };
}

const indexes = new WeakMap<ApplicationGraph, ReadonlyMap<string, number>>();

function nodeIndex(graph: ApplicationGraph, id: string): number {
  const known = indexes.get(graph) ?? new Map(graph.nodes.map(({ node_id }, index) => [node_id, index]));
  indexes.set(graph, known);
  return known.get(id) ?? -1;
}

function placeOf(node: ApplicationNode | undefined): TracedApplicationNode["at"] {
  const [first] = node?.observations ?? [];
  return first === undefined ? null : place(first.artifact, first.location);
}

function place(artifact: ArtifactReference, location: SourceLocation): TracedApplicationNode["at"] {
  return artifact.state === "available" && location.state === "available" ? { path: artifact.path, line: location.line, column: location.column } : null;
}

function authoritiesOf(graph: ApplicationGraph, edges: readonly number[]): FeatureTrace["authorities"] {
  const counts = new Map<string, FeatureTrace["authorities"][number]>();
  for (const index of edges) {
    const edge = graph.edges[index];
    if (edge === undefined) continue;
    const { authority, state, confidence } = edge;
    const key = `${authority} ${state} ${confidence}`;
    counts.set(key, { authority, state, confidence, edges: (counts.get(key)?.edges ?? 0) + 1 });
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const native: ReadonlySet<ApplicationNodeKind> = new Set(["native-addon", "native-export", "managed-assembly"]);
const shownHandovers = 50;

function nativeHandovers({ graph, native: given }: FeatureTracing, positions: ReadonlyMap<number, number>): Pick<FeatureTrace, "native_handovers" | "unmatched_native_observations"> {
  const used = new Set<string>();
  const handovers = [...positions].flatMap(([index, n]): FeatureTrace["native_handovers"] => {
    const node = graph.nodes[index];
    if (node === undefined || !native.has(node.kind)) return [];
    const digest = node.properties["sha256"];
    const sha256 = typeof digest === "string" ? digest : null;
    const evidence = given.filter((one) => sha256 !== null && one.sha256 === sha256).map(({ evidenceId }) => evidenceId);
    for (const id of evidence) used.add(id);
    const isSeen = evidence.length > 0;
    return [{ n, path: shortName(node.name), sha256, state: isSeen ? "observed" : "requires_provider_analysis", evidence, next: isSeen ? null : "Take the file out with extract_artifact, open_binary it, and give what binary_overview or analyze_function records as native_observations." }];
  });
  return { native_handovers: handovers.slice(0, shownHandovers), unmatched_native_observations: given.flatMap(({ evidenceId }) => (used.has(evidenceId) ? [] : [evidenceId])) };
}

interface Cut {
  readonly walks: readonly Walk[];
  readonly seeds: number;
  readonly paths: number;
}

function omissionsOf({ graph, semantics, limits }: FeatureTracing, { walks, seeds, paths }: Cut): readonly Omission[] {
  const reasons = walks.flatMap(({ frontier }) => [...frontier.values()].map(({ reason }) => reason));
  const own: Omission[] = [];
  const deeper = reasons.filter((reason) => reason === "max_depth").length;
  const wider = reasons.length - deeper;
  if (seeds > limits.max_seed_matches) own.push(omission("Nodes that the seed names too.", "limit_items", { count: seeds - limits.max_seed_matches, limit: limits.max_seed_matches, how_to_continue: "Name the seed more exactly, or raise max_seed_matches." }));
  if (deeper > 0) own.push(omission("What lies further from the seed.", "limit_depth", { count: deeper, limit: limits.max_depth, how_to_continue: "Raise max_depth, or begin at a node of the frontier." }));
  if (wider > 0) own.push(omission("Nodes and edges beyond the bounds.", "limit_items", { count: wider, how_to_continue: "Raise max_nodes or max_edges, or begin at a node of the frontier." }));
  if (paths > limits.max_paths) own.push(omission("Further paths to ends.", "limit_items", { count: paths - limits.max_paths, limit: limits.max_paths, how_to_continue: "Raise max_paths." }));
  return [...own, ...graph.coverage.omissions, ...(semantics?.graph.coverage.omissions ?? [])];
}

function limitationsOf({ graph, seed, semantics }: FeatureTracing, seeds: number): string[] {
  const own = ["A path shows that code is tied together, not that it runs."];
  if (seeds === 0) own.push("Nothing in the graph has the name of the seed; match contains finds parts of names.");
  if (semantics === null && (seed.kind === "string" || seed.kind === "api" || seed.kind === "route")) own.push("The analysis has no semantic graph, so that code was not searched for the seed.");
  return [...new Set([...own, ...graph.limitations])];
}

