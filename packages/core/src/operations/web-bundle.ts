import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { webBrowserSchema, webCaptureReference, webCompletenessSchema, webExcerpt, webTargetSchema } from "./web-words.js";

const count = z.number().int().nonnegative();
const text = z.string();

/** The script and the place in it (UTF-16 code units, half-open) that show something. */
const place = z.strictObject({ script_id: text, start: count, end: count });
const confidence = z.enum(["observed", "derived", "inferred"]);

/** A script of the page, or a module or chunk that a bundler wrote into one. */
export const webChunkSchema = z.strictObject({
  kind: z.enum(["script", "chunk", "module"]),
  name: text,
  script_id: text,
  /** UTF-16 code units of the script; null for what is inside of one. */
  length: count.nullable(),
  basis: text,
  confidence,
});

export const webFindingSchema = z.strictObject({ value: text, basis: text, confidence, at: place });

export const webSourceMapSchema = z.strictObject({
  script_id: text,
  url: text.nullable(),
  state: z.enum(["inline", "external", "refused"]),
  /** What reading it gave; `not_read` without `fetch_source_maps` for external maps. */
  verdict: z.enum(["complete", "partial", "contradicting", "unreadable", "not_read", "failed"]),
  reason: text.nullable(),
  bytes: count.nullable(),
  sources: count,
  sources_with_content: count,
  mappings: count,
  /** Names of the first original sources. */
  names: z.array(text),
});

export const webInferenceSchema = z.strictObject({
  kind: z.enum(["bundler", "framework", "package", "source_layout"]),
  value: text,
  basis: text,
  confidence,
});

const shared = {
  browser: webBrowserSchema,
  target: webTargetSchema,
  inferences: z.array(webInferenceSchema),
  unknowns: z.array(z.strictObject({ question: text, reason: text })),
  completeness: webCompletenessSchema,
  coverage: coverageSchema,
  limitations: z.array(text),
};

/** A whole of kind `capture`: everything that the scripts of one page show. */
export const webBundleAnalysisSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal("web-bundle"),
  ...shared,
  /** The capture of the page that was read. */
  capture: webCaptureReference,
  observations: z.strictObject({
    chunks: z.array(webChunkSchema),
    endpoints: z.array(webFindingSchema),
    routes: z.array(webFindingSchema),
    source_maps: z.array(webSourceMapSchema),
  }),
});
export type WebBundleAnalysis = z.output<typeof webBundleAnalysisSchema>;

/** What `analyze_web_bundle` answers: the beginning of each list. */
export const webBundleSummarySchema = z.strictObject({
  ...shared,
  /** The capture of the page, and the analysis of it; both are retained whole. */
  capture: webCaptureReference,
  analysis: webCaptureReference,
  observations: z.strictObject({
    chunks: webExcerpt(webChunkSchema),
    endpoints: webExcerpt(webFindingSchema),
    routes: webExcerpt(webFindingSchema),
    source_maps: webExcerpt(webSourceMapSchema),
  }),
});
export type WebBundleSummary = z.output<typeof webBundleSummarySchema>;

export const webAnalysisLimitsSchema = z.strictObject({
  ast_nodes: count,
  findings: count,
  source_maps: count,
  source_map_bytes: count,
  total_source_map_bytes: count,
  mappings: count,
  original_sources: count,
});
export type WebAnalysisLimits = z.output<typeof webAnalysisLimitsSchema>;

export const webAnalysisLimits: WebAnalysisLimits = {
  ast_nodes: 250_000,
  findings: 1000,
  source_maps: 100,
  source_map_bytes: 4 * 1024 * 1024,
  total_source_map_bytes: 16 * 1024 * 1024,
  mappings: 10_000,
  original_sources: 2000,
};
