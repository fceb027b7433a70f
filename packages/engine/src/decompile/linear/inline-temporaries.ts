import { readsMemory, sizeOf, someExpr, type Expr } from "../../ir/expression.js";
import type { Ending, LiftedBlock, Step } from "../../ir/statement.js";
import { rewrite } from "../ssa/rewrite.js";

/** Steps looked at behind one: a bound on time. */
const reach = 12;
const largest = 30;

/** Temporaries of instructions that are read once move to where they are read, where nothing they are made of changes before. */
export function inlineTemporaries({ start, steps, ending }: LiftedBlock, firstTemporary: number): LiftedBlock {
  const counts = new Map<number, number>();
  const count = (expr: Expr): void => { forEachRead(expr, (place) => { if (place >= firstTemporary) counts.set(place, (counts.get(place) ?? 0) + 1); }); };
  for (const step of steps) partsOf(step).forEach(count);
  partsOfEnding(ending).forEach(count);
  const work: (Step | undefined)[] = [...steps];
  for (const [index, given] of work.entries()) {
    if (given?.kind !== "set" || given.place < firstTemporary || counts.get(given.place) !== 1) continue;
    const at = readerOf(work, index, given);
    const reader = at === undefined ? undefined : work[at];
    if (at === undefined || reader === undefined) continue;
    work[at] = mapStep(reader, (expr) => rewrite(expr, (leaf) => (leaf.kind === "read" && leaf.place === given.place ? given.value : leaf)));
    work[index] = undefined;
  }
  return { start, steps: work.filter((step) => step !== undefined), ending };
}

/** The step that reads the value, where that may as well be made there. */
function readerOf(steps: readonly (Step | undefined)[], from: number, { place, value }: Extract<Step, { kind: "set" }>): number | undefined {
  const isMemory = readsMemory(value);
  if (sizeOf(value, largest) >= largest) return undefined;
  for (let at = from + 1; at < Math.min(steps.length, from + reach); at += 1) {
    const step = steps[at];
    if (step === undefined) continue;
    if (partsOf(step).some((part) => readsPlace(part, place))) return isSafe(step, isMemory) ? at : undefined;
    if (step.kind === "call" || (isMemory && step.kind !== "set")) return undefined;
    if ((step.kind === "set" || step.kind === "effect") && readsPlace(value, step.place)) return undefined;
  }
  return undefined;
}

/** A named operation may read and write memory before its arguments are evaluated; a call does not name them. */
function isSafe({ kind }: Step, isMemory: boolean): boolean {
  return kind === "set" || kind === "store" || !isMemory;
}

function readsPlace(expr: Expr, place: number): boolean {
  return someExpr(expr, (part) => part.kind === "read" && part.place === place);
}

function forEachRead(expr: Expr, visit: (place: number) => void): void {
  if (expr.kind === "read") visit(expr.place);
  else if (expr.kind === "load") forEachRead(expr.address, visit);
  else if (expr.kind === "op") for (const arg of expr.args) forEachRead(arg, visit);
}

function partsOf(step: Step): readonly Expr[] {
  switch (step.kind) {
    case "set":
      return [step.value];
    case "store":
      return [step.address, step.value];
    case "effect":
      return step.args;
    case "call":
      return step.target.kind === "indirect" ? [step.target.address] : [];
  }
}

function partsOfEnding(ending: Ending): readonly Expr[] {
  if (ending.kind === "branch") return [ending.condition];
  if (ending.kind === "switch") return [ending.selector];
  return ending.kind === "tail" && ending.target.kind === "indirect" ? [ending.target.address] : [];
}

function mapStep(step: Step, map: (expr: Expr) => Expr): Step {
  switch (step.kind) {
    case "set":
      return { ...step, value: map(step.value) };
    case "store":
      return { ...step, address: map(step.address), value: map(step.value) };
    case "effect":
      return { ...step, args: step.args.map(map) };
    case "call":
      return step.target.kind === "indirect" ? { ...step, target: { kind: "indirect", address: map(step.target.address) } } : step;
  }
}
