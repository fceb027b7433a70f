import type { Expr, OpName } from "./expression.js";

/** The reducing constructors of simplify.ts, as its rules use them. */
export interface Maker {
  make(name: OpName, bits: number, args: readonly Expr[], parts?: { readonly imm?: number; readonly name?: string }): Expr;
  extract(expr: Expr, from: number, bits: number): Expr;
  zext(expr: Expr, bits: number): Expr;
  sext(expr: Expr, bits: number): Expr;
  not1(expr: Expr): Expr;
}
