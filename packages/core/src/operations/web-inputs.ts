import { z } from "../z.js";
import { runtimeKinds, runtimeLimits } from "./javascript-runtime.js";
import { pageInput } from "./values.js";
import { webAnalysisLimits } from "./web-bundle.js";
import { webIncludes, webPageLimits } from "./web-page.js";

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Loopback literals with a port; what else is wrong with one is said by `parseEndpoint` of the observer. */
const endpoint = z.string().min(1).max(256);
const cdpEndpoint = endpoint.describe("http://127.0.0.1:PORT or http://[::1]:PORT of the browser");
const inspectorEndpoint = endpoint.describe("http://127.0.0.1:PORT or http://[::1]:PORT of the inspector");
const targetId = z.string().min(1).max(256).describe("target_id from the list of targets");
const allowedOrigins = z
  .array(z.string().min(1).max(512))
  .min(1)
  .max(32)
  .optional()
  .describe("Exact origins to look at; default the page's own");

/** A limit that the caller may set; `most` is ten times the standard unless given. Its name says what it is, the reference the rest. */
function limit(standard: number, most = standard * 10) {
  return z.int().min(0).max(most).optional();
}

function limitsOf<T extends Record<string, ReturnType<typeof limit>>>(fields: T) {
  return z.strictObject(fields).optional().describe("Other limits of what is kept; most may be raised tenfold");
}

const standard = webPageLimits;
const sourceLimits = {
  script_source_bytes: limit(standard.script_source_bytes, 2 * mebibyte),
  total_source_bytes: limit(standard.total_source_bytes, 32 * mebibyte),
};
const structureLimits = {
  frames: limit(standard.frames),
  dom_nodes: limit(standard.dom_nodes),
  resources: limit(standard.resources),
  workers: limit(standard.workers),
};
const pageLimits = limitsOf({
  ...structureLimits,
  ...sourceLimits,
  scripts: limit(standard.scripts),
  accessibility_nodes: limit(standard.accessibility_nodes),
  console_events: limit(standard.console_events),
  json_body_bytes: limit(standard.json_body_bytes, 2 * mebibyte),
  shape_depth: limit(standard.shape_depth, 64),
  shape_nodes: limit(standard.shape_nodes),
  network_events: limit(standard.network_events),
  storage_keys: limit(standard.storage_keys),
  websocket_events: limit(standard.websocket_events),
  text_bytes: limit(standard.text_bytes, 16 * kibibyte),
});
/** Scripts kept of a page of an Electron application unless the caller says otherwise. */
export const electronScripts = 500;
const electronLimits = limitsOf({ ...structureLimits, ...sourceLimits, scripts: limit(electronScripts) });
const analysisLimits = limitsOf({
  ast_nodes: limit(webAnalysisLimits.ast_nodes),
  findings: limit(webAnalysisLimits.findings),
  source_maps: limit(webAnalysisLimits.source_maps),
  source_map_bytes: limit(webAnalysisLimits.source_map_bytes, 16 * mebibyte),
  total_source_map_bytes: limit(webAnalysisLimits.total_source_map_bytes, 64 * mebibyte),
  mappings: limit(webAnalysisLimits.mappings),
  original_sources: limit(webAnalysisLimits.original_sources),
});
const runtimeLimitsInput = limitsOf({
  events: limit(runtimeLimits.events),
  contexts: limit(runtimeLimits.contexts),
  location_bytes: limit(runtimeLimits.location_bytes, 64 * kibibyte),
  scripts: limit(runtimeLimits.scripts),
  metadata_bytes: limit(runtimeLimits.metadata_bytes, 32 * mebibyte),
});

const page = { cdp_endpoint: cdpEndpoint, target_id: targetId, allowed_origins: allowedOrigins };
const window = (maximum: number, standard: number, minimum = 0) =>
  z.int().min(minimum).max(maximum).default(standard).describe("How long events are gathered");
const include = z
  .array(z.enum(webIncludes))
  .max(webIncludes.length)
  .default([])
  .describe("What to keep beside structure; default nothing");

export const listBrowserTargetsInput = z.strictObject({ cdp_endpoint: cdpEndpoint, allowed_origins: allowedOrigins, ...pageInput(200, 100) });
export const inspectWebPageInput = z.strictObject({ ...page, observation_ms: window(10_000, 500), include, limits: pageLimits });
export const analyzeWebBundleInput = z.strictObject({
  ...page,
  observation_ms: window(10_000, 500),
  include,
  limits: pageLimits,
  fetch_source_maps: z.boolean().default(false).describe("Fetch external maps of allowed origins, without cookies"),
  analysis_limits: analysisLimits,
});
export const observeWebSessionInput = z.strictObject({
  ...page,
  observation_ms: window(60_000, 10_000, 1),
  max_timeline_events: z.int().min(1).max(20_000).default(2000).describe("Events kept"),
});
export const captureWebScreenshotInput = z.strictObject({
  ...page,
  maximum_image_bytes: z.int().min(1).max(8_388_608).default(4_194_304).describe("Largest image taken"),
  inline: z.boolean().default(false).describe("Also as base64, up to 256 KiB"),
});
export const listElectronTargetsInput = z.strictObject({ cdp_endpoint: cdpEndpoint, ...pageInput(200, 100) });
export const inspectElectronPageInput = z.strictObject({
  cdp_endpoint: cdpEndpoint,
  target_id: targetId,
  include_script_sources: z.boolean().default(false).describe("Keep the sources of scripts"),
  observation_ms: window(10_000, 100),
  limits: electronLimits,
});
export const listRuntimeTargetsInput = z.strictObject({ inspector_endpoint: inspectorEndpoint, ...pageInput(200, 100) });
export const observeRuntimeInput = z.strictObject({
  inspector_endpoint: inspectorEndpoint,
  target_id: targetId,
  runtime_kind: z.enum(runtimeKinds).describe("What the target is; not verified"),
  observation_ms: window(10_000, 100),
  allowed_file_roots: z
    .array(z.string().min(1).max(4096))
    .max(32)
    .optional()
    .describe("Absolute directories whose scripts are kept; default all"),
  allowed_origins: z.array(z.string().min(1).max(512)).max(32).optional().describe("Exact origins whose scripts are kept"),
  limits: runtimeLimitsInput,
});

export type ListBrowserTargetsInput = z.output<typeof listBrowserTargetsInput>;
export type InspectWebPageInput = z.output<typeof inspectWebPageInput>;
export type AnalyzeWebBundleInput = z.output<typeof analyzeWebBundleInput>;
export type ObserveWebSessionInput = z.output<typeof observeWebSessionInput>;
export type CaptureWebScreenshotInput = z.output<typeof captureWebScreenshotInput>;
export type ListElectronTargetsInput = z.output<typeof listElectronTargetsInput>;
export type InspectElectronPageInput = z.output<typeof inspectElectronPageInput>;
export type ListRuntimeTargetsInput = z.output<typeof listRuntimeTargetsInput>;
export type ObserveRuntimeInput = z.output<typeof observeRuntimeInput>;
