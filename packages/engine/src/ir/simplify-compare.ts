import { constant, mask, same, signed, type Const, type Expr, type Op } from "./expression.js";
import { holdsAddress } from "./address-rules.js";
import type { Maker } from "./maker.js";
import { splitOffset } from "./offset.js";

/** An address less a distance is an address, less an address a number; a number less an address is nothing that can be written. */
function difference(a: Const, { bits, value }: Const, isAddress: boolean): Const | undefined {
  const found = constant(bits, a.value - value);
  if (!isAddress) return a.isAddress === true ? { ...found, isAddress: true } : found;
  return a.isAddress === true ? found : undefined;
}

/** Rules for comparisons. */
export function compareRules({ make, not1 }: Maker) {
  /** A comparison, reduced where that is plainly the same. */
  function simplifyCompare(expr: Op, a: Expr, b: Expr): Expr | undefined {
    if (same(a, b)) return constant(1, expr.op === "eq" || expr.op === "ule" || expr.op === "sle" ? 1 : 0);
    // One bit that is set is the lesser as a signed number.
    if (a.bits === 1 && expr.op === "slt") return make("and", 1, [a, not1(b)]);
    if (a.bits === 1 && expr.op === "sle") return make("or", 1, [a, not1(b)]);
    if (a.kind === "const" && (expr.op === "eq" || expr.op === "ne")) return make(expr.op, 1, [b, a]);
    if (b.kind === "const") return withConstant(expr, a, b);
    return bothExtended(expr, a, b);
  }

  function withConstant(expr: Op, a: Expr, b: Const): Expr | undefined {
    const isEquality = expr.op === "eq" || expr.op === "ne";
    if (a.bits === 1 && isEquality) return (expr.op === "eq") === (b.value === 1n) ? a : not1(a);
    const edge = atEdge(expr, a, b);
    if (edge !== undefined || a.kind !== "op") return edge;
    const inner = a.args[0];
    if (inner === undefined) return undefined;
    if (a.op === "zext") return ofZext(expr, inner, b);
    if (a.op === "sext" && signed(b.value, b.bits) === BigInt.asIntN(inner.bits, b.value)) {
      if (isEquality || expr.op === "slt" || expr.op === "sle") return make(expr.op, 1, [inner, constant(inner.bits, b.value)]);
    }
    return isEquality ? equalToConstant(expr, a, b) : undefined;
  }

  /** Comparisons with the least and the greatest number. */
  function atEdge(expr: Op, a: Expr, b: Const): Expr | undefined {
    if (expr.op === "ult" && b.value === 0n) return constant(1, 0);
    if (expr.op === "ult" && b.value === 1n) return make("eq", 1, [a, constant(a.bits, 0)]);
    if (expr.op === "ule" && b.value === 0n) return make("eq", 1, [a, constant(a.bits, 0)]);
    return expr.op === "ule" && b.value === mask(a.bits) ? constant(1, 1) : undefined;
  }

  function equalToConstant(expr: Op, a: Op, b: Const): Expr | undefined {
    const inner = a.args[0];
    if (inner === undefined) return undefined;
    if (a.op === "sub" && b.value === 0n && a.args[1] !== undefined) return make(expr.op, 1, [inner, a.args[1]]);
    if (a.op === "xor" && b.value === 0n && a.args[1] !== undefined) return make(expr.op, 1, [inner, a.args[1]]);
    if (a.op === "add") {
      const [base, offset] = splitOffset(a);
      const moved = offset === 0n ? undefined : difference(b, constant(a.bits, offset), holdsAddress(a));
      if (moved !== undefined) return make(expr.op, 1, [base, moved]);
    }
    if (a.op === "neg" && b.value === 0n) return make(expr.op, 1, [inner, b]);
    return undefined;
  }

  function ofZext(expr: Op, inner: Expr, b: Const): Expr | undefined {
    const top = mask(inner.bits);
    if (b.value <= top) {
      // The widened value is not negative, so both orders agree on it.
      if (expr.op === "slt" || expr.op === "ult") return make("ult", 1, [inner, constant(inner.bits, b.value)]);
      if (expr.op === "sle" || expr.op === "ule") return make("ule", 1, [inner, constant(inner.bits, b.value)]);
      return make(expr.op, 1, [inner, constant(inner.bits, b.value)]);
    }
    if (expr.op === "eq") return constant(1, 0);
    if (expr.op === "ne") return constant(1, 1);
    if (expr.op === "slt" || expr.op === "sle") return constant(1, signed(b.value, b.bits) > 0n ? 1 : 0);
    return expr.op === "ult" || expr.op === "ule" ? constant(1, 1) : undefined;
  }

  function bothExtended(expr: Op, a: Expr, b: Expr): Expr | undefined {
    if (a.kind !== "op" || b.kind !== "op" || a.op !== b.op) return undefined;
    const [x, y] = [a.args[0], b.args[0]];
    if (x === undefined || y === undefined || x.bits !== y.bits) return undefined;
    if (a.op === "sext") return expr.op === "ult" || expr.op === "ule" ? undefined : make(expr.op, 1, [x, y]);
    if (a.op !== "zext") return undefined;
    if (expr.op === "slt") return make("ult", 1, [x, y]);
    if (expr.op === "sle") return make("ule", 1, [x, y]);
    return make(expr.op, 1, [x, y]);
  }

  return { simplifyCompare };
}
