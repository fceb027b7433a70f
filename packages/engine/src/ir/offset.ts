import { signed, type Expr } from "./expression.js";

/** A sum as its base and constant offset. */
export function splitOffset(expr: Expr): readonly [Expr, bigint] {
  if (expr.kind === "op" && expr.op === "add") {
    const [base, offset] = expr.args;
    if (base !== undefined && offset?.kind === "const") return [base, signed(offset.value, expr.bits)];
  }
  return [expr, 0n];
}
