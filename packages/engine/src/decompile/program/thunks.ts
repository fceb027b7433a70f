import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import type { FunctionRecord } from "../../program.js";
import { plainName } from "../calls/library.js";

const mostHops = 4;

/**
 * The function behind one that only jumps on. Shared libraries call their own public functions through such stubs, and what
 * a stub takes and returns shows only there. The function itself where it is none, or where it is not known where it leads.
 */
export function behindThunk(program: AnalyzedProgram, fn: FunctionRecord): FunctionRecord {
  let at = fn;
  for (let hop = 0; hop < mostHops && at.thunk && !at.external; hop += 1) {
    const next = targetOf(program, at);
    if (next === undefined || next === at) break;
    at = next;
  }
  return at.external ? fn : at;
}

function targetOf(program: AnalyzedProgram, { thunkTarget }: FunctionRecord): FunctionRecord | undefined {
  if (thunkTarget === undefined) return undefined;
  const [entry, second] = program.entriesNamed(plainName(thunkTarget));
  return entry === undefined || second !== undefined ? undefined : program.functionAt(entry);
}
