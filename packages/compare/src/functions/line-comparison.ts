import { diffArrays } from "diff";
import type { ComparedFunctionDimension } from "@rea/core";

/** A line of a text: what it is compared by, and what is shown of it. */
export interface ComparedLine {
  readonly key: string;
  readonly shown: string;
}

export interface LineDifference {
  readonly removed: readonly ComparedLine[];
  readonly added: readonly ComparedLine[];
  /** Lines with equal keys, in order. */
  readonly paired: readonly { readonly left: ComparedLine; readonly right: ComparedLine }[];
  readonly delta: NonNullable<ComparedFunctionDimension["text_delta"]>;
}

/** Beyond so many edits two texts are different texts, and aligning them would take long. */
const maximumEdits = 3000;

/** A shortest difference of two texts by lines. Swapping the texts mirrors it exactly. */
export function lineDifference(left: readonly ComparedLine[], right: readonly ComparedLine[]): LineDifference {
  // Of several shortest differences the algorithm picks one by the order of its inputs; so that order is fixed.
  if (orderOf(left) > orderOf(right)) return mirrored(orderedDifference(right, left));
  return orderedDifference(left, right);
}

function orderOf(lines: readonly ComparedLine[]): string {
  return lines.map(({ key }) => key).join("\n");
}

function mirrored({ removed, added, paired, delta }: LineDifference): LineDifference {
  return {
    removed: added,
    added: removed,
    paired: paired.map(({ left, right }) => ({ left: right, right: left })),
    delta: { added_lines: delta.removed_lines, removed_lines: delta.added_lines, hunks: delta.hunks },
  };
}

function orderedDifference(left: readonly ComparedLine[], right: readonly ComparedLine[]): LineDifference {
  const parts = diffArrays(left.map(({ key }) => key), right.map(({ key }) => key), { maxEditLength: maximumEdits });
  if (parts === undefined) return unaligned(left, right);
  const removed: ComparedLine[] = [];
  const added: ComparedLine[] = [];
  const paired: { left: ComparedLine; right: ComparedLine }[] = [];
  let [atLeft, atRight, hunks] = [0, 0, 0];
  let inHunk = false;
  for (const { count, added: isAdded, removed: isRemoved } of parts) {
    if (isRemoved) removed.push(...left.slice(atLeft, atLeft + count));
    else if (isAdded) added.push(...right.slice(atRight, atRight + count));
    else paired.push(...pairs(left.slice(atLeft, atLeft + count), right.slice(atRight, atRight + count)));
    const different = isAdded || isRemoved;
    if (different && !inHunk) hunks += 1;
    inHunk = different;
    if (!isAdded) atLeft += count;
    if (!isRemoved) atRight += count;
  }
  return { removed, added, paired, delta: { added_lines: added.length, removed_lines: removed.length, hunks } };
}

function unaligned(left: readonly ComparedLine[], right: readonly ComparedLine[]): LineDifference {
  return { removed: left, added: right, paired: [], delta: { added_lines: right.length, removed_lines: left.length, hunks: 1 } };
}

function pairs(left: readonly ComparedLine[], right: readonly ComparedLine[]): { left: ComparedLine; right: ComparedLine }[] {
  return left.flatMap((line, index) => {
    const other = right[index];
    return other === undefined ? [] : [{ left: line, right: other }];
  });
}
