import { same, type Definition, type Expr } from "../../ir/expression.js";
import type { Graph } from "./graph.js";

/** Merges of one value become that value. True when some did. */
export function dissolveMerges(graph: Graph): boolean {
  let changed = false;
  for (const block of graph.blocks) {
    const kept: Definition[] = [];
    for (const phi of block.phis) {
      const single = phi.source.kind === "phi" ? (singleArgument(phi, phi.source.args) ?? singleLeaf(phi)) : undefined;
      if (single === undefined) kept.push(phi);
      else {
        phi.source = { kind: "expr", expr: single };
        changed = true;
        // A value made of others is defined where the merge was.
        if (single.kind !== "const" && single.kind !== "use") block.statements.unshift({ kind: "def", at: block.start, def: phi });
      }
    }
    block.phis = kept;
  }
  return changed;
}

function singleArgument(phi: Definition, args: readonly Expr[]): Expr | undefined {
  let found: Expr | undefined;
  for (const arg of args) {
    if (arg.kind === "use" && arg.def === phi) continue;
    if (found === undefined) found = arg;
    else if (!same(found, arg)) return undefined;
  }
  if (found === undefined || usesItself(found, phi)) return undefined;
  return found;
}

function usesItself(expr: Expr, def: Definition): boolean {
  if (expr.kind === "use") return expr.def === def;
  if (expr.kind === "load") return usesItself(expr.address, def);
  return expr.kind === "op" && expr.args.some((arg) => usesItself(arg, def));
}

const mostMerges = 64;

/** The one value that merges which feed each other hold, as loops in loops make them. */
function singleLeaf(phi: Definition): Expr | undefined {
  const web = new Set([phi]);
  let found: Expr | undefined;
  for (const member of web) {
    if (member.source.kind !== "phi" || web.size > mostMerges) return undefined;
    for (const arg of member.source.args) {
      if (arg.kind === "use" && arg.def.source.kind === "phi") web.add(arg.def);
      else if (found === undefined) found = arg;
      else if (!same(found, arg)) return undefined;
    }
  }
  if (found === undefined) return undefined;
  for (const member of web) if (usesItself(found, member)) return undefined;
  return found;
}
