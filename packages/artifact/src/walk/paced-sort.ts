import type { Turns } from "./turns.js";

/** Lets others have the thread now and then. */
export type Pace = Pick<Turns, "due" | "take">;

/** Sorted at once. */
const stretch = 4096;
/** Merged without asking whether it is time for a turn. */
const mergedAtOnce = 1024;

/** A sorted copy, the same as `sort` makes, with turns for others in between. */
export async function pacedSort<T>(items: readonly T[], compare: (a: T, b: T) => number, pace: Pace): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += stretch) {
    if (pace.due()) await pace.take();
    runs.push(items.slice(at, at + stretch).sort(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergedRuns(runs[at] ?? [], runs[at + 1] ?? [], { compare, pace }));
    runs = merged;
  }
  return runs[0] ?? [];
}

interface Merging<T> {
  readonly compare: (a: T, b: T) => number;
  readonly pace: Pace;
}

/** Of equal items those of the first come first. */
async function mergedRuns<T>(first: readonly T[], second: readonly T[], { compare, pace }: Merging<T>): Promise<readonly T[]> {
  const all: T[] = [];
  let into = 0;
  for (const [index, item] of first.entries()) {
    if (index % mergedAtOnce === 0 && pace.due()) await pace.take();
    for (let other = second[into]; other !== undefined && compare(other, item) < 0; other = second[into]) {
      all.push(other);
      into += 1;
    }
    all.push(item);
  }
  for (; into < second.length; into += 1) {
    const other = second[into];
    if (other !== undefined) all.push(other);
  }
  return all;
}
