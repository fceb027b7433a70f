import { RecentResults } from "../analysis/recent-results.js";
import type { FunctionRecord, Program } from "../program.js";
import { factSourceOf } from "./fact-source.js";
import { callFacts, controlFlow, type CallFacts, type ControlFlow } from "./function-facts.js";

export interface FunctionFacts {
  readonly flow: ControlFlow;
  /** Undefined where the registers of the architecture are not modelled. */
  readonly call: CallFacts | undefined;
}

/** Blocks of the functions whose facts are kept. */
const keptBlocks = 65_536;

const known = new WeakMap<Program, RecentResults<FunctionFacts>>();

/**
 * Control flow and call facts of a function; undefined for one whose body is in another file. Those of functions asked
 * about lately are kept with the program. `checkpoint` is called now and then and may throw to stop.
 */
export function functionFacts(program: Program, fn: FunctionRecord, checkpoint: () => void): FunctionFacts | undefined {
  const source = fn.external ? undefined : factSourceOf(program);
  if (source === undefined) return undefined;
  const facts = known.get(program) ?? new RecentResults<FunctionFacts>(keptBlocks);
  known.set(program, facts);
  const compute = () => {
    const flow = controlFlow(fn, source);
    checkpoint();
    return { flow, call: callFacts(fn, source, checkpoint) };
  };
  return facts.get(fn.entry, compute, ({ flow }) => flow.graph.blocks.length);
}
