import { constant, mask as ones, type Expr, type Op } from "../../ir/expression.js";
import { make } from "../../ir/simplify.js";
import { alike, made, madeBy, numberOf, pairOf } from "./look-through.js";

/** Division of a number with sign by a power of two, rounded towards zero, and what it leaves; undefined for other expressions. */
export function asPowerDivision(expr: Op): Expr | undefined {
  if (expr.op === "sar") return quotient(expr);
  if (expr.op === "sub") return maskedRemainder(expr) ?? differenceRemainder(expr);
  return expr.op === "select" ? chosenRemainder(expr) : undefined;
}

function quotient({ bits, args: [biased, count] }: Op): Expr | undefined {
  const by = numberOf(count);
  if (biased === undefined || by === undefined || by === 0n || by >= BigInt(bits) - 1n) return undefined;
  const mask = (1n << by) - 1n;
  const x = unbiased(biased, mask);
  return x === undefined ? undefined : make("sdiv", bits, [x, constant(bits, mask + 1n)]);
}

/** `((x + bias) & mask) - bias` */
function maskedRemainder({ bits, args: [masked, bias] }: Op): Expr | undefined {
  const wide = masked === undefined ? undefined : madeBy(masked, "zext");
  const low = masked === undefined ? undefined : madeBy(wide?.args[0] ?? masked, "and");
  const [sum, by] = low?.args ?? [];
  const mask = numberOf(by);
  const added = sum === undefined ? undefined : madeBy(sum, "add");
  if (added === undefined || bias === undefined || mask === undefined || !isMask(mask, bits)) return undefined;
  const [a, b] = added.args;
  if (a === undefined || b === undefined) return undefined;
  for (const [part, same] of [[a, b], [b, a]] as const) {
    const x = wide === undefined ? part : cutFrom(part, bits);
    if (x !== undefined && isLowOf(same, bias) && isBias(bias, x, mask)) return make("srem", bits, [x, constant(bits, mask + 1n)]);
  }
  return undefined;
}

/** `x - (x + bias & ~mask)` */
function differenceRemainder({ bits, args: [x, multiple] }: Op): Expr | undefined {
  const rounded = multiple === undefined ? undefined : madeBy(multiple, "and");
  const [biased, by] = rounded?.args ?? [];
  const high = numberOf(by);
  if (x === undefined || biased === undefined || high === undefined) return undefined;
  const mask = BigInt.asUintN(bits, ~high);
  const found = isMask(mask, bits) ? unbiased(biased, mask) : undefined;
  return found !== undefined && alike(found, x) ? make("srem", bits, [x, constant(bits, mask + 1n)]) : undefined;
}

/** `-x < 0 ? x & mask : -(-x & mask)`, and `x < 0 ? -(x & 1) : x & 1` */
function chosenRemainder({ bits, args: [test, yes, no] }: Op): Expr | undefined {
  const less = pairOf(test, "slt");
  if (less === undefined || yes === undefined || no === undefined || numberOf(less[1]) !== 0n) return undefined;
  const [asked] = less;
  const negative = negated(asked);
  const plain = pairOf(negative === undefined ? no : yes, "and");
  const other = pairOf(negated(negative === undefined ? yes : no), "and");
  const mask = numberOf(plain?.[1]);
  if (plain === undefined || other === undefined || mask === undefined || !isMask(mask, bits) || numberOf(other[1]) !== mask) return undefined;
  const [x] = plain;
  const fits = negative === undefined ? alike(asked, x) && mask === 1n && alike(other[0], x) : alike(negative, x) && alike(other[0], asked);
  return fits ? make("srem", bits, [x, constant(bits, mask + 1n)]) : undefined;
}

/** The x of `-x`. */
function negated(expr: Expr): Expr | undefined {
  const whole = made(expr);
  if (whole.kind !== "op") return undefined;
  if (whole.op === "neg") return whole.args[0];
  return whole.op === "sub" && numberOf(whole.args[0]) === 0n ? whole.args[1] : undefined;
}

/** Ones from the lowest bit on, at least two bits below the highest. */
function isMask(mask: bigint, bits: number): boolean {
  return mask > 0n && (mask & (mask + 1n)) === 0n && mask + 1n < 1n << BigInt(bits - 1);
}

/** The x of `x + bias`. */
function unbiased(biased: Expr, mask: bigint): Expr | undefined {
  return chosen(biased, mask) ?? summed(biased, mask);
}

/** `x < 0 ? x + mask : x` */
function chosen(biased: Expr, mask: bigint): Expr | undefined {
  const [test, yes, no] = madeBy(biased, "select")?.args ?? [];
  if (test === undefined || yes === undefined || no === undefined) return undefined;
  const negative = belowZero(test);
  const x = negative ?? notBelowZero(test);
  const [plus, plain] = negative === undefined ? [no, yes] : [yes, no];
  const sum = pairOf(plus, "add");
  if (x === undefined || sum === undefined) return undefined;
  return alike(plain, x) && alike(sum[0], x) && numberOf(sum[1]) === mask ? x : undefined;
}

/** The x of `x < 0`. */
function belowZero(test: Expr): Expr | undefined {
  const less = pairOf(test, "slt");
  return less !== undefined && numberOf(less[1]) === 0n ? less[0] : undefined;
}

/** The x of `0 <= x`. */
function notBelowZero(test: Expr): Expr | undefined {
  const equal = pairOf(test, "sle");
  if (equal !== undefined && numberOf(equal[0]) === 0n) return equal[1];
  const less = pairOf(test, "slt");
  return less !== undefined && numberOf(less[0]) === ones(less[0].bits) ? less[1] : undefined;
}

function summed(biased: Expr, mask: bigint): Expr | undefined {
  const sum = madeBy(biased, "add");
  const [a, b] = sum?.args ?? [];
  if (a === undefined || b === undefined) return undefined;
  return isBias(b, a, mask) ? a : isBias(a, b, mask) ? b : undefined;
}

/** Whether a value is the mask where x is negative and else 0. */
function isBias(bias: Expr, x: Expr, mask: bigint): boolean {
  const shift = madeBy(bias, "shr");
  const [of, count] = shift?.args ?? [];
  const by = numberOf(count);
  if (shift === undefined || of === undefined || by === undefined || by >= BigInt(shift.bits) || (1n << (BigInt(shift.bits) - by)) - 1n !== mask) return false;
  if (mask === 1n) return alike(of, x);
  const sign = madeBy(of, "sar");
  return sign?.args[0] !== undefined && numberOf(sign.args[1]) === BigInt(sign.bits - 1) && alike(sign.args[0], x);
}

/** What a value is the low bits of. */
function cutFrom(part: Expr, bits: number): Expr | undefined {
  const cut = madeBy(part, "extract");
  return cut?.imm === 0 && cut.args[0]?.bits === bits ? cut.args[0] : undefined;
}

function isLowOf(part: Expr, whole: Expr): boolean {
  if (part.bits === whole.bits) return alike(part, whole);
  const of = cutFrom(part, whole.bits);
  return of !== undefined && alike(of, whole);
}
