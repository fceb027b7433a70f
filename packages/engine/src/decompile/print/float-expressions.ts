import { type Expr, type Op } from "../../ir/expression.js";
import { i32, intType, type CType } from "./c-type.js";
import type { Core } from "./core.js";
import { floatLiteral } from "./literals.js";
import { cast, inside, level, operand, primary, type Printed } from "./printed.js";

export interface FloatPrinter {
  value(expr: Expr): Printed;
  op(expr: Op): Printed;
  /** True for what is a floating number by how it is made. */
  isFloat(expr: Expr): boolean;
}

const symbols: Readonly<Record<string, readonly [string, number]>> = { fadd: ["+", level.sum], fsub: ["-", level.sum], fmul: ["*", level.product], fdiv: ["/", level.product] };

const floatType = (bits: number): CType => ({ kind: "float", bits });

const floatResults = new Set(["fadd", "fsub", "fmul", "fdiv", "fsqrt", "fmin", "fmax", "fmaxnm", "fminnm", "fmaxnan", "fminnan", "fma", "fneg", "fabs", "ftof", "fround", "sitof", "uitof"]);

/** Writes floating arithmetic; bit patterns are looked at through functions of the header. */
export function floatPrinter(core: Core): FloatPrinter {
  function value(expr: Expr): Printed {
    if (expr.kind === "const") {
      const text = floatLiteral(expr.value, expr.bits);
      if (text !== undefined) return { text, level: text.startsWith("-") ? level.unary : level.primary, type: floatType(expr.bits), valid: expr.bits };
      return core.call(`rea_f${String(expr.bits)}`, [core.integer(expr, { signed: false }).text], floatType(expr.bits));
    }
    const printed = core.print(expr, { float: true });
    if (printed.type.kind === "float" && printed.type.bits === expr.bits) return printed;
    const pattern = core.toInteger(printed, expr.bits);
    return core.call(`rea_f${String(expr.bits)}`, [pattern.text], floatType(expr.bits));
  }

  function op(expr: Op): Printed {
    const [a, b] = expr.args;
    if (a === undefined) return primary("0", i32);
    const symbol = symbols[expr.op];
    if (symbol !== undefined && b !== undefined) {
      const text = `${inside(value(a), symbol[1])} ${symbol[0]} ${inside(value(b), symbol[1] + 1)}`;
      return { text, level: symbol[1], type: floatType(expr.bits), valid: expr.bits };
    }
    if (expr.op === "fma") return core.call(expr.bits === 32 ? "fmaf" : "fma", expr.args.map((arg) => value(arg).text), floatType(expr.bits));
    return b === undefined ? unary(expr, a) : binary(expr, a, b);
  }

  function binary(expr: Op, a: Expr, b: Expr): Printed {
    const compare = { feq: "==", flt: "<", fle: "<=" }[expr.op.toString()];
    if (compare !== undefined) {
      const own = expr.op === "feq" ? level.equality : level.relation;
      return { text: `${operand(value(a), own + 1)} ${compare} ${operand(value(b), own + 1)}`, level: own, type: i32, valid: 32 };
    }
    if (expr.op === "funord") return core.call("rea_unordered", [value(a).text, value(b).text], i32);
    const library = { fmaxnm: "fmax", fminnm: "fmin" }[expr.op.toString()];
    const name = library === undefined ? `rea_${expr.op}${String(expr.bits)}` : `${library}${expr.bits === 32 ? "f" : ""}`;
    return core.call(name, [value(a).text, value(b).text], floatType(expr.bits));
  }

  function unary(expr: Op, a: Expr): Printed {
    const suffix = expr.bits === 32 ? "f" : "";
    switch (expr.op) {
      case "fneg":
        return { text: `-${inside(value(a), level.primary)}`, level: level.unary, type: floatType(expr.bits), valid: expr.bits };
      case "fabs":
      case "fsqrt":
        return core.call(`${expr.op === "fabs" ? "fabs" : "sqrt"}${suffix}`, [value(a).text], floatType(expr.bits));
      case "fround":
        return core.call(`${["rint", "floor", "ceil", "trunc", "round"][expr.imm] ?? "rint"}${suffix}`, [value(a).text], floatType(expr.bits));
      case "sitof":
        return cast(core.signed(a), floatType(expr.bits));
      case "uitof":
        return cast(core.unsigned(a), floatType(expr.bits));
      case "ftof":
        return cast(value(a), floatType(expr.bits));
      case "ftosi":
        return cast(value(a), intType(expr.bits, true));
      case "ftosat":
        return cast(value(a), intType(expr.bits, true));
      case "ftousat":
        return cast(value(a), intType(expr.bits, false));
      case "ftosir":
        return core.call(`rea_round${String(expr.bits)}`, [value(a).text], intType(expr.bits, true));
      default:
        return core.call(`rea_${expr.op}`, [value(a).text], floatType(expr.bits));
    }
  }

  function isFloat(expr: Expr): boolean {
    if (expr.kind === "use") return core.surroundings.variable(expr.def).type.kind === "float";
    if (expr.kind !== "op") return false;
    return floatResults.has(expr.op);
  }

  return { value, op, isFloat };
}
