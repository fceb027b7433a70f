import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { z } from "../z.js";
import { count } from "./values.js";

/** What `correlate_static_and_runtime` is asked and answers. */

const text = z.string();

const expectedPatterns = ["cochanged", "static_only", "runtime_only", "both_unchanged"] as const;
const sideAlignments = ["left_to_left", "left_to_right"] as const;

const comparison = evidenceIdSchema.describe("Id of one of the comparisons given");

export const correlationMappingSchema = z.strictObject({
  static: z
    .strictObject({
      comparison,
      selector: z.string().min(1).max(4096).describe("A dimension, a logical path, or status for the whole"),
    })
    .describe("Where in the static comparison"),
  runtime: z
    .strictObject({ comparison, dimension: z.string().min(1).max(100).describe("A dimension, or status for the whole") })
    .describe("Where in the runtime comparison"),
  hypothesis: z
    .strictObject({
      statement: z.string().min(1).max(500).describe("What is thought to be so"),
      expected_pattern: z.enum(expectedPatterns).describe("What both comparisons would show"),
    })
    .describe("What is tested"),
  side_alignment: z.enum(sideAlignments).describe("Which side of the runs belongs to the left of the static comparison"),
});
export type CorrelationMapping = z.output<typeof correlationMappingSchema>;

const state = z.enum(["changed", "unchanged", "unknown", "contradiction"]);

export const correlationSchema = z.strictObject({
  status: z.enum(["correlated", "contradicted", "unknown"]),
  correlations: z.array(
    z.strictObject({
      status: z.enum(["correlated", "contradicted", "unknown"]),
      statement: text,
      expected_pattern: z.enum(expectedPatterns),
      static_state: state,
      runtime_state: state,
      side_alignment: z.enum(sideAlignments),
      reason: text,
      evidence_links: z.array(evidenceIdSchema),
    }),
  ),
  summary: z.strictObject({ correlated: count, contradicted: count, unknown: count }),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type Correlation = z.output<typeof correlationSchema>;
