import { signed, type Expr } from "../../ir/expression.js";
import type { LiftedBlock, Step } from "../../ir/statement.js";
import type { Machine } from "../machine-model.js";
import { targetsOf } from "./live-places.js";

/** Offsets from the stack pointer at the entry that places hold, by place; none where that is not known. */
type Offsets = ReadonlyMap<number, number>;

/**
 * How far below the stack pointer at the entry a function's frame reaches, in bytes, from the first way that leads to each
 * block. Undefined where the stack pointer takes a value that only run time knows.
 */
export function stackDepth(blocks: readonly LiftedBlock[], entry: number, machine: Machine): number | undefined {
  const byStart = new Map(blocks.map((block) => [block.start, block]));
  const seen = new Set<number>([entry]);
  const work: { readonly start: number; readonly offsets: Offsets }[] = [{ start: entry, offsets: new Map([[machine.stackPointer, 0]]) }];
  let lowest = 0;
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const block = byStart.get(next.start);
    if (block === undefined) continue;
    const offsets = new Map(next.offsets);
    for (const step of block.steps) {
      follow(step, offsets, machine);
      const depth = offsets.get(machine.stackPointer);
      if (depth === undefined) return undefined;
      lowest = Math.min(lowest, depth, step.kind === "set" ? (offsets.get(step.place) ?? 0) : 0);
    }
    for (const target of targetsOf(block.ending)) {
      if (seen.has(target)) continue;
      seen.add(target);
      work.push({ start: target, offsets });
    }
  }
  return -lowest;
}

function follow(step: Step, offsets: Map<number, number>, machine: Machine): void {
  if (step.kind === "call") for (const place of machine.callWrites) offsets.delete(place);
  if (step.kind !== "set" && step.kind !== "effect") return;
  const offset = step.kind === "set" ? offsetOf(step.value, offsets) : undefined;
  if (offset === undefined) offsets.delete(step.place);
  else offsets.set(step.place, offset);
}

/** Of an aligned address the lowest it can be. */
function offsetOf(expr: Expr, offsets: Offsets): number | undefined {
  if (expr.kind === "read") return offsets.get(expr.place);
  if (expr.kind !== "op" || expr.bits !== 64) return undefined;
  const [a, b] = expr.args;
  const base = a === undefined ? undefined : offsetOf(a, offsets);
  if (base === undefined || b?.kind !== "const") return undefined;
  const by = Number(signed(b.value, 64));
  if (expr.op === "add") return base + by;
  if (expr.op === "sub") return base - by;
  return expr.op === "and" && by < 0 && by >= -4096 ? base + by : undefined;
}
