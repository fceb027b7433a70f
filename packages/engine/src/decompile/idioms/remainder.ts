import type { Expr, Op } from "../../ir/expression.js";
import { make } from "../../ir/simplify.js";
import { alike, numberOf } from "./look-through.js";
import { multipleOf } from "./multiple.js";

/** `x - x / d * d`, however the product is put together, is `x % d`; undefined for other expressions. */
export function asRemainder(expr: Op): Expr | undefined {
  if (expr.op === "sub") return ofDifference(expr);
  return expr.op === "add" ? ofSum(expr) : undefined;
}

function ofDifference({ bits, args: [x, product] }: Op): Expr | undefined {
  return x === undefined || product === undefined ? undefined : remainder(x, product, { bits, sign: 1n });
}

function ofSum({ bits, args: [a, b] }: Op): Expr | undefined {
  if (a === undefined || b === undefined) return undefined;
  return remainder(a, b, { bits, sign: -1n }) ?? remainder(b, a, { bits, sign: -1n });
}

function remainder(x: Expr, product: Expr, { bits, sign }: { readonly bits: number; readonly sign: bigint }): Expr | undefined {
  const found = multipleOf(product, ({ op }) => op === "udiv" || op === "sdiv");
  const quotient = found?.of;
  const [dividend, by] = quotient?.args ?? [];
  const divisor = numberOf(by);
  if (found === undefined || quotient === undefined || dividend === undefined || by === undefined || divisor === undefined || quotient.bits !== bits) return undefined;
  if (BigInt.asUintN(bits, found.by * sign) !== divisor || !alike(dividend, x)) return undefined;
  return make(quotient.op === "udiv" ? "urem" : "srem", bits, [dividend, by]);
}
