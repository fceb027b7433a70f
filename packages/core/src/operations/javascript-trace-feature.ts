import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { z } from "../z.js";
import { applicationGraphId } from "./javascript-graph-schema.js";
import { traceSeedInput, traceSeedKinds, walkLimits } from "./javascript-trace-words.js";
import { applicationAuthorities, applicationNodeKinds, applicationRelations, observationConfidences, observationStates } from "./javascript-words.js";
import { count } from "./values.js";

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

export const featureTraceLimitsInput = z
  .strictObject({ ...walkLimits, max_paths: z.number().int().min(1).max(1000).default(100).describe("Paths to ends at most") })
  .prefault({});
export type FeatureTraceLimits = z.output<typeof featureTraceLimitsInput>;

export const traceDirections = ["outgoing", "incoming", "both"] as const;

/** What `trace_application_feature` is asked, its application and records aside. */
export const featureTraceInput = {
  seed: traceSeedInput.describe("Where the trace begins"),
  direction: z.enum(traceDirections).default("both").describe("Along edges, against them, or each by itself"),
  limits: featureTraceLimitsInput.describe("How far the trace goes"),
  offset: z.number().int().min(0).default(0).describe("First node, edge and path of the page"),
  limit: z.number().int().min(1).max(500).default(40).describe("Nodes, edges and paths of the page"),
};

const place = z.strictObject({ path: text, line: count, column: count }).nullable();

/** `n` is the position of a node in the whole subgraph; edges, paths and the rest name nodes by it. */
const tracedNode = z.strictObject({ n: count, node_id: text, kind: z.enum(applicationNodeKinds), name: text, depth: count, at: place });

const tracedEdge = z.strictObject({
  relation: z.enum(applicationRelations),
  from: count,
  to: count,
  authority: z.enum(applicationAuthorities),
  state: z.enum(observationStates),
  confidence: z.enum(observationConfidences),
  at: place,
});

const path = z.strictObject({
  direction: z.enum(["outgoing", "incoming"]),
  /** What ends it: the kind of its last node. */
  terminal: z.enum(applicationNodeKinds),
  /** From the seed on. */
  nodes: z.array(count),
  relations: z.array(z.enum(applicationRelations)),
  /** The least sure edge on it. */
  state: z.enum(observationStates),
});

export const featureTraceSchema = z.strictObject({
  schema_version: z.literal(1),
  graph_id: applicationGraphId,
  graph_sha256: sha256,
  seed: z.strictObject({ kind: z.enum(traceSeedKinds), value: text }),
  direction: z.enum(traceDirections),
  /** Nodes that the seed names, by position, and how: their own name, a property, or code that they hold. */
  seeds: z.strictObject({
    items: z.array(z.strictObject({ n: count, matched: z.enum(["id", "name", "property", "code"]), text, at: place })),
    total: count,
    truncated: z.boolean(),
  }),
  /** Digest of the whole subgraph, which pages are cut from. */
  subgraph_sha256: sha256,
  nodes: pageSchema(tracedNode),
  edges: pageSchema(tracedEdge),
  paths: pageSchema(path),
  /** Nodes that were not followed further, and why. */
  frontier: z.strictObject({ items: z.array(z.strictObject({ n: count, reason: z.enum(["max_depth", "max_nodes", "max_edges"]), edges: count })), total: count }),
  /** What stands behind the edges of the whole subgraph. */
  authorities: z.array(z.strictObject({ authority: z.enum(applicationAuthorities), state: z.enum(observationStates), confidence: z.enum(observationConfidences), edges: count })),
  /** Native code that the trace reaches: what an engine must tell, or the records that were given about it. */
  native_handovers: z.array(
    z.strictObject({ n: count, path: text, sha256: sha256.nullable(), state: z.enum(["requires_provider_analysis", "observed"]), evidence: z.array(evidenceIdSchema), next: text.nullable() }),
  ),
  /** Records about no native file that the trace reaches. */
  unmatched_native_observations: z.array(evidenceIdSchema),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type FeatureTrace = z.output<typeof featureTraceSchema>;
export type TracedApplicationNode = z.output<typeof tracedNode>;
export type TracedApplicationEdge = z.output<typeof tracedEdge>;
export type FeaturePath = z.output<typeof path>;
