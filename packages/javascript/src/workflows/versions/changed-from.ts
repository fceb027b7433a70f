import {
  applicationEdgeIdOf,
  applicationNodeIdOf,
  coverageOf,
  sealApplicationGraph,
  type ApplicationComparisonItem,
  type ApplicationEdge,
  type ApplicationNode,
  type ApplicationObservation,
} from "@rea/core";
import type { GraphSide } from "../graph-side.js";

export interface ComparedSide {
  readonly side: GraphSide;
  readonly evidenceId: string;
  readonly rootSha256: string | null;
}

/** A graph of what changed into what; undefined when nothing did. */
export function changedFromGraph(items: readonly ApplicationComparisonItem[], { left, right }: { readonly left: ComparedSide; readonly right: ComparedSide }) {
  const nodes = new Map<string, ApplicationNode>();
  const edges: ApplicationEdge[] = [];
  const roots: string[] = [];
  for (const item of items) {
    if (item.status !== "changed" || item.left === null || item.right === null || item.basis === null) continue;
    const [before, after] = [own(left, item.left.node_id), own(right, item.right.node_id)];
    if (before === undefined || after === undefined || before.node_id === after.node_id) continue;
    nodes.set(before.node_id, before);
    nodes.set(after.node_id, after);
    for (const [one, node, given] of [[left, before, item.left], [right, after, item.right]] as const) if (one.side.isRoot(given.node_id)) roots.push(node.node_id);
    const ends = { relation: "changed_from" as const, from: after.node_id, to: before.node_id };
    edges.push({
      ...ends,
      edge_id: applicationEdgeIdOf(ends),
      properties: { basis: item.basis, changes: item.changes },
      authority: "cross-version-comparison",
      state: "inferred",
      confidence: item.confidence === "high" ? "high" : "medium",
      artifact: after.observations[0]?.artifact ?? { state: "unavailable", reason: "Nothing shows where it stands." },
      location: { state: "unavailable", reason: "It is a relation between two versions." },
      extractor: "version-comparison",
      coverage: "complete",
      limitations: [`Matched by ${item.basis.replaceAll("-", " ")}.`],
      evidence_links: [left.evidenceId, right.evidenceId].sort(),
    });
  }
  if (edges.length === 0) return undefined;
  return sealApplicationGraph({
    root_node_ids: [...new Set(roots)].sort().slice(0, 1000),
    nodes: [...nodes.values()],
    edges,
    coverage: coverageOf([]),
    limitations: ["Nodes of two versions side by side; only what changed is in it."],
  });
}

/** The node as one of its version: equal identities of two versions are two nodes here. */
function own({ side, rootSha256 }: ComparedSide, nodeId: string): ApplicationNode | undefined {
  const node = side.node(nodeId);
  if (node === undefined) return undefined;
  const identity = { strategy: "artifact-local-key" as const, value: `${rootSha256 ?? side.graph.graph_id}#${nodeId}` };
  const observations: ApplicationObservation[] = node.observations.slice(0, 1);
  return { node_id: applicationNodeIdOf(node.kind, identity), kind: node.kind, identity, name: node.name, properties: { node_id: nodeId }, observations };
}
