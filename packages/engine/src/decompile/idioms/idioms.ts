import type { Expr, Op } from "../../ir/expression.js";
import { asDivision } from "./division.js";
import { asPowerDivision } from "./power-division.js";
import { asRemainder } from "./remainder.js";

/** What compilers wrote in other operations, as the one operation it is; undefined where it is none that is known. */
export function asIdiom(expr: Op): Expr | undefined {
  return asRemainder(expr) ?? asPowerDivision(expr) ?? asDivision(expr);
}
