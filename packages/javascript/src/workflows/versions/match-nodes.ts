import type { ApplicationNode } from "@rea/core";
import type { GraphSide } from "../graph-side.js";
import { matchTiers, type MatchTier } from "./match-keys.js";

export interface MatchedPair {
  readonly left: ApplicationNode;
  readonly right: ApplicationNode;
  readonly tier: MatchTier;
}

export interface Matching {
  readonly pairs: readonly MatchedPair[];
  readonly left: readonly UnmatchedNode[];
  readonly right: readonly UnmatchedNode[];
}

export interface UnmatchedNode {
  readonly node: ApplicationNode;
  /** Nodes of the other side with the same key that are as well without a counterpart. */
  readonly candidates: readonly ApplicationNode[];
}

interface Group {
  readonly left: ApplicationNode[];
  readonly right: ApplicationNode[];
}

/**
 * Which node of one graph is which of the other. In every tier only a key that one node of each side has decides; of several
 * with equal content the one of the same identity is taken. The sides may be swapped.
 */
export function matchNodes(left: GraphSide, right: GraphSide): Matching {
  const open = { left: new Set(left.graph.nodes), right: new Set(right.graph.nodes) };
  const pairs: MatchedPair[] = [];
  const contested = new Map<ApplicationNode, Group>();
  for (const tier of matchTiers) {
    for (const group of groupsOf(tier, { left, right, open }).values()) {
      for (const [one, other] of decided(group)) {
        pairs.push({ left: one, right: other, tier });
        open.left.delete(one);
        open.right.delete(other);
      }
      const isContested = group.left.some((one) => open.left.has(one)) && group.right.some((one) => open.right.has(one));
      const first = isContested ? [...group.left, ...group.right].filter((one) => !contested.has(one)) : [];
      first.forEach((one) => contested.set(one, group));
    }
  }
  const rest = restOfGroups(contested, open);
  const candidates = (node: ApplicationNode, side: "left" | "right"): readonly ApplicationNode[] => {
    const group = contested.get(node);
    return (group === undefined ? undefined : rest.get(group)?.[side]) ?? [];
  };
  return {
    pairs,
    left: [...open.left].map((node) => ({ node, candidates: candidates(node, "right") })),
    right: [...open.right].map((node) => ({ node, candidates: candidates(node, "left") })),
  };
}

/** What is left without a counterpart in each group; one list for all of its nodes, as groups may be large. */
function restOfGroups(contested: ReadonlyMap<ApplicationNode, Group>, open: Sides["open"]): ReadonlyMap<Group, Group> {
  const rest = new Map<Group, Group>();
  for (const group of contested.values()) {
    if (!rest.has(group)) rest.set(group, { left: group.left.filter((one) => open.left.has(one)), right: group.right.filter((one) => open.right.has(one)) });
  }
  return rest;
}

interface Sides {
  readonly left: GraphSide;
  readonly right: GraphSide;
  readonly open: { readonly left: ReadonlySet<ApplicationNode>; readonly right: ReadonlySet<ApplicationNode> };
}

function groupsOf({ keyOf }: MatchTier, { left, right, open }: Sides): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const [side, name] of [[left, "left"], [right, "right"]] as const) {
    for (const node of open[name]) {
      const key = keyOf(node, side);
      if (key === undefined) continue;
      const own = `${node.kind} ${key}`;
      const group = groups.get(own) ?? { left: [], right: [] };
      groups.set(own, group);
      group[name].push(node);
    }
  }
  return groups;
}

function* decided({ left, right }: Group): Generator<readonly [ApplicationNode, ApplicationNode]> {
  if (left.length === 0 || right.length === 0) return;
  const byId = new Map(right.map((node) => [node.node_id, node]));
  const [restLeft, restRight] = [new Set(left), new Set(right)];
  for (const one of left) {
    const same = byId.get(one.node_id);
    if (same === undefined) continue;
    restLeft.delete(one);
    restRight.delete(same);
    yield [one, same];
  }
  const [one, ...more] = restLeft;
  const [other, ...others] = restRight;
  if (one !== undefined && other !== undefined && more.length === 0 && others.length === 0) yield [one, other];
}
