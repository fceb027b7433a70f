import { compareCodePoints, type JournalCollection } from "@rea/core";
import { itemDifference, type ComparedItem, type FoundDifference } from "./compared-items.js";

/** Things with a name, in no order: at most one for each key. */
export interface ComparedSets {
  readonly left: ReadonlyMap<string, ComparedItem>;
  readonly right: ReadonlyMap<string, ComparedItem>;
  readonly collection: JournalCollection;
  /** Whether a thing that stands on the other side only is certainly not on this one. */
  readonly denies: { readonly left: (key: string, other: ComparedItem) => boolean; readonly right: (key: string, other: ComparedItem) => boolean };
  /** A thing of which nothing certain can be said. */
  readonly isUnknown: (item: ComparedItem) => boolean;
}

/** Compares by name; what one side only has and the other cannot deny is `unknown`. */
export function compareSets({ left, right, collection, denies, isUnknown }: ComparedSets): FoundDifference[] {
  const keys = [...new Set([...left.keys(), ...right.keys()])].sort(compareCodePoints);
  return keys.flatMap((key) => {
    const [a, b] = [left.get(key), right.get(key)];
    const difference = itemDifference(a, b, { collection, place: key }) ?? unknownOnBoth(a, b);
    if (difference === undefined) return [];
    const certain = [a, b].every((item) => item === undefined || !isUnknown(item)) && (a !== undefined || (b !== undefined && denies.left(key, b))) && (b !== undefined || (a !== undefined && denies.right(key, a)));
    return [{ ...difference, collection, place: key, state: certain ? difference.state : ("unknown" as const) }];
  });

  /** Equal texts that both say "unknown" prove nothing. */
  function unknownOnBoth(a: ComparedItem | undefined, b: ComparedItem | undefined): Omit<FoundDifference, "collection" | "place"> | undefined {
    if (a === undefined || b === undefined || !isUnknown(a)) return undefined;
    return { state: "unknown", fields: [], left: null, right: null, left_order: a.order, right_order: b.order };
  }
}
