import { forEachUse, sizeOf, someExpr, type Definition, type Expr } from "../../ir/expression.js";
import { not1 } from "../../ir/simplify.js";
import type { Line, Variable } from "../lower/code.js";
import { factsOf, jumpsTo } from "./node-facts.js";
import type { Node } from "./node.js";
import { breaks, leaves, someList } from "./ways-out.js";

const largestCondition = 8;

export interface Asking {
  readonly label: number;
  readonly variableOf: (def: Definition) => Variable;
  /** Whether anything jumps to the label. */
  readonly isUsed: (label: number) => boolean;
}

/**
 * What is true behind a loop exactly when it was left by a jump to the label, where a condition asked inside tells that and
 * is the same behind: `while (more) { if (found) break; … } if (more)`. Undefined where nothing tells.
 */
export function leftByJump(loop: Node, asking: Asking): Expr | undefined {
  if (loop.kind !== "loop" && loop.kind !== "while") return undefined;
  const { body } = loop;
  if (body.some((node) => factsOf(node).labels.some(asking.isUsed))) return undefined;
  const jumps = positions(body, (node) => jumpsTo(node, asking.label));
  const others = positions(body, (node) => breaks([node]));
  const [first, last] = [jumps.at(0), jumps.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (loop.kind === "while") return others.length === 0 && isKept(loop.condition, body.slice(0, last + 1), asking) ? loop.condition : undefined;
  const [firstOther, lastOther] = [others.at(0), others.at(-1)];
  if (firstOther === undefined || lastOther === undefined) return undefined;
  if (first === last && firstOther > first) return answered(body[first], (node) => jumpsTo(node, asking.label), { body: body.slice(first, lastOther + 1), asking });
  if (firstOther !== lastOther || first <= firstOther) return undefined;
  const normal = answered(body[firstOther], (node) => breaks([node]), { body: body.slice(firstOther, last + 1), asking });
  return normal === undefined ? undefined : not1(normal);
}

function positions(nodes: readonly Node[], test: (node: Node) => boolean): number[] {
  return nodes.flatMap((node, index) => (test(node) ? [index] : []));
}

interface Reach {
  readonly body: readonly Node[];
  readonly asking: Asking;
}

/** The condition under which an `if` does what the test finds, where it still holds at the end of the nodes. */
function answered(node: Node | undefined, test: (node: Node) => boolean, { body, asking }: Reach): Expr | undefined {
  if (node?.kind !== "if" || !isKept(node.condition, body, asking)) return undefined;
  const [inThen, inOtherwise] = [node.then.some(test), node.otherwise.some(test)];
  // A branch that may run on would come to the other ways out as well.
  if (inThen === inOtherwise || !leaves(inThen ? node.then : node.otherwise)) return undefined;
  return inThen ? node.condition : not1(node.condition);
}

/** Whether the condition says the same before and after the nodes. */
function isKept(condition: Expr, nodes: readonly Node[], { variableOf }: Asking): boolean {
  if (sizeOf(condition) > largestCondition || someExpr(condition, (part) => part.kind === "load" || part.kind === "read" || (part.kind === "op" && unsteady.has(part.op)))) return false;
  const variables = new Set<Variable>();
  forEachUse(condition, (def) => { variables.add(variableOf(def)); });
  return !nodes.some((node) => assigns(node, variables));
}

const unsteady: ReadonlySet<string> = new Set(["unknown", "intrinsic", "vector"]);

function assigns(node: Node, variables: ReadonlySet<Variable>): boolean {
  const lines = node.kind === "lines" ? node.lines : node.kind === "for" ? [...node.first, node.step] : [];
  return lines.some((line) => isOneOf(line, variables)) || someList(node, (list) => list.some((each) => assigns(each, variables)));
}

function isOneOf(line: Line, variables: ReadonlySet<Variable>): boolean {
  const to = line.kind === "assign" || line.kind === "call" || line.kind === "effect" ? line.to : undefined;
  return to !== undefined && variables.has(to);
}
