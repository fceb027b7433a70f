/** Which names a function has, by its address. */
export type NamesByAddress = ReadonlyMap<bigint, readonly string[]>;

export interface MatchScore {
  /** Functions that are in both programs, by name. */
  readonly possible: number;
  readonly right: number;
  readonly wrong: number;
}

/** Pairs of addresses judged by names: a pair is right when its functions share a name. Pairs outside the truth do not count. */
export function scoreMatches(pairs: readonly { readonly left: bigint; readonly right: bigint }[], left: NamesByAddress, right: NamesByAddress): MatchScore {
  const others = new Set([...right.values()].flat());
  const judged = pairs.flatMap((pair) => {
    const [before, after] = [left.get(pair.left), right.get(pair.right)];
    return before === undefined || after === undefined ? [] : [before.some((name) => after.includes(name))];
  });
  return {
    possible: [...left.values()].filter((names) => names.some((name) => others.has(name))).length,
    right: judged.filter((same) => same).length,
    wrong: judged.filter((same) => !same).length,
  };
}

/** Scores of several pairs as one. */
export function pooled(scores: readonly MatchScore[]): MatchScore {
  const sum = (of: (score: MatchScore) => number): number => scores.reduce((total, score) => total + of(score), 0);
  return { possible: sum((score) => score.possible), right: sum((score) => score.right), wrong: sum((score) => score.wrong) };
}

export function precision({ right, wrong }: MatchScore): number {
  return right + wrong === 0 ? 1 : right / (right + wrong);
}

export function recall({ right, possible }: MatchScore): number {
  return possible === 0 ? 1 : right / possible;
}
