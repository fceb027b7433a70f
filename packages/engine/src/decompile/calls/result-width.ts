import type { Definition, Expr, Op } from "../../ir/expression.js";
import type { demandedWidths } from "../ssa/narrow.js";

/** How many low bits of a value somebody but calls and returns reads. */
export type Widths = ReturnType<typeof demandedWidths>;

/** Width of the floating number that the values are. */
export function floatWidth(values: readonly Expr[], widths: Widths): number {
  const seen = new Set<Definition>();
  return values.every((value) => widthOfFloat(value, seen, widths) <= 32) ? 32 : 64;
}

/** Bits that the value really has; whatever lies above was there before. */
function widthOfFloat(expr: Expr, seen: Set<Definition>, widths: Widths): number {
  // A constant says what it is: a double has something above its lower half.
  if (expr.kind === "const") return BigInt.asUintN(64, expr.value) >= 1n << 32n ? 64 : 0;
  if (expr.kind === "use") return widthOfFloatValue(expr.def, seen, widths);
  if (expr.kind === "op" && expr.op === "insert") return Math.max(expr.args[1]?.bits ?? 64, isOwnVector(expr.args[0], widths) ? 64 : insertedBelow(expr.args[0], seen, widths));
  if (expr.kind === "op" && expr.op === "zext") return expr.args[0]?.bits ?? 64;
  if (expr.kind === "op" && expr.op === "select") return Math.max(...expr.args.slice(1).map((arg) => widthOfFloat(arg, seen, widths)));
  if (expr.kind === "op" && expr.op === "and") return Math.min(...expr.args.map((arg) => widthOfFloat(arg, seen, widths)).filter((bits) => bits > 0));
  return 64;
}

function widthOfFloatValue(def: Definition, seen: Set<Definition>, widths: Widths): number {
  const { source, bits } = def;
  if (bits <= 64) return bits;
  if (seen.has(def)) return 0;
  seen.add(def);
  if (source.kind === "expr") return widthOfFloat(source.expr, seen, widths);
  if (source.kind === "entry") return widths(def) ?? 0;
  return source.kind === "phi" ? Math.max(...source.args.map((arg) => widthOfFloat(arg, seen, widths))) : 64;
}

/** Numbers computed side by side, which nothing but the result is made of. */
function isOwnVector(expr: Expr | undefined, widths: Widths): boolean {
  if (expr?.kind === "use") return expr.def.source.kind === "expr" && expr.def.source.expr.kind === "op" && expr.def.source.expr.op === "vector" && (widths(expr.def) ?? 0) === 0;
  return expr?.kind === "op" && expr.op === "vector";
}

/** Under an insert nothing counts but what was itself made of narrow parts. */
function insertedBelow(expr: Expr | undefined, seen: Set<Definition>, widths: Widths): number {
  return expr?.kind === "op" && expr.op === "insert" ? widthOfFloat(expr, seen, widths) : 0;
}

/** Width of an argument that is only handed on: any that something else asks for, else the whole register. */
const anyWidth = 0.5;

/** Width of the integer that the values are: 8, 32 or 64 bits. */
export function integerWidth(values: readonly Expr[], demanded: Widths): number {
  const seen = new Set<Definition>();
  const widths = values.map((value) => widthOf(value, seen, demanded));
  if (widths.includes(-8)) return 8;
  if (widths.some((bits) => bits > 32)) return 64;
  return widths.includes(anyWidth) && !widths.some((bits) => bits >= 8) ? 64 : 32;
}

/** Width of an integer result; -8 where only the low byte is set, 0 for what fits anything. */
function widthOf(expr: Expr, seen: Set<Definition>, demanded: Widths): number {
  // A negative number of 32 bits is none of 64.
  if (expr.kind === "const") return expr.isAddress === true || expr.value >= 1n << 32n ? 64 : expr.value >= 1n << 31n ? 32 : 0;
  if (expr.bits <= 32) return expr.bits;
  if (expr.kind === "use") return widthOfValue(expr.def, seen, demanded);
  if (expr.kind !== "op") return 64;
  if (expr.op === "zext") return 32;
  if (expr.op === "insert") return widthOfInsert(expr, seen, demanded);
  if (expr.op === "select") return Math.max(...expr.args.slice(1).map((arg) => widthOf(arg, seen, demanded)));
  if (expr.op === "and" || expr.op === "or" || expr.op === "xor") {
    const widths = expr.args.map((arg) => widthOf(arg, seen, demanded));
    return expr.op === "and" && expr.args.some((arg) => arg.kind === "const" && arg.value < 1n << 31n) ? 32 : Math.max(...widths);
  }
  return 64;
}

/** A low byte that is changed in place, as by `or al, 1`, is one of a wider value: nothing else asks for what is above it. */
function widthOfInsert({ imm, args }: Op, seen: Set<Definition>, demanded: Widths): number {
  const [base, low] = args;
  if (base === undefined || low === undefined || imm !== 0 || low.bits !== 8) return 64;
  const isOwn = base.kind === "op" || (base.kind === "use" && base.def.source.kind === "expr" && (demanded(base.def) ?? 0) === 0);
  return isOwn ? widthOf(base, seen, demanded) : -8;
}

function widthOfValue(def: Definition, seen: Set<Definition>, demanded: Widths): number {
  const { source, bits } = def;
  if (bits <= 32) return bits;
  if (seen.has(def)) return 0;
  seen.add(def);
  if (source.kind === "expr") return widthOf(source.expr, seen, demanded);
  if (source.kind === "entry") return widthOfEntry(demanded(def) ?? 0);
  if (source.kind !== "phi") return 64;
  const widths = source.args.map((arg) => widthOf(arg, seen, demanded));
  return widths.includes(-8) ? -8 : Math.max(...widths);
}

function widthOfEntry(demanded: number): number {
  return demanded === 0 ? anyWidth : demanded > 32 ? 64 : 32;
}
