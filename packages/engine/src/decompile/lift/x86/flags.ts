import { constant, type Expr } from "../../../ir/expression.js";
import { extract, make } from "../../../ir/simplify.js";
import type { Machine } from "./machine.js";

const zero = (like: Expr): Expr => constant(like.bits, 0);
const off = constant(1, 0);

export function isNegative(value: Expr): Expr {
  return make("slt", 1, [value, zero(value)]);
}

export function isZero(value: Expr): Expr {
  return make("eq", 1, [value, zero(value)]);
}

function sum(a: Expr, b: Expr, name: "xor" | "or" | "and"): Expr {
  return make(name, a.bits, [a, b]);
}

function resultFlags(m: Machine, result: Expr): void {
  m.setFlag("zf", isZero(result));
  m.setFlag("sf", isNegative(result));
  m.setFlag("pf", make("parity", 1, [extract(result, 0, 8)]));
}

/** Flags of `and`, `or`, `xor`, `test`. */
export function logicFlags(m: Machine, result: Expr): void {
  resultFlags(m, result);
  m.setFlag("cf", off);
  m.setFlag("of", off);
  m.setFlag("be", isZero(result));
  m.setFlag("l", isNegative(result));
  m.setFlag("le", make("sle", 1, [result, zero(result)]));
}

/** Flags of `a - b`. */
export function subtractFlags(m: Machine, [a, b]: readonly [Expr, Expr], result: Expr): void {
  resultFlags(m, result);
  m.setFlag("zf", make("eq", 1, [a, b]));
  m.setFlag("cf", make("ult", 1, [a, b]));
  m.setFlag("of", subtractOverflow([a, b], result));
  m.setFlag("be", make("ule", 1, [a, b]));
  m.setFlag("l", make("slt", 1, [a, b]));
  m.setFlag("le", make("sle", 1, [a, b]));
}

export function subtractOverflow([a, b]: readonly [Expr, Expr], result: Expr): Expr {
  return isNegative(sum(sum(a, b, "xor"), sum(a, result, "xor"), "and"));
}

export function addOverflow([a, b]: readonly [Expr, Expr], result: Expr): Expr {
  return isNegative(sum(sum(a, result, "xor"), sum(b, result, "xor"), "and"));
}

/** Flags of `a + b`. */
export function addFlags(m: Machine, [a, b]: readonly [Expr, Expr], result: Expr): void {
  resultFlags(m, result);
  m.setFlag("cf", make("ult", 1, [result, a]));
  m.setFlag("of", addOverflow([a, b], result));
  deriveFlags(m);
}

/** Sets zero, sign, parity and what follows; carry and overflow stand already. */
export function restFlags(m: Machine, result: Expr): void {
  resultFlags(m, result);
  deriveFlags(m);
}

/** What several flags say together, from the flags as they stand. */
export function deriveFlags(m: Machine): void {
  const less = m.let(make("xor", 1, [m.flag("sf"), m.flag("of")]));
  m.setFlag("be", make("or", 1, [m.flag("cf"), m.flag("zf")]));
  m.setFlag("l", less);
  m.setFlag("le", make("or", 1, [less, m.flag("zf")]));
}

/** Nothing is said about the flags any more. */
export function undefinedFlags(m: Machine): void {
  for (const name of ["cf", "zf", "sf", "of", "pf", "be", "l", "le"] as const) m.setFlag(name, m.unknown(1));
}
