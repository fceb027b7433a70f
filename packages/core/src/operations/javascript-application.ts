import { coverageSchema, pageSchema } from "../coverage.js";
import { jsonObject } from "../json-schemas.js";
import { z } from "../z.js";
import { defineOperation } from "./define.js";
import { applicationGraphId, applicationGraphSchema } from "./javascript-graph-schema.js";
import { semanticGraphSchema } from "./javascript-semantics.js";
import { applicationStatisticsSchema, applicationSummarySchema, boundedUnknowns } from "./javascript-summary.js";
import { applicationNodeKinds } from "./javascript-words.js";
import { count, pageInput } from "./values.js";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** Lists of an application that are read in pages. */
export const applicationLists = ["nodes", "edges", "semantic_nodes", "semantic_edges", "unknowns"] as const;
export type ApplicationList = (typeof applicationLists)[number];

export const applicationFormats = ["asar", "directory", "bundle", "source-map"] as const;
export type ApplicationFormat = (typeof applicationFormats)[number];

const analyzeApplicationOperation = defineOperation(
  z.strictObject({
    input_path: z.string().min(1).max(16_384).describe("Absolute path of a directory, ASAR, script, source map or container"),
    format: z.enum(["auto", ...applicationFormats]).default("auto").describe("What the input is; auto goes by its content"),
    inner_path: z.string().min(1).max(4096).optional().describe("Logical path of the application inside a container"),
    integrity_policy: z
      .enum(["fail", "record-and-continue"])
      .default("fail")
      .describe("What a disproved digest does: end the call, or be recorded"),
    list: z.enum(applicationLists).optional().describe("Also a page of this list; default none"),
    node_kind: z.enum(applicationNodeKinds).optional().describe("Only nodes of this kind in the page of nodes"),
    ...pageInput(500, 50),
  }),
  z.strictObject({
    schema_version: z.literal(2),
    format: z.enum(applicationFormats),
    root_artifact_sha256: sha256.nullable(),
    manifest_id: z.string(),
    graph_sha256: sha256,
    graph: z.discriminatedUnion("state", [
      z.strictObject({ state: z.literal("inline"), graph: applicationGraphSchema }),
      z.strictObject({ state: z.literal("retained"), graph_id: applicationGraphId, graph_sha256: sha256, bytes: count, nodes: count, edges: count }),
    ]),
    semantic_graph: z.discriminatedUnion("state", [
      z.strictObject({ state: z.literal("inline"), sha256, graph: semanticGraphSchema }),
      z.strictObject({ state: z.literal("retained"), sha256, bytes: count, nodes: count, edges: count }),
      z.strictObject({ state: z.literal("unavailable"), reason: z.string() }),
    ]),
    summary: applicationSummarySchema,
    statistics: applicationStatisticsSchema,
    /** The page that `list` asks for. */
    page: pageSchema(jsonObject).nullable(),
    coverage: coverageSchema,
    limitations: z.array(z.string()),
    unknowns: boundedUnknowns,
  }),
);

/** Operations of the JavaScript application reader. */
export const javascriptOperations = { analyze_javascript_application: analyzeApplicationOperation } as const;
export type ApplicationAnalysis = Readonly<z.infer<typeof analyzeApplicationOperation.result>>;
