import type { FunctionModel } from "./function-model.js";
import type { MatchBasis, Matching } from "./matching.js";

export interface KeyStage {
  readonly basis: MatchBasis;
  /** Undefined for functions that take no part. */
  readonly key: (fn: FunctionModel) => string | undefined;
  readonly confidence: (left: FunctionModel, right: FunctionModel) => number;
  /** Whether a pair with equal keys may be the same function at all. */
  readonly fits?: (left: FunctionModel, right: FunctionModel) => boolean;
}

/** Pairs free functions whose key no other free function of their side has. Returns how many were decided. */
export function matchByKey(matching: Matching, { basis, key, confidence, fits = () => true }: KeyStage): number {
  const [left, right] = [unique(matching.freeLeft(), key), unique(matching.freeRight(), key)];
  let decided = 0;
  for (const [value, before] of left) {
    const after = right.get(value);
    if (before === undefined || after === undefined || !fits(before, after)) continue;
    const done = matching.decide({ left: before.position, right: after.position, basis, confidencePermille: confidence(before, after) });
    if (done) decided += 1;
  }
  return decided;
}

/** Functions by key; undefined where several have it. */
function unique(functions: readonly FunctionModel[], key: KeyStage["key"]): ReadonlyMap<string, FunctionModel | undefined> {
  const found = new Map<string, FunctionModel | undefined>();
  for (const fn of functions) {
    const value = key(fn);
    if (value !== undefined) found.set(value, found.has(value) ? undefined : fn);
  }
  return found;
}
