import type { Node } from "./node.js";

const longest = 5;
/** Lines that copies of one tail may add. */
const mostAdded = 30;

/** Replaces jumps to a short end, which only returns or jumps on, by that end; then leaves out what nothing reaches. */
export function inlineShortTails(nodes: readonly Node[]): readonly Node[] {
  let made = nodes;
  for (let round = 0; round < 3; round += 1) {
    const tails = new Map<number, readonly Node[]>();
    collectTails(made, tails);
    const counts = countJumps(made);
    for (const [label, tail] of tails) if ((counts.get(label) ?? 0) * weightOf(tail) > mostAdded) tails.delete(label);
    if (tails.size === 0) return made;
    made = withoutUnreached(replace(made, tails), new Set(countJumps(replace(made, tails)).keys()));
  }
  return made;
}

function collectTails(nodes: readonly Node[], tails: Map<number, readonly Node[]>): void {
  for (const [index, node] of nodes.entries()) {
    if (node.kind === "label") {
      const tail = tailFrom(nodes, index + 1);
      if (tail !== undefined) tails.set(node.label, tail);
    }
    forEachList(node, (list) => { collectTails(list, tails); });
  }
}

/** What follows up to where control leaves; undefined when that is long, branches, or depends on where it stands. */
function tailFrom(nodes: readonly Node[], start: number): readonly Node[] | undefined {
  const tail: Node[] = [];
  let weight = 0;
  for (const node of nodes.slice(start)) {
    if (node.kind === "label") continue;
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

function countJumps(nodes: readonly Node[], counts = new Map<number, number>()): Map<number, number> {
  for (const node of nodes) {
    if (node.kind === "goto") counts.set(node.label, (counts.get(node.label) ?? 0) + 1);
    forEachList(node, (list) => { countJumps(list, counts); });
  }
  return counts;
}

function replace(nodes: readonly Node[], tails: ReadonlyMap<number, readonly Node[]>): Node[] {
  return nodes.flatMap((node) => {
    if (node.kind === "goto") return tails.get(node.label) ?? [node];
    return [mapLists(node, (list) => replace(list, tails))];
  });
}

/** Statements behind one that leaves, up to a label that is jumped to. */
function withoutUnreached(nodes: readonly Node[], used: ReadonlySet<number>): Node[] {
  const kept: Node[] = [];
  let reached = true;
  for (const node of nodes) {
    if (node.kind === "label" && used.has(node.label)) reached = true;
    if (!reached && !holdsLabel(node, used)) continue;
    reached = true;
    kept.push(mapLists(node, (list) => withoutUnreached(list, used)));
    if (node.kind === "return" || node.kind === "stop" || node.kind === "goto" || node.kind === "break" || node.kind === "continue") reached = false;
  }
  return kept;
}

function holdsLabel(node: Node, used: ReadonlySet<number>): boolean {
  if (node.kind === "label") return used.has(node.label);
  let found = false;
  forEachList(node, (list) => { found ||= list.some((each) => holdsLabel(each, used)); });
  return found;
}

function forEachList(node: Node, visit: (nodes: readonly Node[]) => void): void {
  if (node.kind === "if") {
    visit(node.then);
    visit(node.otherwise);
  } else if (node.kind === "switch") for (const { body } of node.cases) visit(body);
  else if ("body" in node) visit(node.body);
}

export function mapLists(node: Node, map: (nodes: readonly Node[]) => readonly Node[]): Node {
  if (node.kind === "if") return { ...node, then: map(node.then), otherwise: map(node.otherwise) };
  if (node.kind === "switch") return { ...node, cases: node.cases.map((each) => ({ ...each, body: map(each.body) })) };
  return "body" in node ? { ...node, body: map(node.body) } : node;
}
