import type { BlockEffects } from "./block-effects.js";
import type { Convention } from "./conventions.js";
import type { FlowGraph } from "./flow-graph.js";
import type { FunctionFlow } from "./function-flow.js";
import { lastWrite, writesBeforeReturns } from "./register-flow.js";

/** What the code leaves in the return registers. */
export interface ReturnValue {
  readonly kind: "integer" | "float" | "integer_and_float" | "none_seen" | "unknown" | "does_not_return";
  readonly basis: string;
}

/** Whether return registers are written before returns with values that nothing else reads. */
export function returnValueOf({ graph, effects }: FunctionFlow, convention: Convention): ReturnValue {
  const general = writesBeforeReturns(graph, effects, {
    of: ({ generalReturn }) => generalReturn,
    isRead: ({ exposed }) => ((exposed >>> convention.generalReturn) & 1) === 1,
  });
  const vector = writesBeforeReturns(graph, effects, {
    of: ({ vectorReturn }) => vectorReturn,
    isRead: ({ exposedVector }) => ((exposedVector >>> convention.vectorReturn) & 1) === 1,
  });
  if (general.length === 0) return { kind: "does_not_return", basis: "no return is reached by the edges that were seen" };
  if (leavesOnX87(graph, effects)) return { kind: "unknown", basis: "a value is left on the x87 stack, where a long double is returned" };
  const judged = judge(verdict(general), verdict(vector));
  const usesX87 = judged.kind === "none_seen" && effects.some(({ x87Pushes }) => x87Pushes !== undefined);
  return usesX87 ? { kind: "unknown", basis: "x87 instructions are used: a long double may be returned on their stack" } : judged;
}

type Verdict = "written" | "untouched" | "from_call" | "by_product" | "unclear";

/** A value that is written last and read by nothing is for the caller; a path that leaves the register alone speaks against it. */
function verdict(states: readonly number[]): Verdict {
  const all = states.reduce((bits, state) => bits | state, 0);
  if (all & lastWrite.none) return "untouched";
  if (all & lastWrite.leftover) return "by_product";
  if (all & lastWrite.written) return "written";
  if (all & lastWrite.flags) return "by_product";
  return all === lastWrite.call ? "from_call" : "unclear";
}

function judge(general: Verdict, vector: Verdict): ReturnValue {
  if (general === "written" && vector === "written") return { kind: "integer_and_float", basis: "both return registers hold values that only a caller can read" };
  if (general === "written") return { kind: "integer", basis: "the integer return register holds a value that only a caller can read" };
  if (vector === "written") return { kind: "float", basis: "the floating-point return register holds a value that only a caller can read" };
  if (general === "by_product") return { kind: "unknown", basis: "what the return register holds looks left over: from a comparison, a check of the stack guard or giving back stack room" };
  if (general === "from_call" || vector === "from_call") return { kind: "unknown", basis: "what the last call returned may be passed on" };
  if (general === "untouched") return { kind: "none_seen", basis: "a way to a return leaves the return registers alone" };
  return { kind: "unknown", basis: "the value last written to the return register is also used in the function" };
}

/** True when more was put on the x87 stack than taken off, on the way that is seen first to a return. */
function leavesOnX87({ blocks, entry, successors, reversePostorder }: FlowGraph, effects: readonly BlockEffects[]): boolean {
  if (effects.every(({ x87Pushes }) => x87Pushes === undefined)) return false;
  const depth = new Map<number, number>([[entry, 0]]);
  const after = (block: number) => Math.max(0, (depth.get(block) ?? 0) + (effects[block]?.x87Pushes ?? 0));
  for (const block of reversePostorder) {
    for (const to of successors[block] ?? []) if (!depth.has(to) && blocks[to] !== undefined) depth.set(to, after(block));
  }
  return reversePostorder.some((block) => effects[block]?.returns === true && after(block) > 0);
}
