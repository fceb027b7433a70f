import type { Definition, Expr } from "../../ir/expression.js";

/** True for what nobody knows: left over by a call, or so on one of the ways that lead here. */
export function isUnknown(expr: Expr, seen: Set<Definition> = new Set()): boolean {
  if (expr.kind === "op") return expr.op === "unknown";
  if (expr.kind !== "use") return false;
  const { source } = expr.def;
  if (source.kind === "clobber") return true;
  if (source.kind !== "phi" || seen.has(expr.def)) return false;
  seen.add(expr.def);
  return source.args.some((arg) => isUnknown(arg, seen));
}

/** The value that the place had when the function was entered. */
export function isUntouched(expr: Expr, place: number): boolean {
  return expr.kind === "use" && expr.def.source.kind === "entry" && expr.def.place === place;
}
