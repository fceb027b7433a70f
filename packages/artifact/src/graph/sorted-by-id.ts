import type { Turns } from "../walk/turns.js";

/** Ids are digests, so that their first figures share them out evenly. */
const shares = 256;
/** Fewer items are sorted at once. */
const fewItems = 4096;

/** Items by their ids (`prefix_` and hexadecimal figures), a share of them at a time. */
export async function sortedById<T>(items: readonly T[], idOf: (item: T) => string, pace: Pick<Turns, "due" | "take">): Promise<readonly T[]> {
  if (items.length <= fewItems) return sorted(items, idOf);
  const byShare: T[][] = Array.from({ length: shares }, () => []);
  for (const item of items) byShare[shareOf(idOf(item))]?.push(item);
  const all: T[] = [];
  for (const share of byShare) {
    if (pace.due()) await pace.take();
    for (const item of sorted(share, idOf)) all.push(item);
  }
  return all;
}

function sorted<T>(items: readonly T[], idOf: (item: T) => string): readonly T[] {
  return [...items].sort((a, b) => order(idOf(a), idOf(b)));
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function shareOf(id: string): number {
  const at = id.indexOf("_") + 1;
  return figure(id.charCodeAt(at)) * 16 + figure(id.charCodeAt(at + 1));
}

/** The value of a lower-case hexadecimal figure. */
function figure(code: number): number {
  return code >= 0x61 ? code - 0x57 : code - 0x30;
}
