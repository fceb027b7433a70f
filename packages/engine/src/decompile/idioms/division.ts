import { constant, signed, type Expr, type Op } from "../../ir/expression.js";
import { extract, make, sext, zext } from "../../ir/simplify.js";
import { alike, madeBy, numberOf, pairOf } from "./look-through.js";
import { mostOf, scaledProduct, type ScaledProduct } from "./scaled-product.js";

/**
 * Division by a constant as compilers write it, as a division again (Granlund and Montgomery, Division by Invariant Integers
 * using Multiplication, 1994). Each rule checks that both are equal for every x; undefined where none applies.
 */
export function asDivision(expr: Op): Expr | undefined {
  switch (expr.op) {
    case "shr":
    case "extract":
      return unsignedQuotient(expr);
    case "add":
    case "sub":
      return signedQuotient(expr);
    default:
      return undefined;
  }
}

function unsignedQuotient(expr: Op): Expr | undefined {
  const found = joinedShift(expr);
  if (found !== undefined) return found;
  const product = scaledProduct(expr);
  if (product === undefined || product.isSigned) return undefined;
  const { x } = product;
  const divisor = unsignedDivisor(product);
  if (divisor === undefined) return undefined;
  const quotient = dividedAtOnce(x, divisor) ?? make("udiv", x.bits, [x, constant(x.bits, divisor)]);
  return expr.bits >= x.bits ? zext(quotient, expr.bits) : extract(quotient, 0, expr.bits);
}

/** `(x >> 1) / 5` is `x / 10`. */
function dividedAtOnce(shifted: Expr, divisor: bigint): Expr | undefined {
  const shift = madeBy(shifted, "shr");
  const [x, by] = shift?.args ?? [];
  const count = numberOf(by);
  if (shift === undefined || x === undefined || count === undefined || (divisor << count) >> BigInt(shift.bits) !== 0n) return undefined;
  return make("udiv", shift.bits, [x, constant(shift.bits, divisor << count)]);
}

/** `x / 5 >> 1` is `x / 10`. */
function joinedShift({ op, bits, args: [of, by] }: Op): Expr | undefined {
  const count = op === "shr" ? numberOf(by) : undefined;
  const quotient = of === undefined || count === undefined ? undefined : madeBy(of, "udiv");
  const [x, d] = quotient?.args ?? [];
  const divisor = numberOf(d);
  if (x === undefined || count === undefined || divisor === undefined || divisor << count >> BigInt(bits) !== 0n) return undefined;
  return make("udiv", bits, [x, constant(bits, divisor << count)]);
}

/** The number that every x is divided by, rounded down. */
function unsignedDivisor({ x, factor, shift }: ScaledProduct): bigint | undefined {
  const power = 1n << BigInt(shift);
  const most = mostOf(x, false);
  const divisor = divisorOf(factor, power);
  if (divisor === undefined || divisor > most) return undefined;
  // The quotient is off first where the remainder is greatest.
  const error = factor * divisor - power;
  return error >= 0n && lastBefore(most, divisor) * error < power ? divisor : undefined;
}

function divisorOf(factor: bigint, power: bigint): bigint | undefined {
  if (factor <= 0n) return undefined;
  const divisor = (power + factor - 1n) / factor;
  return divisor < 3n || (divisor & (divisor - 1n)) === 0n ? undefined : divisor;
}

/** The greatest number up to the bound that is one short of a multiple; 0 where there is none. */
function lastBefore(most: bigint, divisor: bigint): bigint {
  const found = ((most + 1n) / divisor) * divisor - 1n;
  return found < 0n ? 0n : found;
}

/** The product rounded down, and one more for negative x. */
function signedQuotient(expr: Op): Expr | undefined {
  const [a, b] = expr.args;
  if (a === undefined || b === undefined) return undefined;
  if (expr.op === "add") return quotientOf(a, { sign: b, by: 1n }) ?? quotientOf(b, { sign: a, by: 1n });
  const found = quotientOf(a, { sign: b, by: -1n });
  if (found !== undefined) return found;
  const negative = quotientOf(b, { sign: a, by: -1n });
  const [x, d] = negative?.kind === "op" && negative.op === "sdiv" ? negative.args : [];
  return x === undefined || d?.kind !== "const" ? undefined : make("sdiv", expr.bits, [x, constant(d.bits, -signed(d.value, d.bits))]);
}

function quotientOf(part: Expr, { sign, by }: { readonly sign: Expr; readonly by: 1n | -1n }): Expr | undefined {
  const product = scaledProduct(part);
  if (product === undefined || !product.isSigned || !isSignOf(sign, product, by)) return undefined;
  const { x } = product;
  const divisor = signedDivisor(product);
  if (divisor === undefined) return undefined;
  const quotient = make("sdiv", x.bits, [x, constant(x.bits, divisor)]);
  return part.bits >= x.bits ? sext(quotient, part.bits) : extract(quotient, 0, part.bits);
}

/** The number that every x is divided by, rounded towards zero. */
function signedDivisor({ x, factor, shift }: ScaledProduct): bigint | undefined {
  const power = 1n << BigInt(shift);
  const half = 1n << BigInt(x.bits - 1);
  const size = factor < 0n ? -factor : factor;
  const divisor = divisorOf(size, power);
  if (divisor === undefined || divisor >= half) return undefined;
  const error = size * divisor - power;
  // A negative factor turns the range of x around.
  const [above, below] = factor < 0n ? [half, half - 1n] : [half - 1n, half];
  const isExact = error > 0n && lastBefore(above, divisor) * error < power && lastBefore(below, divisor) * error <= power;
  return !isExact ? undefined : factor < 0n ? -divisor : divisor;
}

/** Whether a value is `by` where the product is negative and else 0. */
function isSignOf(sign: Expr, x: ScaledProduct, by: 1n | -1n): boolean {
  const part = madeBy(sign, "extract");
  if (part !== undefined && part.imm === 0 && part.args[0] !== undefined && isSignOf(part.args[0], x, by)) return true;
  const shift = pairOf(sign, by === 1n ? "shr" : "sar");
  if (shift !== undefined && numberOf(shift[1]) === BigInt(sign.bits - 1)) return hasSignOf(shift[0], x);
  const truth = madeBy(sign, by === 1n ? "zext" : "sext")?.args[0];
  if (truth === undefined) return false;
  return truth.bits === 1 ? isNegative(truth, x) : isSignOf(truth, x, by);
}

/** Whether a truth value is that of the product being negative. */
function isNegative(truth: Expr, x: ScaledProduct): boolean {
  const top = madeBy(truth, "extract");
  const [of] = top?.args ?? [];
  if (of !== undefined && top?.imm === of.bits - 1) return hasSignOf(of, x);
  const less = pairOf(truth, "slt");
  return less !== undefined && numberOf(less[1]) === 0n && hasSignOf(less[0], x);
}

/** Whether a value is negative exactly where the product is. */
function hasSignOf(value: Expr, { x, factor }: ScaledProduct): boolean {
  if (factor > 0n) {
    if (alike(value, x)) return true;
    const wide = madeBy(value, "sext");
    if (wide?.args[0] !== undefined && alike(wide.args[0], x)) return true;
  }
  const product = scaledProduct(value);
  return product !== undefined && product.isSigned && product.factor > 0n === factor > 0n && product.factor !== 0n && alike(product.x, x);
}
