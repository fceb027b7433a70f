import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { z } from "../z.js";
import { applicationGraphId } from "./javascript-graph-schema.js";
import { applicationNodeKinds } from "./javascript-words.js";
import { count } from "./values.js";

/** What `compare_source_to_bundle` is asked and answers. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

export const sourceComparisonLimitsInput = z
  .strictObject({
    max_source_files: z.number().int().min(1).max(50_000).default(20_000).describe("Files compared"),
    max_targets: z.number().int().min(1).max(64).default(8).describe("Places listed for a file"),
  })
  .prefault({});
export type SourceComparisonLimits = z.output<typeof sourceComparisonLimitsInput>;

export const sourceComparisonStates = ["unchanged", "modified", "removed", "split", "merged", "duplicated", "unknown"] as const;
export type SourceComparisonState = (typeof sourceComparisonStates)[number];

/** Signals with their weights; a target's score is the sum of those it shows. */
export const sourceSignalWeights = {
  "content-digest": 1000,
  "original-digest": 1000,
  "code-digest": 800,
  "structure-digest": 400,
  "original-path": 300,
  "module-path": 300,
  /** At most; in proportion to the words that are shared. */
  words: 200,
  /** At most; in proportion to the names that are shared. */
  exports: 100,
} as const;
export type SourceSignal = keyof typeof sourceSignalWeights;

const target = z.strictObject({
  node_id: text,
  kind: z.enum(applicationNodeKinds),
  name: text,
  score: count,
  signals: z.array(z.strictObject({ signal: text, weight: count })),
});
export type SourceTarget = z.output<typeof target>;

const file = z.strictObject({
  path: text,
  sha256,
  status: z.enum(sourceComparisonStates),
  confidence: z.enum(["high", "medium", "low", "unknown"]),
  targets: z.array(target),
  targets_total: count,
  reason: text.nullable(),
});
export type ComparedSource = z.output<typeof file>;

export const sourceComparisonSchema = z.strictObject({
  reference: z.strictObject({ authority: z.literal("historical-reference"), root_sha256: sha256, inventory_state: z.enum(["complete", "partial"]), files: count, compared: count }),
  application: z.strictObject({ authority: z.literal("shipped-artifact"), graph_id: applicationGraphId, graph_sha256: sha256, root_artifact_sha256: sha256.nullable() }),
  status: z.enum(["unchanged", "changed", "unknown"]),
  summary: z.strictObject({ unchanged: count, modified: count, removed: count, split: count, merged: count, duplicated: count, unknown: count }),
  files: pageSchema(file),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type SourceComparison = z.output<typeof sourceComparisonSchema>;
