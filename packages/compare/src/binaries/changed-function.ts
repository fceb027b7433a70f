import type { BinaryComparison } from "@rea/core";
import { likeness, type FunctionModel } from "./function-model.js";
import type { Matching } from "./matching.js";

type Part = BinaryComparison["changed"]["items"][number]["parts"][number];

export interface FunctionChange {
  /** Empty for a function that does the same to the same things. */
  readonly parts: readonly Part[];
  readonly similarityPermille: number;
  /** Greater for what a reader wants to see first. */
  readonly weight: number;
}

/** What differs between two functions that are the same one. */
export function functionChange(matching: Matching, left: FunctionModel, right: FunctionModel): FunctionChange {
  const [a, b] = [left.print, right.print];
  const parts: Part[] = [];
  if (a.code !== b.code) parts.push("instructions");
  if (a.flow !== b.flow) parts.push("control_flow");
  if (a.strings !== b.strings) parts.push("strings");
  if (a.imports !== b.imports) parts.push("imports");
  if (a.constants !== b.constants) parts.push("constants");
  if (!sameCalls(matching, left, right)) parts.push("calls");
  if (parts.length === 0 && a.meanings !== b.meanings) parts.push("references");
  const alike = parts.length === 0 ? 1 : likeness(left, right);
  return { parts, similarityPermille: Math.round(alike * 1000), weight: weightOf(parts, { alike, instructions: Math.max(a.instructions, b.instructions) }) };
}

/** Calls correspond where partners are called in the same order; what has no partner on either side may correspond. */
function sameCalls(matching: Matching, left: FunctionModel, right: FunctionModel): boolean {
  if (left.calls.length !== right.calls.length) return false;
  return left.calls.every((position, index) => {
    const called = right.calls[index] ?? -1;
    const partner = matching.rightOf(position);
    return partner === undefined ? matching.leftOf(called) === undefined : partner === called;
  });
}

const weights = { instructions: 0, control_flow: 3, strings: 6, imports: 8, constants: 4, calls: 5, references: 1 } as const satisfies { readonly [part in Part]: number };

/** Much changed code counts, and so does a small change of what the function says or calls. */
function weightOf(parts: readonly Part[], { alike, instructions }: { readonly alike: number; readonly instructions: number }): number {
  const meaning = parts.reduce((sum, part) => sum + weights[part], 0);
  return meaning * 10 + (1 - alike) * Math.min(200, instructions) + Math.log2(1 + instructions);
}
