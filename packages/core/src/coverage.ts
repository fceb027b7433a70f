import { z } from "./z.js";

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

const count = z.number().int().nonnegative();

/** What a result leaves out: where, why, how much, and how to go on. */
export const omissionSchema = z.strictObject({
  scope: z.string(),
  reason: z.enum(omissionReasons),
  count: count.nullable(),
  limit: count.nullable(),
  how_to_continue: z.string().nullable(),
});
export type Omission = Readonly<z.infer<typeof omissionSchema>>;

export const coverageSchema = z.strictObject({
  state: z.enum(["complete", "partial", "unavailable"]),
  omissions: z.array(omissionSchema),
});
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
export function coverageOf(omissions: readonly Omission[]): z.infer<typeof coverageSchema> {
  return { state: omissions.length === 0 ? "complete" : "partial", omissions: [...omissions] };
}

/** Shape of every list result. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    coverage: coverageSchema,
    offset: count,
    limit: count,
    total: count.nullable(),
    next_offset: count.nullable(),
    has_more: z.boolean(),
  });
}

export interface Page<T> {
  items: T[];
  coverage: z.infer<typeof coverageSchema>;
  offset: number;
  limit: number;
  total: number | null;
  next_offset: number | null;
  has_more: boolean;
}

/** Cuts one page out of a whole list; concatenated pages equal the list. Coverage speaks of the list, not of the page. */
export function pageOf<S, T>(
  all: readonly S[],
  request: { readonly offset: number; readonly limit: number },
  map: (item: S) => T,
  omissions: readonly Omission[] = [],
): Page<T> {
  const items = all.slice(request.offset, request.offset + request.limit).map(map);
  const end = request.offset + items.length;
  const more = end < all.length;
  return {
    items,
    coverage: coverageOf(omissions),
    offset: request.offset,
    limit: request.limit,
    total: all.length,
    next_offset: more ? end : null,
    has_more: more,
  };
}

/** Shape of a bounded collection inside a dossier. */
export function collectionSchema<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    returned: count,
    total: count.nullable(),
    truncated: z.boolean(),
    next_offset: count.nullable(),
  });
}

/** A part that a provider may not be able to supply. */
export function facetSchema<T extends z.ZodType>(value: T) {
  return z.discriminatedUnion("state", [
    z.strictObject({ state: z.literal("available"), value }),
    z.strictObject({ state: z.literal("unavailable"), reason: z.string(), remediation: z.string() }),
  ]);
}

export type Facet<T> =
  | { state: "available"; value: T }
  | { state: "unavailable"; reason: string; remediation: string };
