import type { MatchBasis, Matching } from "./matching.js";

/** A pair that may be the same function, and how much speaks for it. */
export interface Candidate {
  readonly left: number;
  readonly right: number;
  readonly score: number;
}

interface Choice {
  readonly basis: MatchBasis;
  /** How much better than the next best a pair must be, as a factor. */
  readonly margin: number;
  readonly confidence: (candidate: Candidate) => number;
}

/**
 * Decides pairs that are each other's best by the margin, best first. A function whose two best candidates are about as good
 * stays open. Returns how many were decided.
 */
export function decideBest(matching: Matching, candidates: readonly Candidate[], { basis, margin, confidence }: Choice): number {
  const [ofLeft, ofRight] = [rank(candidates, "left"), rank(candidates, "right")];
  const sure = candidates.filter((candidate) => {
    const [left, right] = [ofLeft.get(candidate.left), ofRight.get(candidate.right)];
    return candidate.score >= margin * (left?.second ?? 0) && candidate.score >= margin * (right?.second ?? 0) && candidate.score === left?.best && candidate.score === right?.best;
  });
  const ordered = [...sure].sort((a, b) => b.score - a.score || a.left - b.left || a.right - b.right);
  return ordered.filter((candidate) => matching.decide({ left: candidate.left, right: candidate.right, basis, confidencePermille: Math.round(confidence(candidate)) })).length;
}

interface Rank {
  readonly best: number;
  readonly second: number;
}

function rank(candidates: readonly Candidate[], side: "left" | "right"): ReadonlyMap<number, Rank> {
  const ranks = new Map<number, Rank>();
  for (const candidate of candidates) {
    const { best, second } = ranks.get(candidate[side]) ?? { best: 0, second: 0 };
    const { score } = candidate;
    ranks.set(candidate[side], score > best ? { best: score, second: best } : { best, second: Math.max(second, score) });
  }
  return ranks;
}
