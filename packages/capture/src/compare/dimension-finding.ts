import { canonicalSha256, type CaptureDimension, type ComparedDimension, type ProcessDifference } from "@rea/core";
import type { FoundDifference } from "./compared-items.js";

/** What was found in one dimension. */
export interface DimensionFinding {
  readonly dimension: CaptureDimension;
  readonly differences: readonly ProcessDifference[];
  readonly compared: ComparedDimension;
}

export interface DimensionParts {
  readonly dimension: CaptureDimension;
  readonly differences: readonly FoundDifference[];
  /** What was compared, each side in its normalised form. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** A side was cut where the other goes on. */
  readonly truncated: boolean;
  readonly limitations: readonly string[];
}

/** The status follows from what is certain: a contradiction, then a difference, then what is cut or unknown. */
export function dimensionFinding({ dimension, differences: found, left, right, truncated, limitations }: DimensionParts): DimensionFinding {
  const differences = found.map((one) => ({ dimension, ...one }));
  const certain = differences.filter(({ state }) => state !== "unknown");
  return {
    dimension,
    differences,
    compared: {
      dimension,
      status: statusOf(new Set(differences.map(({ state }) => state)), truncated),
      left_count: left.length,
      right_count: right.length,
      left_digest: canonicalSha256(left),
      right_digest: canonicalSha256(right),
      differences: certain.length,
      first_difference: earliest(certain) ?? null,
      limitations: [...new Set(limitations)],
    },
  };
}

function statusOf(states: ReadonlySet<ProcessDifference["state"]>, truncated: boolean): ComparedDimension["status"] {
  if (states.has("contradiction")) return "contradiction";
  const certain = (["added", "removed", "changed"] as const).filter((state) => states.has(state));
  if (certain.length > 0) return certain.length === 1 ? (certain[0] ?? "changed") : "changed";
  if (states.has("unknown")) return "unknown";
  return truncated ? "truncated" : "unchanged";
}

/** The first by the order of either journal; the first in the list among equals. */
export function earliest(differences: readonly ProcessDifference[]): ProcessDifference | undefined {
  let first: ProcessDifference | undefined;
  for (const one of differences) if (first === undefined || orderOf(one) < orderOf(first)) first = one;
  return first;
}

function orderOf({ left_order, right_order }: ProcessDifference): number {
  return Math.min(left_order ?? Number.POSITIVE_INFINITY, right_order ?? Number.POSITIVE_INFINITY);
}
