import { forEachUse, type Definition, type Expr } from "../../ir/expression.js";
import type { Line, Variable } from "../lower/code.js";
import type { Node } from "./node.js";
import { mapLists } from "./short-tails.js";
import { hasContinue } from "./tidy.js";

/** Loops that count: what is set before and stepped at the end goes into the head of a `for`. */
export function forLoops(nodes: readonly Node[], variableOf: (def: Definition) => Variable): readonly Node[] {
  const out: Node[] = [];
  for (const given of nodes) {
    const node = mapLists(given, (list) => forLoops(list, variableOf));
    const made = node.kind === "while" ? counted(node, out.at(-1), variableOf) : undefined;
    if (made === undefined) {
      out.push(node);
      continue;
    }
    if (made.before !== undefined) {
      out.pop();
      if (made.before.kind !== "lines" || made.before.lines.length > 0) out.push(made.before);
    }
    out.push(made.node);
  }
  return out;
}

type While = Extract<Node, { kind: "while" }>;

function counted(loop: While, before: Node | undefined, variableOf: (def: Definition) => Variable): { readonly node: Node; readonly before: Node | undefined } | undefined {
  const last = loop.body.at(-1);
  const step = last?.kind === "lines" ? last.lines.at(-1) : undefined;
  if (last?.kind !== "lines" || step?.kind !== "assign" || hasContinue(loop.body)) return undefined;
  if (!uses(loop.condition, step.to, variableOf) || !uses(step.value, step.to, variableOf)) return undefined;
  const rest = last.lines.slice(0, -1);
  const body: Node[] = [...loop.body.slice(0, -1), ...(rest.length === 0 ? [] : [{ kind: "lines" as const, lines: rest }])];
  const first: Line | undefined = before?.kind === "lines" ? before.lines.at(-1) : undefined;
  const isStart = before?.kind === "lines" && first?.kind === "assign" && first.to === step.to;
  const node: Node = { kind: "for", at: loop.at, first: isStart ? [first] : [], condition: loop.condition, step, body };
  return { node, before: isStart ? { kind: "lines", lines: before.lines.slice(0, -1) } : undefined };
}

function uses(expr: Expr, variable: Variable, variableOf: (def: Definition) => Variable): boolean {
  let found = false;
  forEachUse(expr, (def) => { found ||= variableOf(def) === variable; });
  return found;
}
