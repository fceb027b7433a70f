import { citedRecordSchema } from "../cited-record.js";
import { z } from "../z.js";
import { addressValue, count } from "./values.js";

/** What `compare_functions` answers. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const functionDimensions = [
  "identity",
  "pseudocode",
  "assembly",
  "comments",
  "calls",
  "references",
  "strings_names",
  "cfg",
] as const;
export type FunctionDimension = (typeof functionDimensions)[number];

export const comparisonStatuses = ["unchanged", "changed", "unknown"] as const;
export type ComparisonStatus = (typeof comparisonStatuses)[number];

const textDelta = z.strictObject({ added_lines: count, removed_lines: count, hunks: count });

const dimension = z.strictObject({
  dimension: z.enum(functionDimensions),
  status: z.enum(comparisonStatuses),
  /** Of what was compared, independent of addresses; null where a side has nothing to compare. */
  left_digest: sha256.nullable(),
  right_digest: sha256.nullable(),
  /** Items or lines compared. */
  left_count: count,
  right_count: count,
  /** Null when the dimension is no text. */
  text_delta: textDelta.nullable(),
  conclusion_kind: z.enum(["derived_relationship", "contradiction", "unresolved_branch"]),
  evidence_links: z.array(text),
  limitations: z.array(text),
});
export type ComparedFunctionDimension = z.output<typeof dimension>;

const change = z.strictObject({
  dimension: z.enum(functionDimensions),
  kind: z.enum(["added", "removed", "changed"]),
  /** What it is: a line, a name, a string; null on the side that has nothing. */
  left: text.nullable(),
  right: text.nullable(),
});
export type FunctionChange = z.output<typeof change>;

const side = z.strictObject({ address: addressValue, name: text });

export const functionComparisonSchema = z.strictObject({
  status: z.enum(comparisonStatuses),
  function_match: z.enum(["symbol", "explicit", "ambiguous"]),
  left_subject_sha256: sha256.nullable(),
  right_subject_sha256: sha256.nullable(),
  summary: z.strictObject({ left: side, right: side, unchanged: count, changed: count, unknown: count, changes: count }),
  dimensions: z.array(dimension),
  /** The first 200, by dimension. */
  changes: z.array(change),
  cited_records: z.array(citedRecordSchema),
  limitations: z.array(text),
});
export type FunctionComparison = z.output<typeof functionComparisonSchema>;
