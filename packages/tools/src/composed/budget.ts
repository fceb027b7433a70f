/** How many provider calls a tool may make; counted as if nothing were cached. */
export interface Budget {
  readonly maximum: number;
  used(): number;
  /** Takes one call when there is one left. */
  take(): boolean;
}

export function createBudget(maximum: number): Budget {
  let used = 0;
  return {
    maximum,
    used: () => used,
    take: () => {
      if (used >= maximum) return false;
      used += 1;
      return true;
    },
  };
}
