import type { Node } from "./node.js";

export function someList(node: Node, test: (nodes: readonly Node[]) => boolean): boolean {
  if (node.kind === "if") return test(node.then) || test(node.otherwise);
  if (node.kind === "switch") return node.cases.some(({ body }) => test(body));
  return "body" in node && test(node.body);
}

/** True when control never runs out of the end. */
export function leaves(nodes: readonly Node[]): boolean {
  const last = nodes.at(-1);
  if (last === undefined) return false;
  switch (last.kind) {
    case "return":
    case "stop":
    case "goto":
    case "break":
    case "continue":
      return true;
    case "if":
      return leaves(last.then) && leaves(last.otherwise);
    case "loop":
      return !breaks(last.body);
    default:
      return false;
  }
}

/** `do { … } while (0)`. */
function isBlock(node: Node): boolean {
  return node.kind === "do" && node.condition.kind === "const" && node.condition.value === 0n;
}

/** Whether control may come to what follows a statement that has lists in it. */
export function mayEnd(node: Node): boolean {
  if (node.kind === "loop") return breaks(node.body);
  if (isBlock(node) && "body" in node) return breaks(node.body) || !leaves(node.body);
  return true;
}

/** Whether there is a `break` of what the list is the body of. */
export function breaks(nodes: readonly Node[]): boolean {
  return nodes.some((node) => node.kind === "break" || (node.kind === "if" && (breaks(node.then) || breaks(node.otherwise))));
}

/** Whether there is a `break` or `continue` that belongs to what is around; those of a `switch` or loop inside do not. */
export function leavesOuter(nodes: readonly Node[], inSwitch = false): boolean {
  return nodes.some((node) => {
    if (node.kind === "break") return !inSwitch;
    if (node.kind === "continue") return true;
    if (node.kind === "if") return leavesOuter(node.then, inSwitch) || leavesOuter(node.otherwise, inSwitch);
    return node.kind === "switch" && node.cases.some(({ body }) => leavesOuter(body, true));
  });
}
