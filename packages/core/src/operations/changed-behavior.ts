import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { z } from "../z.js";
import { count } from "./values.js";

/** What `find_changed_behavior` answers. */

const text = z.string();

const finding = z.strictObject({
  evidence_id: evidenceIdSchema,
  operation: text,
  /** `observed_change` comes from runs that were compared, `static_candidate` from code or files alone. */
  kind: z.enum(["observed_change", "observed_unchanged", "static_candidate", "static_unchanged", "contradiction", "unresolved"]),
  /** The part of the comparison that says so; null for the whole of it. */
  dimension: text.nullable(),
  statement: text,
});
export type BehaviorFinding = z.output<typeof finding>;

export const changedBehaviorSchema = z.strictObject({
  behavior_status: z.enum(["observed_changed", "observed_unchanged", "unknown"]),
  findings: z.array(finding),
  summary: z.strictObject({ observed_changes: count, static_candidates: count, contradictions: count, unresolved: count }),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type ChangedBehavior = z.output<typeof changedBehaviorSchema>;
