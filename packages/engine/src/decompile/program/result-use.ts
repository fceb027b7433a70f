import type { Step } from "../../ir/statement.js";
import { someExpr, type Expr } from "../../ir/expression.js";
import { rewrite } from "../ssa/rewrite.js";
import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import type { BasicBlock, FunctionRecord } from "../../program.js";
import type { LiftContext } from "../lift/lift-context.js";
import type { Held } from "../calls/library-takes.js";
import type { Lifter } from "../lift/lifter.js";

/** Calls that are looked at. */
const mostCalls = 16;

interface Question {
  readonly lifter: Lifter;
  readonly context: LiftContext;
  readonly place: number;
  /** Whether a called function takes an argument in the place. */
  readonly takes: (target: number, held: Held) => boolean;
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
    const found = readsBehind(steps.slice(from), { place, takes, firstTemporary: lifter.machine.firstTemporary });
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

/** Whether the place is read first; undefined where it is neither read nor set. What an instruction reads and makes nothing of is not read. */
function readsBehind(steps: readonly Step[], { place, takes, firstTemporary }: Pick<Question, "place" | "takes"> & { readonly firstTemporary: number }): boolean | undefined {
  /** What temporaries copy of the place, and constants that were set. */
  const known = new Map<number, Expr>();
  const whole = (expr: Expr): Expr => rewrite(expr, (leaf) => (leaf.kind === "read" && leaf.place >= firstTemporary ? (known.get(leaf.place) ?? leaf) : leaf));
  for (const step of steps) {
    if (step.kind === "call") return step.target.kind === "direct" && takes(step.target.rva, (at) => constantOf(known.get(at)));
    const parts = partsOf(step).map(whole);
    const found = step.kind === "set" ? readsInSet({ to: step.place, value: parts[0] }, place, step.place >= firstTemporary) : parts.some((part) => reads(part, place));
    if (found !== "nothing" && found !== false) return found === true;
    if (step.kind !== "set") continue;
    const [value] = parts;
    if (value !== undefined && (value.kind === "const" || isPart(value, place))) known.set(step.place, value);
    else known.delete(step.place);
  }
  return undefined;
}

function partsOf(step: Exclude<Step, { kind: "call" }>): readonly Expr[] {
  if (step.kind === "set") return [step.value];
  return step.kind === "store" ? [step.address, step.value] : step.args;
}

/** "over": the place is set without being read. */
function readsInSet({ to, value }: { readonly to: number; readonly value: Expr | undefined }, place: number, isTemporary: boolean): true | "over" | "nothing" {
  if (isTemporary && isPart(value, place)) return "nothing";
  const inserted = to === place ? insertedBits(value, place) : undefined;
  if (inserted !== undefined) return inserted < 32 ? "nothing" : "over";
  if (reads(value, place)) return true;
  return to === place ? "over" : "nothing";
}

function constantOf(expr: Expr | undefined): bigint | undefined {
  return expr?.kind === "const" ? expr.value : undefined;
}

/** How many low bits are put into the place, whose others stay and are not looked at; undefined for other values. */
function insertedBits(value: Expr | undefined, place: number): number | undefined {
  if (value?.kind !== "op" || value.op !== "insert" || !isPart(value.args[0], place) || reads(value.args[1], place)) return undefined;
  return value.imm === 0 ? (value.args[1]?.bits ?? 0) : 0;
}

/** True for bits of the place as they are. */
function isPart(expr: Expr | undefined, place: number): boolean {
  if (expr?.kind === "op" && expr.op === "extract") return isPart(expr.args[0], place);
  return expr?.kind === "read" && expr.place === place;
}

function reads(expr: Expr | undefined, place: number): boolean {
  return expr !== undefined && someExpr(expr, (part) => part.kind === "read" && part.place === place);
}
