import {
  coverageOf,
  omission,
  type ApplicationComparisonItem,
  type ApplicationComparisonLimits,
  type ApplicationComparisonState,
  type ApplicationGraph,
  type ApplicationNode,
  type ApplicationNodeKind,
  type ApplicationVersionComparison,
  type Omission,
} from "@rea/core";
import { contentDigest, GraphSide } from "../graph-side.js";
import { changedFromGraph } from "./changed-from.js";
import { matchNodes, type MatchedPair, type UnmatchedNode } from "./match-nodes.js";
import { nodeChanges } from "./node-changes.js";

export interface VersionSide {
  readonly graph: ApplicationGraph;
  readonly graphSha256: string;
  readonly rootSha256: string | null;
  readonly evidenceId: string;
  /** Digests of what native tools looked at, by the ids of their records. */
  readonly native: readonly { readonly evidenceId: string; readonly sha256: string | null }[];
}

/** A comparison before a page is cut from it. */
export interface ComparedVersions {
  readonly comparison: Omit<ApplicationVersionComparison, "items" | "changed_from" | "cited_records">;
  readonly items: readonly ApplicationComparisonItem[];
  readonly omissions: readonly Omission[];
  readonly changedFrom: ReturnType<typeof changedFromGraph>;
  /** Whether all matches rest on digests, identities and source maps. */
  readonly isDerived: boolean;
}

const listedCandidates = 8;

/** Compares two versions of an application by their graphs. Pure; swapping the sides mirrors the result. */
export function compareVersions(given: { readonly left: VersionSide; readonly right: VersionSide }, limits: ApplicationComparisonLimits): ComparedVersions {
  const sides = { left: new GraphSide(given.left.graph), right: new GraphSide(given.right.graph) };
  const matching = matchNodes(sides.left, sides.right);
  const most = Math.min(listedCandidates, limits.max_candidate_nodes);
  const all = [
    ...matching.pairs.map((pair) => pairItem(pair, sides)),
    ...matching.left.map((one) => loneItem(one, { status: "removed", isComplete: sides.right.isComplete, most })),
    ...matching.right.map((one) => loneItem(one, { status: "added", isComplete: sides.left.isComplete, most })),
  ];
  const items = withNative(all, given).sort(byTelling);
  const kept = items.slice(0, limits.max_comparison_items);
  const omissions = omissionsOf({ sides, matching, total: items.length, limits });
  const summary = countsOf(items);
  const isPartial = !sides.left.isComplete || !sides.right.isComplete;
  const differs = summary.changed + summary.added + summary.removed > 0;
  const changedFrom = changedFromGraph(kept, {
    left: { side: sides.left, evidenceId: given.left.evidenceId, rootSha256: given.left.rootSha256 },
    right: { side: sides.right, evidenceId: given.right.evidenceId, rootSha256: given.right.rootSha256 },
  });
  return {
    comparison: {
      status: differs ? "changed" : summary.unknown > 0 || isPartial ? "unknown" : "unchanged",
      left: described(given.left),
      right: described(given.right),
      summary,
      by_kind: kindsOf(items),
      unmatched_native_observations: unmatchedNative(given),
      coverage: coverageOf(omissions),
      limitations: limitationsOf(items, isPartial),
    },
    items: kept,
    omissions,
    changedFrom,
    isDerived: matching.pairs.every(({ tier }) => tier.confidence === "high"),
  };
}

function described({ graph, graphSha256, rootSha256 }: VersionSide): ApplicationVersionComparison["left"] {
  return { graph_id: graph.graph_id, graph_sha256: graphSha256, root_artifact_sha256: rootSha256, nodes: graph.nodes.length, coverage: graph.coverage.state };
}

function pairItem({ left, right, tier }: MatchedPair, sides: { readonly left: GraphSide; readonly right: GraphSide }): ApplicationComparisonItem {
  const { changes, unknown } = nodeChanges(left, right, { ...sides, tier });
  const status = changes.length > 0 ? "changed" : unknown === null ? "unchanged" : "unknown";
  return { status, kind: left.kind, left: sideOf(left), right: sideOf(right), basis: tier.basis, confidence: tier.confidence, changes: [...changes], reason: unknown, candidates: null, native_evidence: [] };
}

function loneItem({ node, candidates }: UnmatchedNode, { status, isComplete, most }: { readonly status: "added" | "removed"; readonly isComplete: boolean; readonly most: number }): ApplicationComparisonItem {
  const own = status === "removed" ? { left: sideOf(node), right: null } : { left: null, right: sideOf(node) };
  const rest = { kind: node.kind, ...own, basis: null, changes: [], native_evidence: [] };
  if (candidates.length > 0) {
    const listed = { total: candidates.length, node_ids: candidates.slice(0, most).map(({ node_id }) => node_id) };
    return { ...rest, status: "unknown", confidence: "unknown", reason: "Several nodes may be its counterpart.", candidates: listed };
  }
  if (isComplete) return { ...rest, status, confidence: "high", reason: null, candidates: null };
  return { ...rest, status: "unknown", confidence: "unknown", reason: "The other side was not read whole, so that nothing can be said to be absent there.", candidates: null };
}

function sideOf(node: ApplicationNode): NonNullable<ApplicationComparisonItem["left"]> {
  return { node_id: node.node_id, name: node.name, sha256: contentDigest(node) ?? null };
}

/** Attaches native observations to what they are about, by digest. */
function withNative(items: readonly ApplicationComparisonItem[], { left, right }: { readonly left: VersionSide; readonly right: VersionSide }): ApplicationComparisonItem[] {
  if (left.native.length + right.native.length === 0) return [...items];
  const about = ({ native }: VersionSide, sha256: string | null | undefined): readonly string[] => (sha256 === null || sha256 === undefined ? [] : native.filter((one) => one.sha256 === sha256).map(({ evidenceId }) => evidenceId));
  return items.map((item) => ({ ...item, native_evidence: [...new Set([...about(left, item.left?.sha256), ...about(right, item.right?.sha256)])].sort() }));
}

function unmatchedNative({ left, right }: { readonly left: VersionSide; readonly right: VersionSide }): string[] {
  const lost = ({ graph, native }: VersionSide): readonly string[] => {
    if (native.length === 0) return [];
    const digests = new Set(graph.nodes.map(contentDigest));
    return native.filter(({ sha256 }) => sha256 === null || !digests.has(sha256)).map(({ evidenceId }) => evidenceId);
  };
  return [...new Set([...lost(left), ...lost(right)])].sort();
}

const ranks: { readonly [S in ApplicationComparisonState]: number } = { changed: 0, added: 1, removed: 1, unknown: 2, unchanged: 3 };
const kindRanks = ["artifact", "package", "browser-window", "electron-main", "electron-preload", "context-bridge-api", "ipc-handler", "ipc-channel", "endpoint", "native-addon", "javascript-asset", "javascript-module", "source-module"];

function kindRank(kind: ApplicationNodeKind): number {
  const at = kindRanks.indexOf(kind);
  return at < 0 ? kindRanks.length : at;
}

/** What differs first; the same order when the sides are swapped. */
function byTelling(a: ApplicationComparisonItem, b: ApplicationComparisonItem): number {
  const rank = ranks[a.status] - ranks[b.status];
  if (rank !== 0) return rank;
  const kind = kindRank(a.kind) - kindRank(b.kind);
  if (kind !== 0) return kind;
  const [mine, theirs] = [orderKey(a), orderKey(b)];
  return mine < theirs ? -1 : mine > theirs ? 1 : 0;
}

function orderKey({ kind, left, right }: ApplicationComparisonItem): string {
  const names = [left, right].flatMap((side) => (side === null ? [] : [`${side.name}\0${side.node_id}`])).sort();
  return [kind, ...names].join("\0");
}

function countsOf(items: readonly ApplicationComparisonItem[]): ApplicationVersionComparison["summary"] {
  const counts = { unchanged: 0, added: 0, removed: 0, changed: 0, unknown: 0 };
  for (const { status } of items) counts[status] += 1;
  return counts;
}

function kindsOf(items: readonly ApplicationComparisonItem[]): ApplicationVersionComparison["by_kind"] {
  const byKind = new Map<ApplicationNodeKind, ApplicationComparisonItem[]>();
  for (const item of items) {
    const list = byKind.get(item.kind) ?? [];
    byKind.set(item.kind, list);
    list.push(item);
  }
  return [...byKind].map(([kind, list]) => ({ kind, ...countsOf(list) })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

interface Shortfalls {
  readonly sides: { readonly left: GraphSide; readonly right: GraphSide };
  readonly matching: ReturnType<typeof matchNodes>;
  readonly total: number;
  readonly limits: ApplicationComparisonLimits;
}

function omissionsOf({ sides, matching, total, limits }: Shortfalls): readonly Omission[] {
  const found: Omission[] = [];
  for (const name of ["left", "right"] as const) {
    if (!sides[name].isComplete) found.push(omission(`The ${name} application was not read whole.`, "analysis_incomplete", { how_to_continue: "See the coverage of its analysis." }));
  }
  const crowded = [...matching.left, ...matching.right].filter(({ candidates }) => candidates.length > limits.max_candidate_nodes).length;
  if (crowded > 0) found.push(omission("Nodes with more possible counterparts than are looked at.", "limit_items", { count: crowded, limit: limits.max_candidate_nodes }));
  if (total > limits.max_comparison_items) {
    found.push(omission("Items beyond the bound; the summary counts them.", "limit_items", { count: total - limits.max_comparison_items, limit: limits.max_comparison_items, how_to_continue: "Raise limits.max_comparison_items." }));
  }
  return found;
}

function limitationsOf(items: readonly ApplicationComparisonItem[], isPartial: boolean): string[] {
  const isGuessed = items.some(({ confidence }) => confidence === "medium");
  return [
    "Two nodes are taken for one thing only when a key of each tier belongs to one node of either side.",
    ...(isGuessed ? ["Matches by structure or by what something is for are conclusions; other code may look the same."] : []),
    ...(isPartial ? ["A side was not read whole: what is missing there is unknown, not absent."] : []),
    "Code that is put together at run time is not compared.",
  ];
}
