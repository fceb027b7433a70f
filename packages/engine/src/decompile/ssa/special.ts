import { constant, mask, signed, type Definition, type Expr, type Op } from "../../ir/expression.js";
import { make } from "../../ir/simplify.js";
import { asIdiom } from "../idioms/idioms.js";
import type { Machine } from "../machine-model.js";

/** Reductions that need to know the machine: alignment of the stack, signs of floating numbers in vector registers. */
export function specialRules(machine: Machine, stackPointer: () => Definition | undefined): (expr: Expr) => Expr {
  const { first, count } = machine.vectors;
  const isVector = (expr: Expr): boolean => {
    if (expr.kind === "use") return expr.def.place >= first && expr.def.place < first + count;
    return expr.kind === "op" && expr.op.startsWith("f");
  };

  function alignedStack(expr: Op): Expr | undefined {
    const [a, b] = expr.args;
    const pointer = stackPointer();
    if (expr.op !== "and" || expr.bits !== 64 || a === undefined || b?.kind !== "const" || pointer === undefined) return undefined;
    const by = -signed(b.value, 64);
    if (by <= 0n || by > 64n || (by & (by - 1n)) !== 0n) return undefined;
    const [base, offset] = a.kind === "op" && a.op === "add" ? a.args : [a, constant(64, 0)];
    if (base?.kind !== "use" || base.def !== pointer || offset?.kind !== "const") return undefined;
    // The frame is ours: it is laid out so that the entry stands 8 above a multiple of 64.
    const shift = machine.entryMisaligned ? 8n : 0n;
    return make("add", 64, [base, constant(64, floorTo(signed(offset.value, 64) + shift, by) - shift)]);
  }

  function signOfFloat(expr: Op): Expr | undefined {
    const [a, b] = expr.args;
    if (a === undefined || b?.kind !== "const" || (expr.bits !== 32 && expr.bits !== 64) || !isVector(a)) return undefined;
    if (expr.op === "and" && b.value === mask(expr.bits - 1)) return make("fabs", expr.bits, [a]);
    if (expr.op === "xor" && b.value === 1n << BigInt(expr.bits - 1)) return make("fneg", expr.bits, [a]);
    return undefined;
  }

  return (expr) => (expr.kind === "op" ? (alignedStack(expr) ?? signOfFloat(expr) ?? asIdiom(expr) ?? expr) : expr);
}

function floorTo(value: bigint, by: bigint): bigint {
  const rest = ((value % by) + by) % by;
  return value - rest;
}
