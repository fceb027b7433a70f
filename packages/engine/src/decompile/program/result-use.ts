import type { Step } from "../../ir/statement.js";
import { someExpr, type Expr } from "../../ir/expression.js";
import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import type { FunctionRecord } from "../../program.js";
import type { LiftContext } from "../lift/lift-context.js";
import type { Lifter } from "../lift/lifter.js";

/** Calls that are looked at. */
const mostCalls = 16;

/** True where a caller in the program reads the place right behind a call of the function, before it sets it. */
export function isResultUsed(program: AnalyzedProgram, fn: FunctionRecord, { lifter, context, place }: { readonly lifter: Lifter; readonly context: LiftContext; readonly place: number }): boolean {
  const calls = program.referencesTo(fn.entry).filter(({ kind, operandIndex }) => kind === "call" && operandIndex !== undefined);
  return calls.slice(0, mostCalls).some(({ from }) => {
    const caller = program.functionContaining(from);
    const block = caller === undefined ? undefined : program.blocks(caller).find(({ start, end }) => from >= start && from < end);
    if (block === undefined) return false;
    const [lifted] = lifter.lift([block], block.start, context).blocks;
    if (lifted === undefined) return false;
    const { steps, ending } = lifted;
    const found = readsBehind(steps.slice(steps.findIndex(({ kind, at }) => kind === "call" && at === from) + 1), place);
    return found ?? (ending.kind === "branch" && reads(ending.condition, place));
  });
}

/** Whether the place is read first; undefined where it is neither read nor set. */
function readsBehind(steps: readonly Step[], place: number): boolean | undefined {
  for (const step of steps) {
    if (step.kind === "call") return false;
    const parts = step.kind === "set" ? [step.value] : step.kind === "store" ? [step.address, step.value] : step.args;
    if (parts.some((part) => reads(part, place))) return true;
    if (step.kind === "set" && step.place === place) return false;
  }
  return undefined;
}

function reads(expr: Expr, place: number): boolean {
  return someExpr(expr, (part) => part.kind === "read" && part.place === place);
}
