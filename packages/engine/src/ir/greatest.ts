import { mask, type Expr, type Op } from "./expression.js";

/** An upper bound of the value as an unsigned number, as far as the expression itself shows one. */
export function greatest(expr: Expr): bigint {
  const whole = mask(expr.bits);
  if (expr.kind === "const") return expr.value;
  if (expr.kind === "use") return least(mask(expr.def.bits), whole);
  return expr.kind === "op" ? least(greatestOf(expr) ?? whole, whole) : whole;
}

/** May be more than the width of the result holds: nothing is known then. */
function greatestOf({ op, args, imm }: Op): bigint | undefined {
  const [a, b] = args;
  if (a === undefined) return undefined;
  if (op === "zext" || (op === "extract" && imm === 0)) return greatest(a);
  if (op === "and" && b !== undefined) return least(greatest(a), greatest(b));
  if (b?.kind !== "const") return undefined;
  if (op === "urem") return b.value > 0n ? b.value - 1n : undefined;
  if (op === "shr") return greatest(a) >> b.value;
  if (op === "mul") return greatest(a) * b.value;
  return op === "shl" && b.value < 256n ? greatest(a) << b.value : undefined;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
