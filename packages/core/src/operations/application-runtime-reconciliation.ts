import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { evidenceIdSchema } from "../evidence-schema.js";
import { evidenceInput } from "../evidence.js";
import { z } from "../z.js";
import { applicationGraphId, applicationGraphSchema } from "./javascript-graph-schema.js";
import { applicationNodeKinds } from "./javascript-words.js";
import { count } from "./values.js";

/** What `reconcile_javascript_runtime` is asked and answers. */

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

export const staticLayerRoles = ["application", "cache", "assets"] as const;
export type StaticLayerRole = (typeof staticLayerRoles)[number];

const mapping = z.strictObject({
  runtime_prefix: z.string().min(1).max(4096).describe("Beginning of URLs"),
  static_prefix: z.string().max(4096).default("").describe("Beginning of paths it stands for"),
});
export type RuntimeMapping = z.output<typeof mapping>;

export const staticLayerInput = z.strictObject({
  analysis: evidenceInput.describe("analyze_javascript_application record"),
  role: z.enum(staticLayerRoles).describe("What the layer is"),
  runtime_mappings: z.array(mapping).max(32).default([]).describe("Which URLs lie where"),
});

/** Operations whose records tell of scripts that ran. */
export const runtimeObservationOperations = ["inspect_web_page", "analyze_web_bundle", "inspect_electron_page", "observe_javascript_runtime"] as const;

export const runtimeMatchStates = ["matched", "ambiguous", "mismatch", "unmatched"] as const;
export const runtimeMatchBases = ["digest-and-location", "unique-digest", "unique-location"] as const;
export type RuntimeMatchBasis = (typeof runtimeMatchBases)[number];

const place = z.strictObject({ layer: count, node_id: text, name: text });

const match = z.strictObject({
  observation: evidenceIdSchema,
  script_id: text,
  url: text,
  content_sha256: sha256.nullable(),
  state: z.enum(runtimeMatchStates),
  basis: z.enum(runtimeMatchBases).nullable(),
  confidence: z.enum(["high", "medium", "unknown"]),
  target: place.nullable(),
  candidates: z.strictObject({ total: count, items: z.array(place) }),
  reason: text.nullable(),
});
export type RuntimeMatch = z.output<typeof match>;

export const loadStates = ["loaded", "resident_in_loaded_asset", "not_observed_in_capture", "unknown"] as const;
export type LoadState = (typeof loadStates)[number];

const loaded = z.strictObject({ layer: count, node_id: text, kind: z.enum(applicationNodeKinds), name: text, load_state: z.enum(loadStates), reason: text.nullable() });
export type StaticLoad = z.output<typeof loaded>;

export const runtimeReconciliationSchema = z.strictObject({
  layers: z.array(z.strictObject({ layer: count, role: z.enum(staticLayerRoles), graph_id: applicationGraphId, graph_sha256: sha256, root_artifact_sha256: sha256.nullable(), assets: count })),
  observations: z.array(z.strictObject({ evidence_id: evidenceIdSchema, operation: text, scripts: count, scripts_complete: z.boolean() })),
  summary: z.strictObject({ matched: count, ambiguous: count, mismatch: count, unmatched: count, by_basis: z.strictObject({ digest_and_location: count, unique_digest: count, unique_location: count }) }),
  load_summary: z.strictObject({ loaded: count, resident_in_loaded_asset: count, not_observed_in_capture: count, unknown: count }),
  matches: pageSchema(match),
  /** Static code with what was seen of it; loaded first. */
  static_items: pageSchema(loaded),
  combined: z.discriminatedUnion("state", [
    z.strictObject({ state: z.literal("inline"), graph_sha256: sha256, graph: applicationGraphSchema }),
    z.strictObject({ state: z.literal("retained"), graph_sha256: sha256, graph_id: applicationGraphId, bytes: count, nodes: count, edges: count }),
  ]),
  cited_records: z.array(citedRecordSchema),
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type RuntimeReconciliation = z.output<typeof runtimeReconciliationSchema>;
