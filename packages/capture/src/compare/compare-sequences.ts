import type { JournalCollection } from "@rea/core";
import { itemDifference, type ComparedItem, type FoundDifference } from "./compared-items.js";

export interface ComparedSides {
  readonly left: readonly ComparedItem[];
  readonly right: readonly ComparedItem[];
  readonly collection: JournalCollection;
  /** True when a side may go on after what it holds. */
  readonly cut: { readonly left: boolean; readonly right: boolean };
}

/**
 * Compares two sequences between their common beginning and their common end, place by place. What only a cut side lacks
 * at its end is no difference. Swapping the sides mirrors what is found.
 */
export function compareSequences({ left, right, collection, cut }: ComparedSides): FoundDifference[] {
  const shorter = Math.min(left.length, right.length);
  let before = 0;
  while (before < shorter && left[before]?.text === right[before]?.text) before += 1;
  let after = 0;
  while (after < shorter - before && left[left.length - 1 - after]?.text === right[right.length - 1 - after]?.text) after += 1;
  const [leftMiddle, rightMiddle] = [left.slice(before, left.length - after), right.slice(before, right.length - after)];
  const openEnd = after === 0 && ((cut.left && left.length <= right.length) || (cut.right && right.length <= left.length));
  const longer = openEnd ? Math.min(leftMiddle.length, rightMiddle.length) : Math.max(leftMiddle.length, rightMiddle.length);
  const found: FoundDifference[] = [];
  for (let index = 0; index < longer; index += 1) {
    const difference = itemDifference(leftMiddle[index], rightMiddle[index], { collection, place: `entry ${String(before + index)}` });
    if (difference !== undefined) found.push(difference);
  }
  return found;
}

/** True when a cut side lacks the other's end, so that nothing can be said of it. */
export function lacksEnd({ left, right, cut }: ComparedSides): boolean {
  return (cut.left && left.length <= right.length) || (cut.right && right.length <= left.length);
}
