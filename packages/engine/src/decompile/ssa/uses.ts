import { forEachUse, type Definition } from "../../ir/expression.js";
import { forEachExpr, type Graph, type Statement } from "./graph.js";

/** How often each value is used, by id. */
export function countUses(graph: Graph): Map<number, number> {
  const counts = new Map<number, number>();
  const visit = (def: Definition): void => {
    counts.set(def.id, (counts.get(def.id) ?? 0) + 1);
  };
  for (const block of graph.blocks) forEachExpr(block, (expr) => { forEachUse(expr, visit); });
  return counts;
}

/** Leaves out definitions and merges that nothing reads; what has effects stays. */
export function removeDeadCode(graph: Graph): void {
  const live = new Set<Definition>();
  const work: Definition[] = [];
  const mark = (def: Definition): void => {
    if (live.has(def)) return;
    live.add(def);
    work.push(def);
  };
  for (const block of graph.blocks) {
    const roots = { ...block, phis: [], statements: block.statements.filter((statement) => statement.kind !== "def") };
    forEachExpr(roots, (expr) => { forEachUse(expr, mark); });
  }
  for (let def = work.pop(); def !== undefined; def = work.pop()) {
    if (def.source.kind === "expr") forEachUse(def.source.expr, mark);
    else if (def.source.kind === "phi") for (const arg of def.source.args) forEachUse(arg, mark);
  }
  for (const block of graph.blocks) {
    block.phis = block.phis.filter((phi) => live.has(phi));
    block.statements = block.statements.filter((statement) => statement.kind !== "def" || live.has(statement.def));
    for (const statement of block.statements) dropResults(statement, live);
  }
}

function dropResults(statement: Statement, live: ReadonlySet<Definition>): void {
  if (statement.kind === "effect" && statement.result !== undefined && !live.has(statement.result)) statement.result = undefined;
  if (statement.kind !== "call") return;
  for (const [place, def] of statement.results) if (!live.has(def)) statement.results.delete(place);
}
