import type { Expr, OpName } from "./expression.js";

const keeping: ReadonlySet<OpName> = new Set(["zext", "concat", "insert", "vector", "extract"]);

/** An address that becomes part of something wider, or whose low bits are taken, must stay recognisable. */
export function keepsAddress(name: OpName, args: readonly Expr[]): boolean {
  if (!keeping.has(name)) return false;
  return args.some((arg) => arg.kind === "const" && arg.isAddress === true);
}

/** An address and a distance make an address. */
export function isAddressSum(name: OpName, [a, b]: readonly Expr[]): boolean {
  const first = a?.kind === "const" && a.isAddress === true;
  const second = b?.kind === "const" && b.isAddress === true;
  return name === "add" ? first !== second : name === "sub" && first && !second;
}

export function holdsAddress(expr: Expr): boolean {
  return expr.kind === "op" && expr.args[1]?.kind === "const" && expr.args[1].isAddress === true;
}
