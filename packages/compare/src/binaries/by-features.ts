import { decideBest, type Candidate } from "./candidates.js";
import { hasBody, likeness, sizeRatio, type FunctionModel } from "./function-model.js";
import type { Matching } from "./matching.js";

/** What more functions than these use tells nothing. */
const mostUsers = 12;

/** Pairs functions that use the same rare strings, constants and imports. */
export function matchByFeatures(matching: Matching): number {
  const [left, right] = [usersOf(matching.freeLeft()), usersOf(matching.freeRight())];
  const scores = new Map<string, Candidate>();
  for (const [feature, before] of left) {
    const after = right.get(feature) ?? [];
    if (after.length === 0 || before.length > mostUsers || after.length > mostUsers) continue;
    const weight = 1 / Math.max(before.length, after.length);
    for (const a of before) for (const b of after) addScore(scores, a, b, weight);
  }
  const likely = [...scores.values()].flatMap((candidate): Candidate[] => {
    const [a, b] = [matching.left[candidate.left], matching.right[candidate.right]];
    if (a === undefined || b === undefined) return [];
    const alike = likeness(a, b);
    const plausible = sizeRatio(a, b) >= 0.3 && (alike >= 0.08 || candidate.score >= 2);
    return plausible ? [{ ...candidate, score: candidate.score * (0.5 + alike) * (0.5 + sizeRatio(a, b)) }] : [];
  });
  const worth = likely.filter(({ score }) => score >= 0.45);
  return decideBest(matching, worth, { basis: "strings_constants", margin: 1.3, confidence: ({ score }) => Math.min(960, 780 + 60 * score) });
}

function addScore(scores: Map<string, Candidate>, a: FunctionModel, b: FunctionModel, weight: number): void {
  const key = `${String(a.position)} ${String(b.position)}`;
  scores.set(key, { left: a.position, right: b.position, score: (scores.get(key)?.score ?? 0) + weight });
}

function usersOf(functions: readonly FunctionModel[]): ReadonlyMap<string, readonly FunctionModel[]> {
  const users = new Map<string, FunctionModel[]>();
  const use = (feature: string, fn: FunctionModel): void => {
    const known = users.get(feature);
    if (known === undefined) users.set(feature, [fn]);
    else if (known.length <= mostUsers) known.push(fn);
  };
  for (const fn of functions.filter(hasBody)) {
    for (const one of fn.strings) use(`s${one}`, fn);
    for (const one of fn.imports) use(`i${one}`, fn);
    for (const one of fn.constants) use(`c${one}`, fn);
  }
  return users;
}
