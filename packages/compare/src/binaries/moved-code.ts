import { hasBody, type FunctionModel } from "./function-model.js";
import type { Matching } from "./matching.js";

export interface MovedCode {
  readonly kind: "merged_into" | "split_from";
  readonly fn: FunctionModel;
  /** The function of the other side that has its code. */
  readonly other: FunctionModel;
  readonly likenessPermille: number;
}

/** Share of a function's sketch that must be found in the other before its code counts as moved. */
const least = 0.2;

/**
 * Functions without a partner whose code seems to be in a matched function of the other side: one that was inlined into its
 * caller, or one that was split off. An inference from call graph and operations.
 */
export function movedCode(matching: Matching): MovedCode[] {
  const merged = matching.freeLeft().filter(hasBody).flatMap((fn) => mergedInto(matching, fn));
  const split = matching.freeRight().filter(hasBody).flatMap((fn) => splitFrom(matching, fn));
  return [...merged, ...split];
}

function mergedInto(matching: Matching, fn: FunctionModel): MovedCode[] {
  const partners = fn.callers.map((position) => ({ before: matching.left[position], after: matching.right[matching.rightOf(position) ?? -1] }));
  const grown = partners.flatMap(({ before, after }) => (before !== undefined && after !== undefined && after.print.instructions > before.print.instructions ? [after] : []));
  return best(fn, grown, "merged_into");
}

function splitFrom(matching: Matching, fn: FunctionModel): MovedCode[] {
  const partners = fn.callers.map((position) => ({ after: matching.right[position], before: matching.left[matching.leftOf(position) ?? -1] }));
  const shrunk = partners.flatMap(({ before, after }) => (before !== undefined && after !== undefined && before.print.instructions > after.print.instructions ? [before] : []));
  return best(fn, shrunk, "split_from");
}

function best(fn: FunctionModel, others: readonly FunctionModel[], kind: MovedCode["kind"]): MovedCode[] {
  const [first] = others.map((other) => ({ other, part: contained(fn, other) })).sort((a, b) => b.part - a.part || a.other.position - b.other.position);
  if (first === undefined || first.part < least) return [];
  return [{ kind, fn, other: first.other, likenessPermille: Math.round(first.part * 1000) }];
}

/** Estimated share of a function that another holds: a minimum of the smaller set is one of the union no more often than that. */
function contained(fn: FunctionModel, other: FunctionModel): number {
  let held = 0;
  for (let lane = 0; lane < fn.sketch.length; lane += 1) if (fn.sketch[lane] === other.sketch[lane]) held += 1;
  const shared = held / fn.sketch.length;
  const sizes = (fn.print.instructions + other.print.instructions) / (1 + shared);
  return Math.min(1, (shared * sizes) / Math.max(1, fn.print.instructions));
}
