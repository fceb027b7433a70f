import type { Step } from "../../ir/statement.js";
import { someExpr, type Expr } from "../../ir/expression.js";
import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import type { BasicBlock, FunctionRecord } from "../../program.js";
import type { LiftContext } from "../lift/lift-context.js";
import type { Lifter } from "../lift/lifter.js";

/** Calls that are looked at. */
const mostCalls = 16;

interface Question {
  readonly lifter: Lifter;
  readonly context: LiftContext;
  readonly place: number;
  /** Whether a called function takes an argument in the place. */
  readonly takes: (target: number) => boolean;
}

/** Blocks behind a call that are looked at. */
const mostBlocks = 6;

/** True where a caller in the program reads the place behind a call of the function, before it sets it. */
export function isResultUsed(program: AnalyzedProgram, fn: FunctionRecord, question: Question): boolean {
  const calls = program.referencesTo(fn.entry).filter(({ kind, operandIndex }) => kind === "call" && operandIndex !== undefined);
  return calls.slice(0, mostCalls).some(({ from }) => {
    const caller = program.functionContaining(from);
    return caller !== undefined && isReadBehind(program.blocks(caller), from, question);
  });
}

/** True where the function of these blocks reads the place behind its call there, before it sets it. */
export function isReadBehind(blocks: readonly BasicBlock[], call: number, { lifter, context, place, takes }: Question): boolean {
  const first = blocks.find(({ start, end }) => call >= start && call < end);
  const work = first === undefined ? [] : [first];
  const seen = new Set(work);
  for (let block = work.shift(); block !== undefined; block = work.shift()) {
    const [lifted] = lifter.lift([block], block.start, context).blocks;
    if (lifted === undefined) continue;
    const { steps, ending } = lifted;
    const from = block === first ? steps.findIndex(({ kind, at }) => kind === "call" && at === call) + 1 : 0;
    const found = readsBehind(steps.slice(from), place, takes);
    if (found === true || (found === undefined && ending.kind === "branch" && reads(ending.condition, place))) return true;
    if (found === false) continue;
    for (const { target } of block.successors) {
      const next = blocks.find(({ start }) => start === target);
      if (next === undefined || seen.has(next) || seen.size >= mostBlocks) continue;
      seen.add(next);
      work.push(next);
    }
  }
  return false;
}

/** Whether the place is read first; undefined where it is neither read nor set. */
function readsBehind(steps: readonly Step[], place: number, takes: (target: number) => boolean): boolean | undefined {
  for (const step of steps) {
    if (step.kind === "call") return step.target.kind === "direct" && takes(step.target.rva);
    const parts = step.kind === "set" ? [step.value] : step.kind === "store" ? [step.address, step.value] : step.args;
    if (parts.some((part) => reads(part, place))) return true;
    if (step.kind === "set" && step.place === place) return false;
  }
  return undefined;
}

function reads(expr: Expr, place: number): boolean {
  return someExpr(expr, (part) => part.kind === "read" && part.place === place);
}
