import type { FunctionRecord } from "../../program.js";
import { decompileLinear } from "../linear/linear-function.js";
import { mostInstructions, type FunctionAnalyzer } from "./analyze.js";
import { decompileFunction, type DecompiledFunction } from "./decompile.js";
import { TooMuchWork } from "./work-bound.js";

/** Above this a function is not even written in the order of its instructions. */
const mostLinear = 100_000;

/** Why there is no C of a function. */
export class NotWritten extends Error {}

/**
 * One function as C; in the order of its instructions where its values are too many to be followed. How much that is is counted,
 * so that the text depends on nothing but the program. Throws NotWritten with the reason in a sentence.
 */
export function writeFunction(analyzer: FunctionAnalyzer, fn: FunctionRecord): DecompiledFunction {
  const instructions = analyzer.view.program.instructionStarts(fn).length;
  if (instructions > mostLinear) throw new NotWritten(`The function has ${String(instructions)} instructions; up to ${String(mostLinear)} are written as C.`);
  try {
    return analyzer.within(() => decompileFunction(analyzer, fn));
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
  }
  return writeLinear(analyzer, fn, instructions > mostInstructions
    ? `The function has ${String(instructions)} instructions; the values of up to ${String(mostInstructions)} are followed.`
    : "Following the values of the function takes more work than its bound.");
}

/** One function as C in the order of its instructions, whatever its size. Throws NotWritten. */
export function writeLinear(analyzer: FunctionAnalyzer, fn: FunctionRecord, reason: string): DecompiledFunction {
  const found = decompileLinear(analyzer, fn, reason);
  if (found === undefined) throw new NotWritten(`${reason} It takes memory from the stack by amounts that only run time knows.`);
  return found;
}
