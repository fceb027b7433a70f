import { countJumps, factsOf } from "./node-facts.js";
import type { Node } from "./node.js";
import { leaves } from "./ways-out.js";

const longest = 5;
/** Lines that copies of one tail may add. */
const mostAdded = 30;

/** Replaces jumps to a short end, which only returns or jumps on, by that end; then leaves out what nothing reaches. */
export function inlineShortTails(nodes: readonly Node[]): readonly Node[] {
  let made = nodes;
  for (let round = 0; round < 3; round += 1) {
    const counts = countJumps(made);
    if (counts.size === 0) return made;
    const tails = new Map<number, readonly Node[]>();
    collectTails(made, tails, counts);
    for (const [label, tail] of tails) if ((counts.get(label) ?? 0) * weightOf(tail) > mostAdded) tails.delete(label);
    if (tails.size === 0) return made;
    const replaced = replace(made, tails);
    made = withoutUnreached(replaced, countJumps(replaced));
  }
  return made;
}

/** Short ends behind labels that are jumped to. */
function collectTails(nodes: readonly Node[], tails: Map<number, readonly Node[]>, counts: ReadonlyMap<number, number>): void {
  for (const [index, node] of nodes.entries()) {
    if (node.kind === "label" && counts.has(node.label)) {
      const tail = tailFrom(nodes, index + 1);
      if (tail !== undefined) tails.set(node.label, tail);
    }
    forEachList(node, (list) => { collectTails(list, tails, counts); });
  }
}

/** What follows up to where control leaves; undefined when that is long, branches, or depends on where it stands. */
function tailFrom(nodes: readonly Node[], start: number): readonly Node[] | undefined {
  const tail: Node[] = [];
  let weight = 0;
  for (let index = start; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node === undefined || node.kind === "label") continue;
    if (node.kind === "return" || node.kind === "stop" || node.kind === "goto") return [...tail, node];
    if (node.kind !== "lines") return undefined;
    weight += node.lines.length;
    if (weight > longest) return undefined;
    tail.push(node);
  }
  return undefined;
}

function weightOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + (node.kind === "lines" ? node.lines.length : 1), 0);
}

/** The list itself where nothing in it is replaced. */
function replace(nodes: readonly Node[], tails: ReadonlyMap<number, readonly Node[]>): readonly Node[] {
  let made: Node[] | undefined;
  for (const [index, node] of nodes.entries()) {
    const tail = node.kind === "goto" ? tails.get(node.label) : undefined;
    const mapped = tail === undefined ? mapLists(node, (list) => replace(list, tails)) : undefined;
    if (made === undefined && mapped === node) continue;
    made ??= nodes.slice(0, index);
    if (tail !== undefined) made.push(...tail);
    else if (mapped !== undefined) made.push(mapped);
  }
  return made ?? nodes;
}

/** Statements behind one that leaves, up to a label that is jumped to. */
export function withoutUnreached(nodes: readonly Node[], used: ReadonlyMap<number, number>): readonly Node[] {
  const kept: Node[] = [];
  let reached = true;
  for (const node of nodes) {
    if (node.kind === "label" && used.has(node.label)) reached = true;
    if (!reached && !holdsLabel(node, used)) continue;
    reached = true;
    kept.push(mapLists(node, (list) => withoutUnreached(list, used)));
    if (leaves([node])) reached = false;
  }
  return kept.length === nodes.length && kept.every((node, index) => node === nodes[index]) ? nodes : kept;
}

function holdsLabel(node: Node, used: ReadonlyMap<number, number>): boolean {
  return factsOf(node).labels.some((label) => used.has(label));
}

function forEachList(node: Node, visit: (nodes: readonly Node[]) => void): void {
  if (node.kind === "if") {
    visit(node.then);
    visit(node.otherwise);
  } else if (node.kind === "switch") for (const { body } of node.cases) visit(body);
  else if ("body" in node) visit(node.body);
}

/** The node with other lists in it; itself where they are the same. */
export function mapLists(node: Node, map: (nodes: readonly Node[]) => readonly Node[]): Node {
  if (node.kind === "if") {
    const [then, otherwise] = [map(node.then), map(node.otherwise)];
    return then === node.then && otherwise === node.otherwise ? node : { ...node, then, otherwise };
  }
  if (node.kind === "switch") {
    const cases = node.cases.map((each) => {
      const body = map(each.body);
      return body === each.body ? each : { ...each, body };
    });
    return cases.every((each, index) => each === node.cases[index]) ? node : { ...node, cases };
  }
  if (!("body" in node)) return node;
  const body = map(node.body);
  return body === node.body ? node : { ...node, body };
}
