import { signed, type Const, type Expr } from "../../ir/expression.js";

export interface AddressParts {
  readonly terms: readonly Expr[];
  readonly offset: number;
  readonly address: Const | undefined;
}

/** Terms of a sum and the constants in it. */
export function addressParts(expr: Expr): AddressParts {
  if (expr.kind === "const") {
    if (expr.isAddress === true) return { terms: [], offset: 0, address: expr };
    const value = signed(expr.value, expr.bits);
    const isSmall = value >= -(1n << 47n) && value < 1n << 47n;
    return isSmall ? { terms: [], offset: Number(value), address: undefined } : { terms: [expr], offset: 0, address: undefined };
  }
  if (expr.kind !== "op" || expr.op !== "add") return { terms: [expr], offset: 0, address: undefined };
  const parts = expr.args.map(addressParts);
  return {
    terms: parts.flatMap(({ terms }) => terms),
    offset: parts.reduce((total, part) => total + part.offset, 0),
    address: parts.find((part) => part.address !== undefined)?.address,
  };
}

/** The factor beside the size of an element; undefined where the term is no multiple of it. */
export function scaled(term: Expr, size: number): Expr | undefined {
  if (size === 1) return term;
  if (size <= 0) return undefined;
  if (term.kind === "const") return term.value % BigInt(size) === 0n ? { ...term, value: term.value / BigInt(size) } : undefined;
  if (term.kind !== "op" || term.args[1]?.kind !== "const") return undefined;
  const by = term.args[1].value;
  const factor = term.op === "mul" ? by : term.op === "shl" && by < 64n ? 1n << by : 0n;
  if (factor === 0n || factor % BigInt(size) !== 0n) return undefined;
  if (factor === BigInt(size)) return term.args[0];
  return { ...term, op: "mul", args: [term.args[0] ?? term, { ...term.args[1], bits: term.bits, value: factor / BigInt(size) }] };
}
