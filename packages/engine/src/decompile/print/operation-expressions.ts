import { mask, type Expr, type Op } from "../../ir/expression.js";
import { i32, intType } from "./c-type.js";
import type { Core, Hint } from "./core.js";
import { integerLiteral } from "./literals.js";
import { cast, inside, level, operand, type Printed } from "./printed.js";
import { promoted, signedTogether, usual } from "./usual-conversions.js";

/** Writes shifts, division, and what is put together from bits. */
export function operationPrinter(core: Core): { print(expr: Op, hint: Hint): Printed } {
  function other(expr: Op, hint: Hint): Printed {
    const [a, b] = expr.args;
    if (expr.op === "intrinsic") return core.call(`rea_${expr.name}`, expr.args.map((arg) => core.unsigned(arg).text), intType(expr.bits, false));
    if (a === undefined) return core.call(`rea_unknown${String(expr.bits)}`, [], intType(expr.bits, false));
    const bits = String(expr.bits);
    const two = b === undefined ? undefined : binary(expr, a, b);
    if (two !== undefined) return two;
    switch (expr.op) {
      case "not":
      case "neg": {
        const value = core.atLeast(core.integer(a, hint), expr.bits);
        const text = inside(value, level.unary);
        return { text: `${expr.op === "not" ? "~" : "-"}${text.startsWith("-") ? `(${text})` : text}`, level: level.unary, type: promoted(value.type), valid: expr.bits };
      }
      case "clz":
      case "ctz":
      case "popcnt":
      case "bswap":
      case "rol":
      case "ror":
        return core.call(`rea_${expr.op}${bits}`, expr.args.map((arg) => core.unsigned(arg).text), intType(expr.bits, false));
      case "parity":
        return core.call("rea_parity", [core.unsigned(a).text], i32);
      default:
        return core.call(`rea_${expr.name}`, expr.args.map((arg) => core.integer(arg).text), intType(expr.bits, false));
    }
  }

  function binary(expr: Op, a: Expr, b: Expr): Printed | undefined {
    switch (expr.op) {
      case "shl":
      case "shr":
      case "sar":
        return shift(expr, a, b);
      case "udiv":
      case "urem":
      case "sdiv":
      case "srem":
        return divide(expr, a, b);
      case "concat":
        return concat(expr, a, b);
      case "insert":
        return insert(expr, a, b);
      default:
        return undefined;
    }
  }

  function shift(expr: Op, a: Expr, count: Expr): Printed {
    const value = expr.op === "shl" ? core.atLeast(core.integer(a, { signed: false }), expr.bits) : expr.op === "shr" ? core.unsigned(a) : core.signed(a);
    const wide = isWide(value, expr.bits, count) ? value : cast(value, intType(expr.bits, expr.op === "sar"));
    const symbol = expr.op === "shl" ? "<<" : ">>";
    const by = count.kind === "const" ? count.value.toString() : operand(core.unsigned(count), level.sum);
    return { text: `${operand(wide, level.shift)} ${symbol} ${by}`, level: level.shift, type: promoted(wide.type), valid: expr.bits };
  }

  /** Whether C may shift the value so far in the type that it has. */
  function isWide({ type }: Printed, bits: number, count: Expr): boolean {
    const own = promoted(type);
    if (own.kind !== "int" || own.bits >= bits) return true;
    return bits <= 64 && count.kind === "const" && count.value < BigInt(own.bits);
  }

  function divide(expr: Op, a: Expr, b: Expr): Printed {
    const isSigned = expr.op === "sdiv" || expr.op === "srem";
    const [x, y] = isSigned ? signedTogether([core.signed(a), core.signed(b)], expr.bits) : [core.unsigned(a), core.unsigned(b)];
    const symbol = expr.op.endsWith("div") ? "/" : "%";
    const type = usual(x.type, y.type);
    return { text: `${inside(x, level.product)} ${symbol} ${inside(y, level.product + 1)}`, level: level.product, type, valid: Math.max(expr.bits, type.kind === "int" ? type.bits : 0) };
  }

  function concat(expr: Op, high: Expr, low: Expr): Printed {
    const type = intType(expr.bits, false);
    const top = cast(core.integer(high, { signed: false }), type);
    const bottom = core.unsigned(low);
    return { text: `${operand(top, level.shift)} << ${String(low.bits)} | ${operand(bottom, level.bitOr + 1)}`, level: level.bitOr, type: promoted(type), valid: expr.bits };
  }

  function insert(expr: Op, base: Expr, value: Expr): Printed {
    const type = intType(expr.bits, false);
    if (expr.bits > 64) {
      return core.call("rea_insert128", [core.integer(base).text, core.unsigned(value).text, String(expr.imm), String(value.bits)], type);
    }
    const hole = mask(expr.bits) ^ (mask(value.bits) << BigInt(expr.imm));
    const kept = integerLiteral(hole, expr.bits, false).text;
    const put = cast(core.unsigned(value), type);
    const shifted = expr.imm === 0 ? put.text : `(${inside(put, level.unary)} << ${String(expr.imm)})`;
    return { text: `(${operand(core.integer(base), level.bitAnd)} & ${kept}) | ${shifted}`, level: level.bitOr, type: promoted(type), valid: expr.bits };
  }

  return { print: other };
}
