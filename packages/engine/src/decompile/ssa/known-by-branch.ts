import type { Const, Definition, Expr } from "../../ir/expression.js";
import type { Block, Graph } from "./graph.js";
import { rewrite } from "./rewrite.js";

interface Known {
  readonly def: Definition;
  readonly value: Const;
}

/** Where a branch is taken because a value equals a number, what is merged or returned behind it is the number. */
export function knownByBranch(graph: Graph): void {
  for (const block of graph.blocks) {
    const known = equality(block);
    if (known === undefined) continue;
    const { to, ...fact } = known;
    if (to.predecessors.filter((each) => each === block).length !== 1) continue;
    mergesFrom(block, to, fact);
    if (to.predecessors.length !== 1) continue;
    for (const next of to.successors) if (next !== to) mergesFrom(to, next, fact);
    if (to.ending.kind === "return") for (const [place, value] of to.ending.state) to.ending.state.set(place, replaced(value, fact));
  }
}

function equality({ ending, successors }: Block): (Known & { readonly to: Block }) | undefined {
  if (ending.kind !== "branch" || ending.condition.kind !== "op") return undefined;
  const { op, args } = ending.condition;
  const [a, b] = args;
  if ((op !== "eq" && op !== "ne") || a?.kind !== "use" || b?.kind !== "const") return undefined;
  const to = successors[op === "eq" ? 0 : 1];
  return to === undefined || successors[0] === successors[1] ? undefined : { to, def: a.def, value: b };
}

function mergesFrom(from: Block, to: Block, known: Known): void {
  const position = to.predecessors.indexOf(from);
  for (const phi of to.phis) {
    if (phi.source.kind !== "phi") continue;
    phi.source = { kind: "phi", args: phi.source.args.map((arg, index) => (index === position ? replaced(arg, known) : arg)) };
  }
}

function replaced(expr: Expr, { def, value }: Known): Expr {
  return rewrite(expr, (leaf) => (leaf.kind === "use" && leaf.def === def ? value : leaf));
}
