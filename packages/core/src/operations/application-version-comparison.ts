import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { z } from "../z.js";
import { applicationGraphId, applicationGraphSchema } from "./javascript-graph-schema.js";
import { applicationNodeKinds } from "./javascript-words.js";
import { count } from "./values.js";

/** What `compare_application_versions` is asked and answers. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

export const applicationComparisonLimits = { max_candidate_nodes: 100, max_comparison_items: 20_000 } as const;

export const applicationComparisonLimitsInput = z
  .strictObject({
    max_candidate_nodes: z.number().int().min(1).max(10_000).default(applicationComparisonLimits.max_candidate_nodes).describe("Nodes of one key"),
    max_comparison_items: z.number().int().min(1).max(100_000).default(applicationComparisonLimits.max_comparison_items).describe("Items to keep"),
  })
  .prefault({});
export type ApplicationComparisonLimits = z.output<typeof applicationComparisonLimitsInput>;

export const applicationComparisonStates = ["unchanged", "added", "removed", "changed", "unknown"] as const;
export type ApplicationComparisonState = (typeof applicationComparisonStates)[number];

/** What a match rests on, in the order in which it is tried. */
export const applicationMatchBases = ["digest", "module-source-digest", "node-id", "source-map-original", "structural-fingerprint", "semantic-key"] as const;
export type ApplicationMatchBasis = (typeof applicationMatchBases)[number];

const side = z.strictObject({ node_id: text, name: text, /** Of the content, where the graph has one. */ sha256: sha256.nullable() });

const item = z.strictObject({
  status: z.enum(applicationComparisonStates),
  kind: z.enum(applicationNodeKinds),
  left: side.nullable(),
  right: side.nullable(),
  /** Null for what has no counterpart. */
  basis: z.enum(applicationMatchBases).nullable(),
  confidence: z.enum(["high", "medium", "unknown"]),
  /** What differs: `content`, `name`, `relations`, or names of properties. */
  changes: z.array(text),
  /** Why it is unknown. */
  reason: text.nullable(),
  /** Nodes of the other side that it may be, where they are several. */
  candidates: z.strictObject({ total: count, node_ids: z.array(text) }).nullable(),
  /** Native observations of either side that are about it. */
  native_evidence: z.array(evidenceIdSchema),
});
export type ApplicationComparisonItem = z.output<typeof item>;

const comparedApplication = z.strictObject({
  graph_id: applicationGraphId,
  graph_sha256: sha256,
  root_artifact_sha256: sha256.nullable(),
  nodes: count,
  coverage: z.enum(["complete", "partial", "unavailable"]),
});

const counts = z.strictObject({ unchanged: count, added: count, removed: count, changed: count, unknown: count });

export const applicationVersionComparisonSchema = z.strictObject({
  /** `changed` before `unknown` before `unchanged`. */
  status: z.enum(["unchanged", "changed", "unknown"]),
  left: comparedApplication,
  right: comparedApplication,
  summary: counts,
  by_kind: z.array(z.strictObject({ kind: z.enum(applicationNodeKinds), ...counts.shape })),
  /** What differs first, what is unchanged last. */
  items: pageSchema(item),
  /** A graph of what changed into what; null when nothing did. */
  changed_from: z
    .discriminatedUnion("state", [
      z.strictObject({ state: z.literal("inline"), graph_sha256: sha256, graph: applicationGraphSchema }),
      z.strictObject({ state: z.literal("retained"), graph_sha256: sha256, graph_id: applicationGraphId, bytes: count, nodes: count, edges: count }),
    ])
    .nullable(),
  /** Native observations that are about no file of their side. */
  unmatched_native_observations: z.array(evidenceIdSchema),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type ApplicationVersionComparison = z.output<typeof applicationVersionComparisonSchema>;
