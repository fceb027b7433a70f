import type { Code, Variable } from "../decompile/lower/code.js";
import type { Machine } from "../decompile/machine-model.js";
import type { Graph } from "../decompile/ssa/graph.js";
import type { ValueType } from "../decompile/types/value-type.js";
import type { FunctionRecord, Program } from "../program.js";
import { debugOfImage } from "./debug-of-image.js";
import { locals } from "./local-names.js";
import { prototypeOf } from "./prototype.js";
import { valueTypeOf } from "./value-type.js";

interface Input {
  readonly program: Program;
  readonly fn: FunctionRecord;
  readonly code: Code;
  readonly graph: Graph;
  readonly machine: Machine;
}

export interface StatedLocals {
  readonly names: ReadonlyMap<Variable, string>;
  readonly types: ReadonlyMap<Variable, ValueType>;
}

/** What debug information says of the variables of a function's code that are no parameters; empty where it has nothing. */
export function statedLocals({ program, fn, code, graph, machine }: Input): StatedLocals {
  const debug = debugOfImage(program.image);
  const known = prototypeOf(program, fn, machine)?.fn;
  const names = new Map<Variable, string>();
  const types = new Map<Variable, ValueType>();
  if (debug === undefined || known === undefined) return { names, types };
  for (const [variable, { name, type }] of locals({ code, graph, machine, program, fn: known })) {
    const value = valueTypeOf(debug, type);
    if (name !== undefined) names.set(variable, name);
    if (value !== undefined) types.set(variable, value);
  }
  return { names, types };
}
