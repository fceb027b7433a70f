import { factsOf } from "./node-facts.js";
import type { Node } from "./node.js";

/** Labels of the places where control comes to. */
type Places = ReadonlySet<number>;

interface Around {
  /** Where control goes behind the list. */
  readonly next: Places;
  readonly breakTo: Places;
  readonly continueTo: Places;
}

const nowhere: Places = new Set();

/** Jumps to where control goes anyway are left out; those to where `break` or `continue` lead become that. */
export function withoutNeedlessJumps(nodes: readonly Node[], around: Around = { next: nowhere, breakTo: nowhere, continueTo: nowhere }): readonly Node[] {
  const made: Node[] = [];
  let next = around.next;
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const node = nodes[index];
    if (node === undefined || (node.kind === "goto" && next.has(node.label))) continue;
    const kept = factsOf(node).jumps.size === 0 ? node : replaced(node, { ...around, next }, labelsBefore(nodes, index));
    made.push(kept);
    next = placesAt(kept, { ...around, next });
  }
  return made.reverse();
}

/** Labels of the place before the node. */
function placesAt(node: Node, { next, breakTo, continueTo }: Around): Places {
  if (node.kind === "label") return new Set([...next, node.label]);
  if (node.kind === "break") return breakTo;
  if (node.kind === "continue") return continueTo;
  return node.kind === "goto" ? new Set([node.label]) : nowhere;
}

function replaced(node: Node, around: Around, before: Places): Node {
  const { next, breakTo, continueTo } = around;
  switch (node.kind) {
    case "goto":
      return breakTo.has(node.label) ? { kind: "break" } : continueTo.has(node.label) ? { kind: "continue" } : node;
    case "if":
      return { ...node, then: withoutNeedlessJumps(node.then, around), otherwise: withoutNeedlessJumps(node.otherwise, around) };
    case "loop":
    case "while": {
      const again = new Set([...before, ...labelsBefore(node.body, node.body.length)]);
      return { ...node, body: withoutNeedlessJumps(node.body, { next: again, breakTo: next, continueTo: again }) };
    }
    case "do": {
      const isBlock = node.condition.kind === "const" && node.condition.value === 0n;
      const end = labelsBefore(node.body, node.body.length);
      const inside = isBlock ? { next, breakTo: new Set([...next, ...end]), continueTo: nowhere } : { next: nowhere, breakTo: next, continueTo: end };
      return { ...node, body: withoutNeedlessJumps(node.body, inside) };
    }
    case "for":
      return { ...node, body: withoutNeedlessJumps(node.body, { next: nowhere, breakTo: next, continueTo: labelsBefore(node.body, node.body.length) }) };
    case "switch":
      return switchReplaced(node, around);
    default:
      return node;
  }
}

function switchReplaced(node: Extract<Node, { kind: "switch" }>, { next, continueTo }: Around): Node {
  let following = next;
  const cases = [...node.cases].reverse().map((each) => {
    const body = withoutNeedlessJumps(each.body, { next: following, breakTo: next, continueTo });
    following = placesFrom(body, following);
    return { ...each, body };
  });
  return { ...node, cases: cases.reverse() };
}

/** Labels that a list begins with; those of `following` too where it has nothing else. */
function placesFrom(nodes: readonly Node[], following: Places): Places {
  const places = new Set<number>();
  for (const node of nodes) {
    if (node.kind !== "label") return places;
    places.add(node.label);
  }
  return new Set([...places, ...following]);
}

/** Labels that stand directly before the position in a list. */
function labelsBefore(nodes: readonly Node[], position: number): Places {
  const places = new Set<number>();
  for (let index = position - 1; index >= 0; index -= 1) {
    const node = nodes[index];
    if (node?.kind !== "label") break;
    places.add(node.label);
  }
  return places;
}
