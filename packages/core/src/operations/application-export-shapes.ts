import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { count } from "./values.js";

/** What `compare_javascript_export_shapes` is asked and answers. */

const text = z.string();

export const exportShapeLimitsInput = z
  .strictObject({
    max_return_variants: z.number().int().min(1).max(1024).default(128).describe("Variants of a side"),
    max_changes: z.number().int().min(1).max(10_000).default(1000).describe("Changes listed"),
  })
  .prefault({});
export type ExportShapeLimits = z.output<typeof exportShapeLimitsInput>;

export const shapePresences = ["present", "absent", "unknown"] as const;
export type ShapePresence = (typeof shapePresences)[number];

const side = z.strictObject({
  module_path: text,
  export_name: text,
  presence: z.enum(shapePresences),
  /** Why it is not known. */
  reason: text.nullable(),
  kind: z.enum(["function", "class", "value", "unknown"]),
  /** The module that defines it, after re-exports. */
  node_id: text.nullable(),
  variants: count,
  /** Every return of it was understood. */
  complete: z.boolean(),
});
export type ComparedExport = z.output<typeof side>;

const variant = z.strictObject({
  /** The literal that tells this variant from all others of its side; null where there is none. */
  discriminant: z.strictObject({ pointer: text, value: text }).nullable(),
  left: z.enum(shapePresences),
  right: z.enum(shapePresences),
  changes: count,
});
export type ComparedVariant = z.output<typeof variant>;

const change = z.strictObject({
  /** Position in `variants`. */
  variant: count,
  /** JSON pointer (RFC 6901) into the value. */
  pointer: text,
  left: z.enum(shapePresences),
  right: z.enum(shapePresences),
  /** A literal in JSON, or `object`, `object+` (with members that are not known), `array`, `array+`, `string`, `number`, `boolean`, `bigint`, `function`, `undefined`; null for what is not present. */
  left_value: text.nullable(),
  right_value: text.nullable(),
});
export type ShapeChange = z.output<typeof change>;

export const exportShapeComparisonSchema = z.strictObject({
  /** `changed` before `unknown` before `unchanged`. */
  status: z.enum(["unchanged", "changed", "unknown"]),
  left: side,
  right: side,
  variants: z.array(variant),
  changes: z.strictObject({ items: z.array(change), returned: count, total: count, truncated: z.boolean() }),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type ExportShapeComparison = z.output<typeof exportShapeComparisonSchema>;
