import { hasBody, likeness, sizeRatio, type FunctionModel } from "./function-model.js";
import type { Matching } from "./matching.js";

/** Between two pairs more functions than these are not aligned. */
const widestGap = 60;

interface OrderStage {
  /** How well two functions go together, 0 when they do not. */
  readonly fit: (left: FunctionModel, right: FunctionModel) => number;
  readonly confidencePermille: number;
}

export const equalCode: OrderStage = { fit: (left, right) => (left.print.code === right.print.code ? 1 : 0), confidencePermille: 900 };

export const likeCode: OrderStage = {
  fit: (left, right) => {
    const [alike, ratio] = [likeness(left, right), sizeRatio(left, right)];
    return ratio < 0.4 || alike < 0.3 ? 0 : alike + 0.3 * ratio;
  },
  confidencePermille: 720,
};

/**
 * Pairs free functions between neighbours that are pairs in both files in the same order: linkers keep functions of one source
 * together and in order. Each gap is aligned so that the sum of fits is greatest.
 */
export function matchByOrder(matching: Matching, { fit, confidencePermille }: OrderStage): number {
  let decided = 0;
  for (const { left, right } of gaps(matching)) {
    if (left.length === 0 || right.length === 0 || left.length > widestGap || right.length > widestGap) continue;
    for (const [a, b] of aligned(left, right, fit)) {
      if (matching.decide({ left: a.position, right: b.position, basis: "address_order", confidencePermille })) decided += 1;
    }
  }
  return decided;
}

/** Free functions with a body between pairs that follow each other on both sides. */
function gaps(matching: Matching): { readonly left: FunctionModel[]; readonly right: FunctionModel[] }[] {
  const chain = increasing(matching.matches().filter(({ left }) => hasBodyAt(matching.left, left)).map(({ left, right }) => ({ left, right })));
  const found: { left: FunctionModel[]; right: FunctionModel[] }[] = [];
  let [fromLeft, fromRight] = [0, 0];
  for (const { left, right } of [...chain, { left: matching.left.length, right: matching.right.length }]) {
    const between = {
      left: matching.left.slice(fromLeft, left).filter((fn) => hasBody(fn) && matching.rightOf(fn.position) === undefined),
      right: matching.right.slice(fromRight, right).filter((fn) => hasBody(fn) && matching.leftOf(fn.position) === undefined),
    };
    found.push(between);
    [fromLeft, fromRight] = [left + 1, right + 1];
  }
  return found;
}

function hasBodyAt(functions: readonly FunctionModel[], position: number): boolean {
  const fn = functions[position];
  return fn !== undefined && hasBody(fn);
}

interface Place {
  readonly left: number;
  readonly right: number;
}

/** A longest run of pairs that ascend on both sides; patience sorting. */
function increasing(pairs: readonly Place[]): Place[] {
  const tails: number[] = [];
  const before: number[] = [];
  pairs.forEach(({ right }, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tails[middle] ?? 0]?.right ?? 0) < right) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  });
  const chain: Place[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) chain.push(pair);
  }
  return chain.reverse();
}

/** Pairs in order whose fits sum up to the most (Needleman-Wunsch without a cost for gaps). */
function aligned(left: readonly FunctionModel[], right: readonly FunctionModel[], fit: OrderStage["fit"]): (readonly [FunctionModel, FunctionModel])[] {
  const width = right.length + 1;
  const fits = left.map((a) => right.map((b) => fit(a, b)));
  const best = new Float64Array((left.length + 1) * width);
  for (let i = 1; i <= left.length; i += 1) {
    for (let j = 1; j <= right.length; j += 1) {
      const worth = fits[i - 1]?.[j - 1] ?? 0;
      const paired = worth > 0 ? (best[(i - 1) * width + j - 1] ?? 0) + worth : 0;
      best[i * width + j] = Math.max(paired, best[(i - 1) * width + j] ?? 0, best[i * width + j - 1] ?? 0);
    }
  }
  const pairs: (readonly [FunctionModel, FunctionModel])[] = [];
  for (let [i, j] = [left.length, right.length]; i > 0 && j > 0; ) {
    const here = best[i * width + j] ?? 0;
    if (here === (best[(i - 1) * width + j] ?? 0)) i -= 1;
    else if (here === (best[i * width + j - 1] ?? 0)) j -= 1;
    else {
      const [a, b] = [left[i - 1], right[j - 1]];
      if (a !== undefined && b !== undefined) pairs.push([a, b]);
      i -= 1;
      j -= 1;
    }
  }
  return pairs.reverse();
}
