import type { FunctionText } from "../print/function-printer.js";
import type { AnalyzedFunction } from "./analyze.js";

/** What a text leaves open, each in a sentence. */
export function notesOf({ named, computedJumps }: Pick<AnalyzedFunction, "named" | "computedJumps">): string[] {
  const names = [...named].sort().map((name) => `The operation ${name} is only named.`);
  return computedJumps.length === 0 ? names : [...names, computedJumpNote];
}

const computedJumpNote = "A jump to a computed address stands as a call at the end: where it leads is not known.";

/** Said in the text as well, where the jump is a line's. */
export function withJumpNote(lines: FunctionText["lines"], jumps: readonly number[]): FunctionText["lines"] {
  return jumps.length === 0 ? lines : withRemark(lines, computedJumpNote, jumps);
}

/** A comment as the first line of the body. */
export function withRemark(lines: FunctionText["lines"], remark: string, at: readonly number[] = []): FunctionText["lines"] {
  const [head, ...body] = lines;
  return head === undefined ? lines : [head, { text: `  /* ${remark} */`, at }, ...body];
}
