import { citedRecordSchema } from "../cited-record.js";
import { z } from "../z.js";
import { captureDimensions, journalCollections } from "./process-capture.js";
import { count } from "./values.js";

/** What `compare_process_captures` answers. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const comparedStates = ["unchanged", "added", "removed", "changed", "truncated", "unknown", "contradiction"] as const;

const difference = z.strictObject({
  dimension: z.enum(captureDimensions),
  /** `unknown`: seen on one side, and the other cannot deny it. */
  state: z.enum(["added", "removed", "changed", "unknown", "contradiction"]),
  collection: z.enum(journalCollections),
  /** Which of them: a place in a text, a path, a process, a position in the collection. */
  place: text,
  /** Fields that differ. */
  fields: z.array(text),
  /** Excerpts; null where a side has nothing. */
  left: text.nullable(),
  right: text.nullable(),
  /** Places in the journals. */
  left_order: count.nullable(),
  right_order: count.nullable(),
});

const side = z.strictObject({
  capture_sha256: sha256,
  executable_sha256: sha256,
  scenario_sha256: sha256,
  started_at: text,
  journal_entries: count,
});

const dimension = z.strictObject({
  dimension: z.enum(captureDimensions),
  status: z.enum(comparedStates),
  left_count: count,
  right_count: count,
  /** Of what was compared, in its normalised form. */
  left_digest: sha256,
  right_digest: sha256,
  differences: count,
  first_difference: difference.nullable(),
  limitations: z.array(text),
});

const violation = z.strictObject({
  rule: z.enum(["unmatched", "cardinality", "happens_before", "not_before", "prefix", "suffix", "trace"]),
  event: text.nullable(),
  other: text.nullable(),
  capture_order: count.nullable(),
});

const traceSide = z.strictObject({
  conformance: z.enum(["conforming", "nonconforming", "unknown"]),
  /** Events of the specification, in the order of the journal. */
  events: count,
  counts: z.array(z.strictObject({ event: text, count })),
  /** The first 100. */
  violations: z.array(violation),
  violations_total: count,
});

export const processComparisonSchema = z.strictObject({
  /** Left, then right: whether this session produced them. */
  cited_records: z.array(citedRecordSchema),
  status: z.enum(["unchanged", "changed", "truncated", "unknown", "contradiction"]),
  verdict: z.enum(["equivalent", "different", "nonconforming", "unknown"]),
  comparison_contract_sha256: sha256,
  left: side,
  right: side,
  dimensions: z.array(dimension),
  /** The earliest difference by the order of the journals. */
  first_divergence: difference.nullable(),
  /** The first 100 of them, by dimension and place. */
  divergences: z.strictObject({ items: z.array(difference), returned: count, total: count, truncated: z.boolean() }),
  trace: z.strictObject({ specification_sha256: sha256, language: z.enum(["partial_order", "finite_traces"]), left: traceSide, right: traceSide }).nullable(),
  residual_unknowns: z.array(z.strictObject({ side: z.enum(["left", "right"]), dimension: z.enum(captureDimensions), reason: text })),
  limitations: z.array(text),
});

export type ProcessComparison = z.output<typeof processComparisonSchema>;
/** What two captures say by themselves. */
export type CaptureDifferences = Omit<ProcessComparison, "cited_records">;
export type ProcessDifference = z.output<typeof difference>;
export type ComparedDimension = z.output<typeof dimension>;
export type TraceViolation = z.output<typeof violation>;
export type TraceSide = z.output<typeof traceSide>;
