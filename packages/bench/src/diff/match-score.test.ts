import { describe, expect, test } from "vitest";
import { pooled, precision, recall, scoreMatches } from "./match-score.js";

const left = new Map([[1n, ["a"]], [2n, ["b", "b_alias"]], [3n, ["gone"]]]);
const right = new Map([[11n, ["a"]], [12n, ["b_alias"]], [13n, ["new"]]]);

describe("matches judged by names", () => {
  test("are right when the functions share a name, wrong otherwise, and of no account outside the truth", () => {
    const pairs = [{ left: 1n, right: 11n }, { left: 2n, right: 13n }, { left: 9n, right: 12n }];
    expect(scoreMatches(pairs, left, right)).toEqual({ possible: 2, right: 1, wrong: 1 });
  });

  test("pool by counts, not by averages", () => {
    const score = pooled([{ possible: 1, right: 0, wrong: 1 }, { possible: 9, right: 9, wrong: 0 }]);
    expect([precision(score), recall(score)]).toEqual([0.9, 0.9]);
  });
});
