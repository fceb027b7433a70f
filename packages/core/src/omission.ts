export const omissionReasons = [
  "limit_entries",
  "limit_total_bytes",
  "limit_entry_bytes",
  "limit_ratio",
  "limit_depth",
  "limit_path_bytes",
  "limit_items",
  "limit_operations",
  "limit_time",
  "encrypted",
  "unsupported_format",
  "unsupported_method",
  "malformed",
  "unreadable",
  "missing_companion",
  "integrity_mismatch",
  "filtered",
  "engine_unavailable",
  "analysis_incomplete",
  "not_examined",
] as const;
export type OmissionReason = (typeof omissionReasons)[number];

/** What a result leaves out: where, why, how much, and how to go on. */
export interface Omission {
  readonly scope: string;
  readonly reason: OmissionReason;
  readonly count: number | null;
  readonly limit: number | null;
  readonly how_to_continue: string | null;
}

export interface Coverage {
  readonly state: "complete" | "partial" | "unavailable";
  readonly omissions: readonly Omission[];
}

/** An omission with the optional parts defaulted to null. */
export function omission(
  scope: string,
  reason: OmissionReason,
  more: { readonly count?: number; readonly limit?: number; readonly how_to_continue?: string } = {},
): Omission {
  return {
    scope,
    reason,
    count: more.count ?? null,
    limit: more.limit ?? null,
    how_to_continue: more.how_to_continue ?? null,
  };
}

/** `complete` exactly when nothing was left out. */
export function coverageOf(omissions: readonly Omission[]): { state: Coverage["state"]; omissions: Omission[] } {
  return { state: omissions.length === 0 ? "complete" : "partial", omissions: [...omissions] };
}
