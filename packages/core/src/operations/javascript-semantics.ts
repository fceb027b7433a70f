import { coverageSchema } from "../coverage.js";
import { jsonValue } from "../json-schemas.js";
import { z } from "../z.js";
import { applicationGraphId, artifactReferenceSchema, sourceLocationSchema } from "./javascript-graph-schema.js";
import { observationConfidences, observationStates, semanticNodeKinds, semanticRelations } from "./javascript-words.js";
import { count } from "./values.js";

const hex = "[0-9a-f]{64}";
const semanticNodeId = z.string().regex(new RegExp(`^jsg_node_${hex}$`, "u"));
const sha256 = z.string().regex(new RegExp(`^${hex}$`, "u"));

/** What a function is like, without names and offsets; each a digest. */
const functionFingerprintSchema = z.strictObject({
  syntax: sha256,
  control_flow: sha256,
  relations: sha256,
  literals: sha256,
  arity: count,
  effects: z.array(z.string()),
});

const semanticNodeSchema = z.strictObject({
  node_id: semanticNodeId,
  kind: z.enum(semanticNodeKinds),
  name: z.string(),
  /** The graph node of the file or module that holds it. */
  owner: z.string(),
  artifact: artifactReferenceSchema,
  location: sourceLocationSchema,
  fingerprint: functionFingerprintSchema.nullable(),
  properties: z.record(z.string(), jsonValue),
});

const semanticEdgeSchema = z.strictObject({
  relation: z.enum(semanticRelations),
  from: semanticNodeId,
  to: semanticNodeId,
  state: z.enum(observationStates),
  confidence: z.enum(observationConfidences),
  /** Why it is not known, or what it was concluded from; null for what was observed. */
  reason: z.string().nullable(),
});

/** Values, calls, events, processes and configuration inside an application, bound to its graph. */
export const semanticGraphSchema = z.strictObject({
  schema: z.literal("JavaScriptSemanticGraph"),
  schema_version: z.literal(1),
  graph_id: applicationGraphId,
  root_artifact_sha256: sha256.nullable(),
  nodes: z.array(semanticNodeSchema),
  edges: z.array(semanticEdgeSchema),
  coverage: coverageSchema,
  limitations: z.array(z.string()),
});

export type FunctionFingerprint = Readonly<z.infer<typeof functionFingerprintSchema>>;
export type SemanticNode = Readonly<z.infer<typeof semanticNodeSchema>>;
export type SemanticEdge = Readonly<z.infer<typeof semanticEdgeSchema>>;
export type SemanticGraph = Readonly<z.infer<typeof semanticGraphSchema>>;
