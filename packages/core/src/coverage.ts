import { omissionReasons } from "./omission.js";
import { z } from "./z.js";

const count = z.number().int().nonnegative();

/** What a result leaves out: where, why, how much, and how to go on. */
export const omissionSchema = z.strictObject({
  scope: z.string(),
  reason: z.enum(omissionReasons),
  count: count.nullable(),
  limit: count.nullable(),
  how_to_continue: z.string().nullable(),
});

export const coverageSchema = z.strictObject({
  state: z.enum(["complete", "partial", "unavailable"]),
  omissions: z.array(omissionSchema),
});

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
