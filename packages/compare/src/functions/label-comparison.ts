import { compareCodePoints } from "@rea/core";
import { unknownDimension, type DimensionFinding } from "./dimension-finding.js";

/** Items of one side as labels that mean the same on both sides. */
export interface LabelledItems {
  readonly labels: readonly string[];
  /** How many there are in all; null when not known. */
  readonly total: number | null;
  readonly complete: boolean;
}

export type LabelledFacet = LabelledItems | { readonly unavailable: string };

interface FacetLike<T> {
  readonly state: "available";
  readonly value: { readonly items: readonly T[]; readonly returned: number; readonly total: number | null; readonly truncated: boolean };
}

/** The items of a bounded collection of a dossier, or why there are none. */
export function labelsOf<T>(
  facet: FacetLike<T> | { readonly state: "unavailable"; readonly reason: string },
  label: (item: T) => string,
): LabelledFacet {
  if (facet.state === "unavailable") return { unavailable: facet.reason };
  const { items, total, truncated } = facet.value;
  return { labels: items.map(label), total, complete: !truncated && total === items.length };
}

/** Several collections as one. */
export function joined(...facets: readonly LabelledFacet[]): LabelledFacet {
  const missing = facets.find((facet) => "unavailable" in facet);
  if (missing !== undefined) return missing;
  const parts = facets.filter((facet) => "labels" in facet);
  const totals = parts.map(({ total }) => total);
  return {
    labels: parts.flatMap(({ labels }) => labels),
    total: totals.reduce((sum, total) => (sum === null || total === null ? null : sum + total), 0),
    complete: parts.every(({ complete }) => complete),
  };
}

/**
 * Compares two bags of labels. A label that one side shows more often than the other has it in all is a certain difference;
 * equality needs both sides whole. With `strict` a difference needs both sides whole, too.
 */
export function compareLabels(left: LabelledFacet, right: LabelledFacet, options: { readonly strict: boolean }): DimensionFinding {
  const unavailable = [left, right].flatMap((side) => ("unavailable" in side ? [side.unavailable] : []));
  if ("unavailable" in left || "unavailable" in right) return unknownDimension(...new Set(unavailable));
  const whole = left.complete && right.complete;
  const [before, after] = [counted(left.labels), counted(right.labels)];
  const removed = left.complete || right.complete ? excess(before, after, right.complete) : [];
  const added = left.complete || right.complete ? excess(after, before, left.complete) : [];
  const certain = removed.length + added.length > 0 || differentTotals(left, right);
  const status = whole ? (certain ? "changed" : "unchanged") : certain && !options.strict ? "changed" : "unknown";
  const shown = status === "changed";
  return {
    status,
    left: sorted(left.labels),
    right: sorted(right.labels),
    textDelta: null,
    changes: shown
      ? [
          ...removed.map((label) => ({ kind: "removed" as const, left: label, right: null })),
          ...added.map((label) => ({ kind: "added" as const, left: null, right: label })),
        ]
      : [],
    limitations: whole ? [] : ["A collection is cut; ask for the dossier again with a greater limit to compare all of it."],
  };
}

/** Labels that `of` has more often than `than`, provided `than` is all there is. */
function excess(of: ReadonlyMap<string, number>, than: ReadonlyMap<string, number>, thanIsWhole: boolean): string[] {
  if (!thanIsWhole) return [];
  return sorted([...of].flatMap(([label, count]) => Array.from({ length: Math.max(0, count - (than.get(label) ?? 0)) }, () => label)));
}

function differentTotals(left: LabelledItems, right: LabelledItems): boolean {
  return left.total !== null && right.total !== null && left.total !== right.total;
}

function counted(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

function sorted(labels: readonly string[]): string[] {
  return [...labels].sort(compareCodePoints);
}
