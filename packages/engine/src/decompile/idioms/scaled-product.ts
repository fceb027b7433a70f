import type { Expr } from "../../ir/expression.js";
import { greatest } from "../../ir/greatest.js";
import { alike, made, madeBy, numberOf } from "./look-through.js";
import { multipleOf } from "./multiple.js";

/** A value that is `floor(factor * x / 2 ** shift)`, x and the value taken with or without sign. */
export interface ScaledProduct {
  readonly x: Expr;
  readonly factor: bigint;
  readonly shift: number;
  readonly isSigned: boolean;
}

/** Reads a value as the upper part of a product with a constant; undefined where it is none, or where bits may be lost. */
export function scaledProduct(expr: Expr, depth = 0): ScaledProduct | undefined {
  if (depth > 6) return undefined;
  return whole(expr) ?? upperPart(expr, depth) ?? shifted(expr, depth) ?? withX(expr, depth) ?? halfSum(expr, depth);
}

/** The product itself, wide enough for every x. */
function whole(expr: Expr): ScaledProduct | undefined {
  const found = multipleOf(expr, ({ op }) => op === "zext" || op === "sext");
  const x = found?.of.args[0];
  if (found === undefined || x === undefined || x.bits < 8 || found.by === 1n) return undefined;
  const isSigned = found.of.op === "sext";
  const factor = isSigned ? found.by : BigInt.asUintN(expr.bits, found.by);
  const size = (factor < 0n ? -factor : factor) * mostOf(x, isSigned);
  return size < 1n << BigInt(isSigned ? expr.bits - 1 : expr.bits) ? { x, factor, shift: 0, isSigned } : undefined;
}

/** No x is further from zero. */
export function mostOf(x: Expr, isSigned: boolean): bigint {
  return isSigned ? 1n << BigInt(x.bits - 1) : greatest(made(x));
}

/** Upper bits of a product, taken as they are. */
function upperPart(expr: Expr, depth: number): ScaledProduct | undefined {
  const part = madeBy(expr, "extract");
  const [of] = part?.args ?? [];
  const found = of === undefined ? undefined : scaledProduct(of, depth + 1);
  if (part === undefined || of === undefined || found === undefined) return undefined;
  const made = { ...found, shift: found.shift + part.imm };
  // Either the bits above are copies of the sign, or there are none.
  return part.bits + part.imm <= of.bits && fits(made, part.bits) ? made : undefined;
}

/** Whether the value is not cut by the width. */
function fits({ x, factor, shift, isSigned }: ScaledProduct, bits: number): boolean {
  const size = (((factor < 0n ? -factor : factor) * mostOf(x, isSigned)) >> BigInt(shift)) + 1n;
  return size <= 1n << BigInt(isSigned ? bits - 1 : bits);
}

function shifted(expr: Expr, depth: number): ScaledProduct | undefined {
  return shiftedPart(expr, depth) ?? plainlyShifted(expr, depth);
}

/** A shift by eight bits or the like: the upper part, widened again. */
function shiftedPart(expr: Expr, depth: number): ScaledProduct | undefined {
  const wide = madeBy(expr, "sext", "zext");
  const part = wide?.args[0] === undefined ? undefined : madeBy(wide.args[0], "extract");
  const [of] = part?.args ?? [];
  if (wide === undefined || part === undefined || of === undefined || part.imm + part.bits !== of.bits) return undefined;
  const found = scaledProduct(of, depth + 1);
  return found === undefined || found.isSigned !== (wide.op === "sext") ? undefined : { ...found, shift: found.shift + part.imm };
}

function plainlyShifted(expr: Expr, depth: number): ScaledProduct | undefined {
  const shift = madeBy(expr, "shr", "sar");
  const [of, by] = shift?.args ?? [];
  const count = numberOf(by);
  if (shift === undefined || of === undefined || count === undefined || count >= BigInt(shift.bits)) return undefined;
  const found = scaledProduct(of, depth + 1);
  if (found === undefined || found.isSigned !== (shift.op === "sar")) return undefined;
  return { ...found, shift: found.shift + Number(count) };
}

/** The upper half of a product with a factor whose highest bit was taken for a sign, and x itself, or less x. */
function withX(expr: Expr, depth: number): ScaledProduct | undefined {
  const sum = madeBy(expr, "add", "sub");
  const [a, b] = sum?.args ?? [];
  if (sum === undefined || a === undefined || b === undefined) return undefined;
  const orders = sum.op === "add" ? ([[a, b], [b, a]] as const) : ([[a, b]] as const);
  for (const [part, x] of orders) {
    const found = madeBy(part, "extract") === undefined ? undefined : scaledProduct(part, depth + 1);
    if (found === undefined || !found.isSigned || found.x.bits !== sum.bits || found.shift !== sum.bits || !alike(found.x, x)) continue;
    const one = 1n << BigInt(sum.bits);
    const made = { ...found, factor: sum.op === "add" ? found.factor + one : found.factor - one };
    return fits(made, sum.bits) ? made : undefined;
  }
  return undefined;
}

/** `(x - h) / 2 + h`, where h is the upper half of a product: a factor with one bit more than the width. */
function halfSum(expr: Expr, depth: number): ScaledProduct | undefined {
  const sum = madeBy(expr, "add");
  const [a, b] = sum?.args ?? [];
  if (sum === undefined || a === undefined || b === undefined) return undefined;
  for (const [high, half] of [[a, b], [b, a]] as const) {
    const shift = madeBy(half, "shr");
    const difference = shift === undefined || numberOf(shift.args[1]) !== 1n || shift.args[0] === undefined ? undefined : madeBy(shift.args[0], "sub");
    const [x, h] = difference?.args ?? [];
    if (x === undefined || h === undefined || !alike(h, high)) continue;
    const found = scaledProduct(high, depth + 1);
    if (found === undefined || found.isSigned || found.x.bits !== sum.bits || found.shift !== sum.bits || !alike(found.x, x)) continue;
    return { ...found, factor: found.factor + (1n << BigInt(sum.bits)), shift: sum.bits + 1 };
  }
  return undefined;
}
