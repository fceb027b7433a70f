import { forEachUse, type Definition, type Expr } from "../../ir/expression.js";
import { forEachEndingExpr, forEachStatementExpr, type Graph } from "../ssa/graph.js";

/** Values that stores, resolved calls, branches and known return values depend on. */
export function liveValues(graph: Graph): ReadonlySet<Definition> {
  const roots: Expr[] = [];
  for (const block of graph.blocks) {
    for (const statement of block.statements) {
      if (statement.kind === "def") continue;
      if (statement.kind === "call") roots.push(...statement.args, ...(statement.address === undefined ? [] : [statement.address]));
      else forEachStatementExpr(statement, (expr) => { roots.push(expr); });
    }
    if (block.ending.kind !== "return") forEachEndingExpr(block.ending, (expr) => { roots.push(expr); });
    else if (block.ending.value !== undefined) roots.push(block.ending.value);
  }
  return closure(roots);
}

/** Values that the expressions depend on. */
export function closure(roots: readonly Expr[]): ReadonlySet<Definition> {
  const live = new Set<Definition>();
  const work: Definition[] = [];
  const mark = (def: Definition): void => {
    if (live.has(def)) return;
    live.add(def);
    work.push(def);
  };
  for (const root of roots) forEachUse(root, mark);
  for (let def = work.pop(); def !== undefined; def = work.pop()) {
    if (def.source.kind === "expr") forEachUse(def.source.expr, mark);
    else if (def.source.kind === "phi") for (const arg of def.source.args) forEachUse(arg, mark);
  }
  return live;
}
