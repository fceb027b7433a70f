import { weakestConfidence, type Confidence, type Omission, type ProcedureSource } from "@rea/core";
import type { FunctionRecord, Program } from "../program.js";

const stated: readonly ProcedureSource[] = ["symbol", "entry", "export", "unwind", "function-starts", "init-array"];
const guessed: readonly ProcedureSource[] = ["pointer", "prologue"];

/** How firmly a function start is known: the file states it, code leads to it, or it only looks like one. */
function startConfidence(fn: FunctionRecord): Confidence {
  if (fn.sources.some((source) => stated.includes(source))) return "observed";
  return fn.sources.every((source) => guessed.includes(source)) ? "inferred" : "derived";
}

/** Confidence of what is said about these functions; their extents are derived at best. */
export function functionConfidence(functions: Iterable<FunctionRecord>): Confidence {
  const levels: Confidence[] = ["derived"];
  for (const fn of functions) levels.push(startConfidence(fn));
  return weakestConfidence(levels);
}

/** What the analysis of code left out; every list of functions or references carries it. */
export function codeOmissions(program: Program): readonly Omission[] {
  return program.coverage.omissions;
}

/** The omissions in words, for results that have no coverage of their own. */
export function omissionSentences(program: Program): readonly string[] {
  return program.coverage.omissions.map(({ scope, reason, count }) => {
    const amount = count === null ? "" : ` (${String(count)})`;
    return `Incomplete: ${scope.replaceAll("_", " ")}${amount}, ${reason.replaceAll("_", " ")}.`;
  });
}
