import { coverageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { jsonValue } from "../json-schemas.js";
import { z } from "../z.js";
import { applicationAuthorities, applicationNodeKinds, applicationRelations, identityStrategies, observationConfidences, observationStates } from "./javascript-words.js";
import { count } from "./values.js";

const hex = "[0-9a-f]{64}";
const idOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}${hex}$`, "u"));
export const applicationGraphId = idOf("jag_");
const applicationNodeId = idOf("jag_node_");
const applicationEdgeId = idOf("jag_edge_");
const applicationObservationId = idOf("jag_observation_");
const sha256 = z.string().regex(new RegExp(`^${hex}$`, "u"));

/** The file that shows it, by digest and place in the application; or why there is none. */
export const artifactReferenceSchema = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("available"), sha256, path: z.string() }),
  z.strictObject({ state: z.literal("unavailable"), reason: z.string() }),
]);

/** Half-open range in bytes of the file; lines count from 1, columns from 0 in UTF-16 code units. Or why there is none. */
export const sourceLocationSchema = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("available"), start: count, end: count, line: z.number().int().min(1), column: count }),
  z.strictObject({ state: z.literal("unavailable"), reason: z.string() }),
]);

/** What observations and edges say of where they come from. */
const provenance = {
  authority: z.enum(applicationAuthorities),
  state: z.enum(observationStates),
  confidence: z.enum(observationConfidences),
  artifact: artifactReferenceSchema,
  location: sourceLocationSchema,
  /** Name of the reader that found it. */
  extractor: z.string().min(1).max(128),
  coverage: z.enum(["complete", "partial"]),
  limitations: z.array(z.string()).max(16),
  evidence_links: z.array(evidenceIdSchema).max(64),
};

const properties = z.record(z.string(), jsonValue);

export const applicationObservationSchema = z.strictObject({ observation_id: applicationObservationId, ...provenance });

export const applicationNodeSchema = z.strictObject({
  node_id: applicationNodeId,
  kind: z.enum(applicationNodeKinds),
  identity: z.strictObject({ strategy: z.enum(identityStrategies), value: z.string().min(1) }),
  name: z.string(),
  properties,
  observations: z.array(applicationObservationSchema).max(64),
});

export const applicationEdgeSchema = z.strictObject({
  edge_id: applicationEdgeId,
  relation: z.enum(applicationRelations),
  from: applicationNodeId,
  to: applicationNodeId,
  properties,
  ...provenance,
});

/** A whole of kind `application-graph`. */
export const applicationGraphSchema = z.strictObject({
  schema: z.literal("JavaScriptApplicationGraph"),
  schema_version: z.literal(1),
  graph_id: applicationGraphId,
  root_node_ids: z.array(applicationNodeId).max(1000),
  nodes: z.array(applicationNodeSchema).max(500_000),
  edges: z.array(applicationEdgeSchema).max(1_000_000),
  coverage: coverageSchema,
  limitations: z.array(z.string()),
});

export type ArtifactReference = Readonly<z.infer<typeof artifactReferenceSchema>>;
export type SourceLocation = Readonly<z.infer<typeof sourceLocationSchema>>;
export type ApplicationObservation = Readonly<z.infer<typeof applicationObservationSchema>>;
export type ApplicationNode = Readonly<z.infer<typeof applicationNodeSchema>>;
export type ApplicationEdge = Readonly<z.infer<typeof applicationEdgeSchema>>;
export type ApplicationGraph = Readonly<z.infer<typeof applicationGraphSchema>>;
