import { decideBest, type Candidate } from "./candidates.js";
import { hasBody, likeness, sizeRatio, type FunctionModel } from "./function-model.js";
import type { Matching } from "./matching.js";

/**
 * Pairs functions that matched functions call, or that call matched functions, in the same places: what stands between two
 * calls that are known to correspond corresponds in order, where as many stand there on both sides.
 */
export function matchByCalls(matching: Matching): number {
  const votes = new Map<string, Candidate>();
  const vote = (left: number, right: number, weight: number): void => {
    const key = `${String(left)} ${String(right)}`;
    votes.set(key, { left, right, score: (votes.get(key)?.score ?? 0) + weight });
  };
  for (const { left, right } of matching.matches()) {
    const [before, after] = [matching.left[left], matching.right[right]];
    if (before === undefined || after === undefined) continue;
    voteForCallees(matching, before, after, vote);
    voteForCallers(matching, before, after, vote);
  }
  const likely = [...votes.values()].flatMap((candidate): Candidate[] => {
    const [a, b] = [matching.left[candidate.left], matching.right[candidate.right]];
    if (a === undefined || b === undefined || !hasBody(a) || !hasBody(b)) return [];
    const fit = fitOf(a, b);
    return fit === 0 ? [] : [{ ...candidate, score: candidate.score * fit }];
  });
  const worth = likely.filter(({ score }) => score >= 0.4);
  return decideBest(matching, worth, { basis: "call_graph", margin: 1.2, confidence: ({ score }) => Math.min(950, 700 + 120 * score) });
}

/** How well two functions go together apart from who calls them; 0 when they cannot be the same. */
function fitOf(a: FunctionModel, b: FunctionModel): number {
  if (a.print.code === b.print.code) return 1.5;
  const alike = likeness(a, b);
  const ratio = sizeRatio(a, b);
  const small = Math.max(a.print.instructions, b.print.instructions) <= 8;
  if (ratio < 0.2 || (alike < 0.08 && (ratio < 0.5 || small))) return 0;
  return 0.2 + 0.5 * alike + 0.3 * ratio;
}

type Vote = (left: number, right: number, weight: number) => void;

function voteForCallees(matching: Matching, before: FunctionModel, after: FunctionModel, vote: Vote): void {
  const anchors = anchorsOf(matching, before.calls, after.calls);
  let [fromLeft, fromRight] = [0, 0];
  for (const anchor of [...anchors, { left: before.calls.length, right: after.calls.length }]) {
    const free = freeBetween(matching, { left: before.calls.slice(fromLeft, anchor.left), right: after.calls.slice(fromRight, anchor.right) });
    const equal = free.left.length === free.right.length;
    free.left.forEach((left, index) => {
      const right = free.right[equal ? index : -1];
      if (right !== undefined) vote(left, right, 1 / free.left.length ** 0.25);
    });
    if (!equal && free.left.length * free.right.length <= 36) {
      for (const left of free.left) for (const right of free.right) vote(left, right, 0.4 / Math.max(free.left.length, free.right.length));
    }
    [fromLeft, fromRight] = [anchor.left + 1, anchor.right + 1];
  }
}

function freeBetween(matching: Matching, { left, right }: { readonly left: readonly number[]; readonly right: readonly number[] }) {
  return {
    left: [...new Set(left.filter((position) => matching.rightOf(position) === undefined))],
    right: [...new Set(right.filter((position) => matching.leftOf(position) === undefined))],
  };
}

/** Places in two call sequences that correspond, ascending on both sides: a longest common subsequence by greedy search. */
function anchorsOf(matching: Matching, left: readonly number[], right: readonly number[]): { readonly left: number; readonly right: number }[] {
  const places = new Map<number, number[]>();
  right.forEach((position, place) => places.set(position, [...(places.get(position) ?? []), place]));
  const anchors: { left: number; right: number }[] = [];
  let from = 0;
  left.forEach((position, place) => {
    const partner = matching.rightOf(position);
    const next = partner === undefined ? undefined : places.get(partner)?.find((one) => one >= from);
    // A far jump ahead would leave everything between without a partner.
    if (next === undefined || next - from > 24) return;
    anchors.push({ left: place, right: next });
    from = next + 1;
  });
  return anchors;
}

function voteForCallers(matching: Matching, before: FunctionModel, after: FunctionModel, vote: Vote): void {
  const left = before.callers.filter((position) => matching.rightOf(position) === undefined);
  const right = after.callers.filter((position) => matching.leftOf(position) === undefined);
  if (left.length === 0 || right.length === 0 || left.length > 6 || right.length > 6) return;
  for (const a of left) for (const b of right) vote(a, b, 0.9 / Math.max(left.length, right.length));
}
