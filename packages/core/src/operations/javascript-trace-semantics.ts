import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { applicationGraphId } from "./javascript-graph-schema.js";
import { semanticNodeSchema } from "./javascript-semantics.js";
import { traceSeedInput, traceSeedKinds, walkLimits } from "./javascript-trace-words.js";
import { observationConfidences, observationStates, semanticRelations } from "./javascript-words.js";
import { count } from "./values.js";

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

export const semanticTraceDirections = ["backward-provenance", "forward-influence", "callers", "ownership"] as const;
export type SemanticTraceDirection = (typeof semanticTraceDirections)[number];

export const semanticTraceLimitsInput = z.strictObject(walkLimits).prefault({});
export type SemanticTraceLimits = z.output<typeof semanticTraceLimitsInput>;

/** What `trace_javascript_semantics` is asked, its application aside. */
export const semanticTraceInput = {
  seed: traceSeedInput.describe("Where the trace begins"),
  direction: z.enum(semanticTraceDirections).describe("Where a value comes from, where it goes, who calls, or who owns and releases"),
  allowed_relations: z.array(z.enum(semanticRelations)).min(1).max(semanticRelations.length).optional().describe("Only these relations; default all"),
  include_ambiguous_dynamic_edges: z.boolean().default(false).describe("Also follow calls that only a run decides"),
  limits: semanticTraceLimitsInput.describe("How far the trace goes"),
  page_size: z.number().int().min(1).max(1000).default(200).describe("Relations to return at most; a page also ends where a reply is full"),
  cursor: z.string().min(1).max(256).optional().describe("next_cursor of the page before"),
};

/** A node of this page; relations name it by its position. */
const tracedNode = semanticNodeSchema.omit({ owner: true }).extend({ depth: count });

const relation = z.strictObject({
  relation: z.enum(semanticRelations),
  from: count,
  to: count,
  depth: count,
  state: z.enum(observationStates),
  confidence: z.enum(observationConfidences),
  reason: text.nullable(),
});

export const semanticTraceSchema = z.strictObject({
  schema_version: z.literal(1),
  graph_id: applicationGraphId,
  /** Of the semantic graph; cursors hold for it alone. */
  semantic_graph_sha256: sha256,
  seed: z.strictObject({ kind: z.enum(traceSeedKinds), value: text }),
  direction: z.enum(semanticTraceDirections),
  /** Seeds of the whole trace; the first of them with their places. */
  seeds: z.strictObject({ items: z.array(semanticNodeSchema.omit({ owner: true })), total: count, truncated: z.boolean() }),
  /** Nodes that the relations of this page tie. */
  nodes: z.array(tracedNode),
  relations: z.array(relation),
  offset: count,
  total: count,
  has_more: z.boolean(),
  next_cursor: text.nullable(),
  /** Of the whole trace. */
  reached: z.strictObject({ nodes: count, relations: count, by_relation: z.array(z.strictObject({ relation: z.enum(semanticRelations), relations: count })) }),
  /** Edges that only a run decides and that were not followed. */
  ambiguous_left_out: count,
  /** Calls that were reached and whose target is not known, by reason. */
  unresolved_calls: z.array(z.strictObject({ reason: text, calls: count })),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type SemanticTrace = z.output<typeof semanticTraceSchema>;
