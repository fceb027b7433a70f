import { mask, signed, type Op } from "./expression.js";
import { floatOf, patternOf } from "./float-bits.js";
import { evaluateIntrinsic } from "./evaluate-intrinsic.js";
import { evaluateVector } from "./evaluate-vector.js";
import { fusedMultiplyAdd } from "./fused.js";

/**
 * The value of an operation over constant arguments; undefined for division by zero and for what has no fixed meaning
 * (`intrinsic`, `unknown`). Arguments are unsigned patterns of their widths.
 */
export function evaluate(expr: Op, values: readonly bigint[]): bigint | undefined {
  const result = expr.op.startsWith("f") || expr.op.endsWith("tof") ? evaluateFloat(expr, values) : evaluateInteger(expr, values);
  return result === undefined ? undefined : BigInt.asUintN(expr.bits, result);
}

function evaluateInteger(expr: Op, values: readonly bigint[]): bigint | undefined {
  const [a = 0n, b = 0n, c = 0n] = values;
  const width = expr.args[0]?.bits ?? expr.bits;
  if (expr.op === "select") return a === 0n ? c : b;
  if (expr.op === "vector") return evaluateVector(expr, values, evaluate);
  if (expr.op === "intrinsic") return evaluateIntrinsic(expr.name, values);
  const plain = arithmetic[expr.op];
  if (plain !== undefined) return plain(a, b);
  if (isComparison(expr.op)) return compare(expr.op, width, a, b) ? 1n : 0n;
  if (partial.has(expr.op)) return parts(expr, width, a, b);
  switch (expr.op) {
    case "udiv":
    case "sdiv":
    case "urem":
    case "srem":
      return divide(expr.op, width, a, b);
    default:
      return shiftOrCount(expr, width, a, b);
  }
}

const partial = new Set<string>(["zext", "sext", "extract", "concat", "insert"]);

function parts({ op, args, imm }: Op, width: number, a: bigint, b: bigint): bigint {
  const bits = args[1]?.bits ?? 0;
  if (op === "sext") return signed(a, width);
  if (op === "extract") return a >> BigInt(imm);
  if (op === "concat") return (a << BigInt(bits)) | b;
  return op === "insert" ? insert(a, b, bits, imm) : a;
}

const arithmetic: Readonly<Record<string, ((a: bigint, b: bigint) => bigint) | undefined>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  not: (a) => ~a,
  neg: (a) => -a,
};

type Comparison = "eq" | "ne" | "ult" | "ule" | "slt" | "sle";

function isComparison(op: string): op is Comparison {
  return op === "eq" || op === "ne" || op === "ult" || op === "ule" || op === "slt" || op === "sle";
}

function insert(base: bigint, value: bigint, bits: number, from: number): bigint {
  const hole = mask(bits) << BigInt(from);
  return (base & ~hole) | (value << BigInt(from));
}

function divide(op: "udiv" | "sdiv" | "urem" | "srem", bits: number, a: bigint, b: bigint): bigint | undefined {
  if (b === 0n) return undefined;
  if (op === "udiv") return a / b;
  if (op === "urem") return a % b;
  const [x, y] = [signed(a, bits), signed(b, bits)];
  return op === "sdiv" ? x / y : x % y;
}

function compare(op: Comparison, bits: number, a: bigint, b: bigint): boolean {
  switch (op) {
    case "eq": return a === b;
    case "ne": return a !== b;
    case "ult": return a < b;
    case "ule": return a <= b;
    case "slt": return signed(a, bits) < signed(b, bits);
    case "sle": return signed(a, bits) <= signed(b, bits);
  }
}

function shiftOrCount({ op }: Op, bits: number, a: bigint, b: bigint): bigint | undefined {
  const width = BigInt(bits);
  switch (op) {
    // Counts of the width and more give nothing (or the sign); processors mask before.
    case "shl": return b >= width ? 0n : a << b;
    case "shr": return b >= width ? 0n : a >> b;
    case "sar": return signed(a, bits) >> (b >= width ? width - 1n : b);
    case "rol": return rotate(a, b % width, width);
    case "ror": return rotate(a, (width - (b % width)) % width, width);
    case "bswap": return swapBytes(a, bits);
    case "clz": return a === 0n ? width : width - BigInt(a.toString(2).length);
    case "ctz": return a === 0n ? width : BigInt((a & -a).toString(2).length - 1);
    case "popcnt": return BigInt(a.toString(2).replaceAll("0", "").length);
    case "parity": return BigInt((a & 255n).toString(2).replaceAll("0", "").length % 2 === 0);
    default: return undefined;
  }
}

function rotate(value: bigint, by: bigint, width: bigint): bigint {
  return BigInt.asUintN(Number(width), (value << by) | (value >> (width - by)));
}

function swapBytes(value: bigint, bits: number): bigint {
  let result = 0n;
  for (let at = 0; at < bits; at += 8) result = (result << 8n) | ((value >> BigInt(at)) & 255n);
  return result;
}

function evaluateFloat(expr: Op, values: readonly bigint[]): bigint | undefined {
  const width = expr.args[0]?.bits ?? expr.bits;
  const [a = 0n, b = 0n] = values;
  if (width > 64) return undefined;
  if (expr.op === "sitof") return patternOf(expr.bits, rounded(signed(a, width), expr.bits));
  if (expr.op === "uitof") return patternOf(expr.bits, rounded(a, expr.bits));
  if (expr.op === "fma") return fusedMultiplyAdd(width, [a, b, values[2] ?? 0n]);
  const x = floatOf(width, a);
  const y = floatOf(width, b);
  const test = floatTests[expr.op];
  if (test !== undefined) return BigInt(test(x, y));
  const conversion = conversions[expr.op];
  if (conversion !== undefined) return conversion({ expr, width, x, a });
  return isExtreme(expr.op) ? extremeOf(expr.op, width, [a, b]) : floatArithmetic(expr, x, y, [a, b]);
}

interface Converted {
  readonly expr: Op;
  readonly width: number;
  readonly x: number;
  readonly a: bigint;
}

/** Operations on one number. */
const conversions: Readonly<Record<string, ((given: Converted) => bigint) | undefined>> = {
  fneg: ({ width, a }) => a ^ (1n << BigInt(width - 1)),
  fabs: ({ width, a }) => a & mask(width - 1),
  ftosi: ({ expr, x }) => toInteger(Math.trunc(x), expr.bits),
  ftosat: ({ expr, x }) => saturated(x, -(2 ** (expr.bits - 1)), 2 ** (expr.bits - 1), expr.bits),
  ftousat: ({ expr, x }) => saturated(x, 0, 2 ** expr.bits, expr.bits),
  ftosir: ({ expr, x }) => toInteger(toEven(x), expr.bits),
  ftof: ({ expr, width, x, a }) => (Number.isNaN(x) ? quieted(a, width, expr.bits) : patternOf(expr.bits, x)),
  fround: ({ expr, width, x }) => patternOf(width, roundBy(expr.imm, x)),
};

type Extreme = "fmin" | "fmax" | "fmaxnm" | "fminnm" | "fmaxnan" | "fminnan";

function isExtreme(op: string): op is Extreme {
  return /^fm(in|ax)(nm|nan)?$/.test(op);
}

function extremeOf(op: Extreme, bits: number, [a, b]: readonly [bigint, bigint]): bigint {
  // Of equal or unordered numbers the second is taken, as x86 does.
  if (op === "fmin") return floatOf(bits, a) < floatOf(bits, b) ? a : b;
  if (op === "fmax") return floatOf(bits, a) > floatOf(bits, b) ? a : b;
  return extreme(op, bits, [a, b]);
}

const floatTests: Readonly<Record<string, ((x: number, y: number) => boolean) | undefined>> = {
  feq: (x, y) => x === y,
  flt: (x, y) => x < y,
  fle: (x, y) => x <= y,
  funord: (x, y) => Number.isNaN(x) || Number.isNaN(y),
};

function floatArithmetic({ op, bits }: Op, x: number, y: number, [a, b]: readonly [bigint, bigint]): bigint | undefined {
  if (op === "fsqrt") return Number.isNaN(x) ? quiet(a, bits) : x < 0 ? indefinite(bits) : patternOf(bits, Math.sqrt(x));
  if (Number.isNaN(x)) return quiet(a, bits);
  if (Number.isNaN(y)) return quiet(b, bits);
  const result = op === "fadd" ? x + y : op === "fsub" ? x - y : op === "fmul" ? x * y : op === "fdiv" ? x / y : undefined;
  if (result === undefined) return undefined;
  return Number.isNaN(result) ? indefinite(bits) : patternOf(bits, result);
}

function quiet(pattern: bigint, bits: number): bigint {
  return pattern | (1n << BigInt(bits === 32 ? 22 : 51));
}

/** What an invalid operation gives on x86. */
function indefinite(bits: number): bigint {
  return bits === 32 ? 0xffc00000n : 0xfff8000000000000n;
}

function quieted(pattern: bigint, from: number, to: number): bigint {
  const sign = (pattern >> BigInt(from - 1)) << BigInt(to - 1);
  if (from === to) return quiet(pattern, from);
  const payload = from === 32 ? (pattern & mask(23)) << 29n : (pattern & mask(52)) >> 29n;
  return quiet(sign | payload | (to === 32 ? 0x7f800000n : 0x7ff0000000000000n), to);
}

/** Numbers that do not fit become the indefinite integer of x86. */
function toInteger(value: number, bits: number): bigint {
  const limit = 2 ** (bits - 1);
  return value >= -limit && value < limit ? BigInt(value) : 1n << BigInt(bits - 1);
}

function saturated(value: number, least: number, limit: number, bits: number): bigint {
  if (Number.isNaN(value)) return 0n;
  const whole = Math.trunc(value);
  if (whole < least) return BigInt(least);
  return whole >= limit ? mask(least === 0 ? bits : bits - 1) : BigInt(whole);
}

/** Zeros are told apart by their signs. */
function extreme(name: "fmaxnm" | "fminnm" | "fmaxnan" | "fminnan", bits: number, [a, b]: readonly [bigint, bigint]): bigint {
  const [x, y] = [floatOf(bits, a), floatOf(bits, b)];
  const prefersNumber = name.endsWith("nm");
  for (const [value, pattern] of [[x, a], [y, b]] as const) if (Number.isNaN(value) && quiet(pattern, bits) !== pattern) return quiet(pattern, bits);
  if (Number.isNaN(x)) return prefersNumber ? (Number.isNaN(y) ? quiet(a, bits) : b) : quiet(a, bits);
  if (Number.isNaN(y)) return prefersNumber ? a : quiet(b, bits);
  const isFirst = x === y ? (name.startsWith("fmax") ? !Object.is(x, -0) : Object.is(x, -0)) : name.startsWith("fmax") ? x > y : x < y;
  return isFirst ? a : b;
}

function toEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}

/** Ties go away from zero. */
function fromZero(value: number): number {
  const size = Math.abs(value);
  const low = Math.floor(size);
  return Math.sign(value) * (size - low >= 0.5 ? low + 1 : low);
}

function roundBy(mode: number, value: number): number {
  const result = [toEven, Math.floor, Math.ceil, Math.trunc, fromZero][mode]?.(value) ?? value;
  // The sign survives on zero.
  return result === 0 && (value < 0 || Object.is(value, -0)) ? -0 : result;
}

/** A 64-bit integer rounded once to the float's precision. */
function rounded(value: bigint, bits: number): number {
  if (bits === 64) return Number(value);
  const size = value < 0n ? -value : value;
  const extra = size.toString(2).length - 24;
  if (extra <= 0) return Number(value);
  const unit = 1n << BigInt(extra);
  const rest = size % unit;
  const low = size - rest;
  const half = unit / 2n;
  const up = rest > half || (rest === half && (low / unit) % 2n === 1n);
  const result = Number(up ? low + unit : low);
  return value < 0n ? -result : result;
}
