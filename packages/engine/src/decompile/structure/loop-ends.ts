import { not1 } from "../../ir/simplify.js";
import type { Node } from "./node.js";
import type { Skipping } from "./skipped.js";
import { jumpsTo } from "./node-facts.js";
import { breaks, leavesOuter } from "./ways-out.js";
import { mapLists } from "./short-tails.js";
import { hasContinue } from "./tidy.js";

/**
 * What follows a loop that is left normally in one place, and else by jumps to behind what follows: it stands where the
 * loop is left, and the jumps are `break`. Undefined where that cannot be said.
 */
export function atLoopEnd([loop, ...rest]: readonly Node[], { label, isClosed }: Skipping): readonly Node[] | undefined {
  if (loop === undefined || rest.length === 0 || leavesOuter(rest) || !isClosed(rest) || rest.some((node) => jumpsTo(node, label))) return undefined;
  const body = endless(loop);
  if (body === undefined || countBreaks(body) !== 1 || !isDirect(body, label)) return undefined;
  return [{ kind: "loop", body: replaced(body, rest, label) }];
}

/** The body of the same loop without a condition. */
function endless(loop: Node): readonly Node[] | undefined {
  if (loop.kind === "loop") return loop.body;
  if (loop.kind === "while") return [leaving(loop), ...loop.body];
  if (loop.kind !== "do" || loop.condition.kind === "const" || hasContinue(loop.body)) return undefined;
  return [...loop.body, leaving(loop)];
}

function leaving({ at, condition }: Extract<Node, { kind: "while" | "do" }>): Node {
  return { kind: "if", at, condition: not1(condition), then: [{ kind: "break" }], otherwise: [] };
}

function countBreaks(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + (node.kind === "break" ? 1 : node.kind === "if" ? countBreaks(node.then) + countBreaks(node.otherwise) : 0), 0);
}

/** Whether all jumps to the label stand where `break` leaves the loop. */
function isDirect(nodes: readonly Node[], label: number): boolean {
  return nodes.every((node) => node.kind === "goto" || !jumpsTo(node, label) || (node.kind === "if" && isDirect(node.then, label) && isDirect(node.otherwise, label)));
}

function replaced(nodes: readonly Node[], rest: readonly Node[], label: number): readonly Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (node.kind === "break") return [...rest, node];
    if (node.kind === "goto" && node.label === label) return [{ kind: "break" }];
    if (node.kind !== "if" || !(breaks([node]) || jumpsTo(node, label))) return [node];
    return [mapLists(node, (list) => replaced(list, rest, label))];
  });
}
