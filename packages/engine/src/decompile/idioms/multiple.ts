import type { Expr, Op } from "../../ir/expression.js";
import { alike, made, numberOf } from "./look-through.js";

interface Multiple {
  readonly of: Op;
  /** Modulo the width only; as the operations add up. */
  readonly by: bigint;
}

const deepest = 8;

/** A value as so many times one operation, put together from sums, shifts and products; undefined where it is not. */
export function multipleOf(expr: Expr, isBase: (expr: Op) => boolean, depth = 0): Multiple | undefined {
  const whole = made(expr);
  if (depth > deepest || whole.kind !== "op") return undefined;
  if (isBase(whole)) return { of: whole, by: 1n };
  const [a, b] = whole.args;
  const first = a === undefined ? undefined : multipleOf(a, isBase, depth + 1);
  if (first === undefined) return undefined;
  if (whole.op === "neg") return { of: first.of, by: -first.by };
  const by = numberOf(b);
  if (by !== undefined) {
    if (whole.op === "mul") return { of: first.of, by: first.by * BigInt.asIntN(whole.bits, by) };
    return whole.op === "shl" && by < BigInt(whole.bits) ? { of: first.of, by: first.by << by } : undefined;
  }
  if ((whole.op !== "add" && whole.op !== "sub") || b === undefined) return undefined;
  const second = multipleOf(b, isBase, depth + 1);
  if (second === undefined || !alike(first.of, second.of)) return undefined;
  return { of: first.of, by: whole.op === "add" ? first.by + second.by : first.by - second.by };
}
