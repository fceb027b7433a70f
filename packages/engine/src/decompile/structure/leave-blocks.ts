import { constant } from "../../ir/expression.js";
import type { Node } from "./node.js";
import { mapLists } from "./short-tails.js";

/**
 * Jumps forward over a part of the same list become ways out of that part: `do { …; break; … } while (0);`. Not inside a
 * loop or `switch`, where `break` means another thing, and not around a `break` or `continue` of what is around.
 */
export function leaveBlocks(nodes: readonly Node[]): readonly Node[] {
  let made: readonly Node[] = nodes.map((node) => mapLists(node, leaveBlocks));
  // From the back: what is jumped to last may hold what is jumped to before.
  for (let index = made.length - 1; index > 0; index -= 1) {
    const node = made[index];
    if (node?.kind === "label") made = around(made, index, node.label);
  }
  return made;
}

/** The list with what lies between the first jump to the label and the label in a block, where that can be. */
function around(nodes: readonly Node[], labelAt: number, label: number): readonly Node[] {
  // As many of the jumps as have nothing behind them that belongs to what is around.
  const last = nodes.slice(0, labelAt).findLastIndex((node) => leavesOuter([node]));
  const from = nodes.findIndex((node, index) => index > last && index < labelAt && canLeave([node], label));
  if (from < 0) return nodes;
  const inside = nodes.slice(from, labelAt);
  const block: Node = { kind: "do", at: -1, condition: constant(1, 0), body: withBreaks(inside, label) };
  return [...nodes.slice(0, from), block, ...nodes.slice(labelAt)];
}

/** Whether a jump to the label stands where `break` would leave a block around it. */
function canLeave(nodes: readonly Node[], label: number): boolean {
  return nodes.some((node) => (node.kind === "goto" && node.label === label) || (node.kind === "if" && (canLeave(node.then, label) || canLeave(node.otherwise, label))));
}

/** Whether there is a `break` or `continue` that belongs to what is around; those of a `switch` or loop inside do not. */
function leavesOuter(nodes: readonly Node[], inSwitch = false): boolean {
  return nodes.some((node) => {
    if (node.kind === "break") return !inSwitch;
    if (node.kind === "continue") return true;
    if (node.kind === "if") return leavesOuter(node.then, inSwitch) || leavesOuter(node.otherwise, inSwitch);
    return node.kind === "switch" && node.cases.some(({ body }) => leavesOuter(body, true));
  });
}

function withBreaks(nodes: readonly Node[], label: number): readonly Node[] {
  return nodes.map((node): Node => {
    if (node.kind === "goto" && node.label === label) return { kind: "break" };
    return node.kind === "if" ? { ...node, then: withBreaks(node.then, label), otherwise: withBreaks(node.otherwise, label) } : node;
  });
}
