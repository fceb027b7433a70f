import type { KeyedArchive } from "./keyed-archive.js";

/** Objects looked at for the summary. */
export const mostSummarised = 100_000;

/** How many objects there are of each class, most first; of the first hundred thousand objects. */
export function classCounts(archive: KeyedArchive): readonly { readonly name: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (let index = 0; index < Math.min(archive.count, mostSummarised); index += 1) {
    const { kind, className } = archive.object(index);
    if (kind !== "object" || className === null) continue;
    counts.set(className, (counts.get(className) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
