import type { FunctionModel } from "./function-model.js";

/** What told that two functions are the same one. */
export const matchBases = ["name", "bytes", "call_graph", "strings_constants", "control_flow", "similarity", "address_order"] as const;
export type MatchBasis = (typeof matchBases)[number];

export interface FunctionMatch {
  readonly left: number;
  readonly right: number;
  readonly basis: MatchBasis;
  readonly confidencePermille: number;
}

/** Which function of the left is which of the right, as far as it is known; what is decided stays. */
export class Matching {
  readonly left: readonly FunctionModel[];
  readonly right: readonly FunctionModel[];
  readonly #rightOf = new Map<number, FunctionMatch>();
  readonly #leftOf = new Map<number, FunctionMatch>();

  constructor(left: readonly FunctionModel[], right: readonly FunctionModel[]) {
    this.left = left;
    this.right = right;
  }

  get size(): number {
    return this.#rightOf.size;
  }

  /** Position on the right of a function of the left. */
  rightOf(left: number): number | undefined {
    return this.#rightOf.get(left)?.right;
  }

  leftOf(right: number): number | undefined {
    return this.#leftOf.get(right)?.left;
  }

  isFree(pair: { readonly left: number; readonly right: number }): boolean {
    return !this.#rightOf.has(pair.left) && !this.#leftOf.has(pair.right);
  }

  /** Decides a pair when both are free; says whether it did. */
  decide(match: FunctionMatch): boolean {
    if (!this.isFree(match)) return false;
    this.#rightOf.set(match.left, match);
    this.#leftOf.set(match.right, match);
    return true;
  }

  /** The same pairs with the sides exchanged. */
  mirrored(): Matching {
    const other = new Matching(this.right, this.left);
    for (const { left, right, ...rest } of this.matches()) other.decide({ left: right, right: left, ...rest });
    return other;
  }

  freeLeft(): FunctionModel[] {
    return this.left.filter(({ position }) => !this.#rightOf.has(position));
  }

  freeRight(): FunctionModel[] {
    return this.right.filter(({ position }) => !this.#leftOf.has(position));
  }

  /** By the position on the left. */
  matches(): FunctionMatch[] {
    return [...this.#rightOf.values()].sort((a, b) => a.left - b.left);
  }
}
