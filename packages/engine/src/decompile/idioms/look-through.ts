import { readsMemory, type Expr, type Op, type OpName } from "../../ir/expression.js";

/** What a value is made of, where it is one expression over other values; the value itself else. */
export function made(expr: Expr): Expr {
  if (expr.kind !== "use" || expr.def.source.kind !== "expr") return expr;
  const { expr: source } = expr.def.source;
  return source.bits === expr.bits && !readsMemory(source) ? made(source) : expr;
}

/** The operation that a value is made by, where it is that one. */
export function madeBy(expr: Expr, ...names: readonly OpName[]): Op | undefined {
  const found = made(expr);
  return found.kind === "op" && names.includes(found.op) ? found : undefined;
}

/** The two arguments of the operation that a value is made by, where it is that one. */
export function pairOf(expr: Expr | undefined, name: OpName): readonly [Expr, Expr] | undefined {
  const [a, b] = expr === undefined ? [] : (madeBy(expr, name)?.args ?? []);
  return a === undefined || b === undefined ? undefined : [a, b];
}

/** The number a value is, where it is a constant that is no address. */
export function numberOf(expr: Expr | undefined): bigint | undefined {
  return expr?.kind === "const" && expr.isAddress !== true ? expr.value : undefined;
}

/** Equal values, whether they are looked at by name or by what makes them. */
export function alike(a: Expr, b: Expr, depth = 0): boolean {
  if (a === b) return a.kind !== "load";
  if (a.bits !== b.bits || depth > deepest) return false;
  if (a.kind === "use" && b.kind === "use" && a.def === b.def) return true;
  const [x, y] = [made(a), made(b)];
  if (x.kind === "const") return y.kind === "const" && x.value === y.value;
  if (x.kind === "use") return y.kind === "use" && x.def === y.def;
  if (x.kind !== "op" || y.kind !== "op" || x.op === "unknown") return false;
  return x.op === y.op && x.imm === y.imm && x.name === y.name && x.args.length === y.args.length && x.args.every((arg, index) => isAlike(arg, y.args[index], depth + 1));
}

/** Deeper trees are taken for different. */
const deepest = 6;

function isAlike(a: Expr, b: Expr | undefined, depth: number): boolean {
  return b !== undefined && alike(a, b, depth);
}
