import { pacedSort, type Pace } from "../walk/paced-sort.js";

/** Items by their ids, with turns for others in between. */
export function sortedById<T>(items: readonly T[], idOf: (item: T) => string, pace: Pace): Promise<readonly T[]> {
  return pacedSort(items, (a, b) => order(idOf(a), idOf(b)), pace);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
