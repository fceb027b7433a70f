import { forEachUse, type Definition, type Expr } from "../../ir/expression.js";
import type { Line, Variable } from "../lower/code.js";
import { countJumps, jumpsTo } from "./node-facts.js";
import type { Node } from "./node.js";
import type { Skipping } from "./skipped.js";
import { leavesOuter, someList } from "./ways-out.js";

type Lines = Extract<Node, { kind: "lines" }>;

/**
 * `…; found = 1; goto L; …; found = 0; L:` is the same with `found = 0` before it all: what is only set to constants at the
 * end, and on each jump over that, may be set at the start. Gives the statements for the start and those that are left.
 */
export function setBefore(nodes: readonly Node[], { label, variableOf }: Pick<Skipping, "label" | "variableOf">): { readonly first: Node; readonly rest: readonly Node[] } | undefined {
  const last = nodes.at(-1);
  const rest = nodes.slice(0, -1);
  if (last?.kind !== "lines" || rest.length === 0 || !last.lines.every((line) => line.kind === "assign" && line.value.kind === "const")) return undefined;
  if (leavesOuter(rest) || [...countJumps(rest).keys()].some((each) => each !== label)) return undefined;
  const set = new Set(last.lines.flatMap((line) => (line.kind === "assign" ? [line.to] : [])));
  const reads = (def: Definition): boolean => set.has(variableOf(def));
  // Something has to jump over it, or the statement would only wander.
  return rest.some((node) => jumpsTo(node, label)) && onlyLists(rest, { label, set, reads }) ? { first: last, rest } : undefined;
}

interface Wanted {
  readonly label: number;
  readonly set: ReadonlySet<Variable>;
  readonly reads: (def: Definition) => boolean;
}

/** Whether every jump in the list comes directly behind statements that set all of them, and nothing else has to do with them. */
function onlyLists(nodes: readonly Node[], wanted: Wanted): boolean {
  return nodes.every((node, index) => onlySet(node, nodes[index + 1], wanted) && (node.kind !== "goto" || sets(nodes[index - 1], wanted)));
}

function onlySet(node: Node, next: Node | undefined, wanted: Wanted): boolean {
  if (node.kind === "lines") return !readsAny(node, wanted) && (!isSetIn(node, wanted) || (next?.kind === "goto" && next.label === wanted.label));
  if (expressionsOf(node).some((expr) => uses(expr, wanted))) return false;
  if (node.kind === "for" && [...node.first, node.step].some((line) => isTarget(line, wanted) || lineExpressions(line).some((expr) => uses(expr, wanted)))) return false;
  return !someList(node, (list) => !onlyLists(list, wanted));
}

function sets(node: Node | undefined, { set }: Wanted): boolean {
  return node?.kind === "lines" && [...set].every((variable) => node.lines.some((line) => line.kind === "assign" && line.to === variable));
}

function isSetIn({ lines }: Lines, wanted: Wanted): boolean {
  return lines.some((line) => isTarget(line, wanted));
}

function isTarget(line: Line, { set }: Wanted): boolean {
  const to = line.kind === "assign" || line.kind === "call" || line.kind === "effect" ? line.to : undefined;
  return to !== undefined && set.has(to);
}

function readsAny({ lines }: Lines, wanted: Wanted): boolean {
  return lines.some((line) => lineExpressions(line).some((expr) => uses(expr, wanted)));
}

function uses(expr: Expr, { reads }: Wanted): boolean {
  let found = false;
  forEachUse(expr, (def) => { found ||= reads(def); });
  return found;
}

function expressionsOf(node: Node): readonly Expr[] {
  if (node.kind === "switch") return [node.selector];
  if (node.kind === "return") return node.value === undefined ? [] : [node.value];
  return "condition" in node ? [node.condition] : [];
}

function lineExpressions(line: Line): readonly Expr[] {
  switch (line.kind) {
    case "assign":
      return [line.value];
    case "store":
      return [line.address, line.value];
    case "call":
      return line.call.address === undefined ? line.call.args : [line.call.address, ...line.call.args];
    case "effect":
      return line.args;
    case "comment":
      return [];
  }
}
