import { structuredPatch } from "diff";

export interface TextSides {
  readonly left: string;
  readonly right: string;
}

/** Lines that may be added and removed before a difference is called too large to show. */
const maximumEdits = 2000;

/**
 * Hunks of a unified diff (POSIX `diff -u`), without the two header lines, three lines of context each; undefined when the
 * texts differ in more than 2,000 lines. Ends of lines are compared as they are: a changed line end shows as a changed line.
 */
export function unifiedDifference({ left, right }: TextSides): string | undefined {
  const patch = structuredPatch("", "", left, right, undefined, undefined, { context: 3, maxEditLength: maximumEdits });
  if (patch === undefined) return undefined;
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const head = `@@ -${place(oldStart, oldLines)} +${place(newStart, newLines)} @@`;
    return [head, ...lines].map((line) => `${line}\n`).join("");
  }).join("");
}

/** A count of one is left out, and no lines stand behind the line before them, as `diff -u` writes it. */
function place(start: number, lines: number): string {
  if (lines === 1) return String(start);
  return `${String(lines === 0 ? start - 1 : start)},${String(lines)}`;
}
