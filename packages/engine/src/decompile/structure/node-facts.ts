import type { Node } from "./node.js";

/** What is inside a statement, at any depth. */
interface NodeFacts {
  /** How many jumps there are to each label. */
  readonly jumps: ReadonlyMap<number, number>;
  readonly labels: readonly number[];
  /** About how many lines it is. */
  readonly weight: number;
}

const none: ReadonlyMap<number, number> = new Map();
/** Statements do not change once they are made. */
const known = new WeakMap<Node, NodeFacts>();

export function factsOf(node: Node): NodeFacts {
  let facts = known.get(node);
  if (facts === undefined) known.set(node, (facts = found(node)));
  return facts;
}

export function jumpsTo(node: Node, label: number): boolean {
  return factsOf(node).jumps.has(label);
}

/** About how many lines they are. */
export function weight(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + factsOf(node).weight, 0);
}

/** How many jumps there are to each label. */
export function countJumps(nodes: readonly Node[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const node of nodes) addJumps(factsOf(node).jumps, counts);
  return counts;
}

/** Whether every jump to a label inside is inside too; `all` are the jumps of the whole function. */
export function isClosed(nodes: readonly Node[], all: ReadonlyMap<number, number>): boolean {
  const labels = nodes.flatMap((node) => factsOf(node).labels);
  if (labels.length === 0) return true;
  const inside = countJumps(nodes);
  return labels.every((label) => (inside.get(label) ?? 0) === (all.get(label) ?? 0));
}

function found(node: Node): NodeFacts {
  switch (node.kind) {
    case "goto":
      return { jumps: new Map([[node.label, 1]]), labels: [], weight: 1 };
    case "label":
      return { jumps: none, labels: [node.label], weight: 0 };
    case "lines":
      return { jumps: none, labels: [], weight: node.lines.length };
    case "if":
      return inLists([node.then, node.otherwise]);
    case "switch":
      return inLists(node.cases.map(({ body }) => body));
    default:
      return "body" in node ? inLists([node.body]) : { jumps: none, labels: [], weight: 1 };
  }
}

function inLists(lists: readonly (readonly Node[])[]): NodeFacts {
  const jumps = new Map<number, number>();
  const labels: number[] = [];
  let sum = 2;
  for (const list of lists) {
    for (const node of list) {
      const facts = factsOf(node);
      addJumps(facts.jumps, jumps);
      labels.push(...facts.labels);
      sum += facts.weight;
    }
  }
  return { jumps: jumps.size === 0 ? none : jumps, labels, weight: sum };
}

function addJumps(jumps: ReadonlyMap<number, number>, counts: Map<number, number>): void {
  for (const [label, count] of jumps) counts.set(label, (counts.get(label) ?? 0) + count);
}
