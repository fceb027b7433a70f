import { addressValue, coverageSchema, operations, z } from "@rea/core";
import { importGroups } from "../front-page/telling-imports.js";

const count = z.number().int().nonnegative();
const text = z.string();
const summary = operations.summarize_program.result.shape;

/** Shape of the `binary_overview` result; the members after `detail` only for `detail: "detailed"`. */
export const overviewResult = z.strictObject({
  document: text.nullable(),
  format: text.nullable(),
  architecture: text.nullable(),
  procedure_count: count.nullable(),
  string_count: count.nullable(),
  name_count: count.nullable(),
  segment_count: count.nullable(),
  segments: z.array(operations.list_segments.result.shape.items.element),
  entry_points: summary.entry_points,
  detail: z.enum(["concise", "detailed"]),
  largest_procedures: summary.largest_procedures.optional(),
  most_called_procedures: summary.most_called_procedures.optional(),
  notable_strings: summary.notable_strings.optional(),
  notable_imports: z
    .array(z.strictObject({ address: addressValue, name: text, library: text.nullable(), group: z.enum(importGroups) }))
    .optional(),
  code_coverage: z
    .strictObject({
      code_bytes: count,
      examined_code_bytes: count,
      examined_ppm: z.number().int().min(0).max(1_000_000).nullable(),
      unresolved_indirect_jumps: count,
    })
    .optional(),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type Overview = z.output<typeof overviewResult>;
