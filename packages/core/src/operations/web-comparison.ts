import { citedRecordSchema } from "../cited-record.js";
import { evidenceInput } from "../evidence.js";
import { z } from "../z.js";
import { webExcerpt } from "./web-words.js";

/** Input and answer of `compare_web_captures`. */

const count = z.number().int().nonnegative();
const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a literal replacement is made in. */
export const webNormalizationKinds = ["url", "dom", "accessibility", "metadata", "storage"] as const;
export type WebNormalizationKind = (typeof webNormalizationKinds)[number];

const rule = z.strictObject({
  kind: z.enum(webNormalizationKinds).describe("Where it is replaced"),
  literal: z.string().min(1).max(1024).describe("Text as it stands in the captures"),
  replacement: z.string().max(1024).default("").describe("What stands there instead"),
});

export const compareWebCapturesInput = z.strictObject({
  left: evidenceInput.describe("inspect_web_page or browser scenario record of the older state"),
  right: evidenceInput.describe("Record of the newer state, of the same tool"),
  normalization: z.array(rule).max(64).default([]).describe("Literal replacements before comparing"),
  max_changes: z.int().min(1).max(20_000).default(2000).describe("Changes that are listed"),
});
export type CompareWebCapturesInput = z.output<typeof compareWebCapturesInput>;
export type WebNormalizationRule = z.output<typeof rule>;

export const webDimensions = ["dom_structure", "scripts", "resources", "network", "metadata", "accessibility", "storage"] as const;
export type WebDimension = (typeof webDimensions)[number];

const statuses = ["unchanged", "changed", "unknown"] as const;
export type WebComparisonStatus = (typeof statuses)[number];

/** Why a dimension is unknown. */
export const webUnknownReasons = ["not_captured", "captured_on_one_side", "incomplete", "equality_not_proven", "scope_differs"] as const;

const change = z.strictObject({
  dimension: z.enum(webDimensions),
  /** Null for pages. */
  step_id: text.nullable(),
  /** `unknown`: seen on one side, and the other cannot deny it, or equal as far as was seen and no further. */
  change: z.enum(["added", "removed", "changed", "reordered", "unknown"]),
  /** Which item. */
  place: text,
  fields: z.array(text),
  left: text.nullable(),
  right: text.nullable(),
});

const dimension = z.strictObject({
  dimension: z.enum(webDimensions),
  status: z.enum(statuses),
  reason: z.enum(webUnknownReasons).nullable(),
  left_items: count,
  right_items: count,
  added: count,
  removed: count,
  changed: count,
  unknown: count,
  /** Over what was compared, normalised. */
  left_sha256: sha256,
  right_sha256: sha256,
});

const side = z.strictObject({ capture_sha256: sha256, started_at: text, url: text.nullable() });

export const webComparisonSchema = z.strictObject({
  /** Left, then right: whether this session produced them. */
  cited_records: z.array(citedRecordSchema),
  kind: z.enum(["web-page", "browser-scenario"]),
  /** `changed` before `unknown` before `unchanged`, over what was captured. */
  status: z.enum(statuses),
  left: side,
  right: side,
  normalization: z.strictObject({ rules: z.array(rule), sha256 }),
  dimensions: z.array(dimension),
  /** Steps of scenarios by their exact `step_id`, in the order of the left one; empty for pages. */
  steps: z.array(
    z.strictObject({
      step_id: text,
      sides: z.enum(["both", "left_only", "right_only"]),
      status: z.enum(statuses),
      left_outcome: text.nullable(),
      right_outcome: text.nullable(),
      url: z.enum([...statuses, "not_captured"]),
      screenshot: z.enum([...statuses, "not_captured"]),
    }),
  ),
  changes: webExcerpt(change),
  limitations: z.array(text),
});
export type WebComparison = z.output<typeof webComparisonSchema>;
export type WebDifferences = Omit<WebComparison, "cited_records">;
export type WebChange = z.output<typeof change>;
export type WebDimensionFinding = z.output<typeof dimension>;
