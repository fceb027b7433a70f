import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import {
  webAccessibilityNodeSchema,
  webConsoleEventSchema,
  webDomNodeSchema,
  webDomNodeTypes,
  webFrameSchema,
  webMetadataSchema,
  webRequestSchema,
  webResourceSchema,
  webScriptSchema,
  webSocketEventSchema,
  webStorageSchema,
  webWorkerSchema,
} from "./web-page-items.js";
import { webBrowserSchema, webCaptureReference, webCompletenessSchema, webExcerpt, webTargetSchema, webWindowSchema } from "./web-words.js";

const count = z.number().int().nonnegative();
const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a caller may ask to be included beside structure. */
export const webIncludes = [
  "accessibility_text",
  "console_text",
  "json_body_shapes",
  "websocket_shapes",
  "script_sources",
  "storage_keys",
  "storage_fingerprints",
] as const;
export type WebInclude = (typeof webIncludes)[number];

/** Limits of a capture; each may be lowered or raised up to ten times, the bytes of a source to no more than 2 MiB. */
export const webLimitsSchema = z.strictObject({
  accessibility_nodes: count,
  console_events: count,
  dom_nodes: count,
  frames: count,
  json_body_bytes: count,
  shape_depth: count,
  shape_nodes: count,
  network_events: count,
  resources: count,
  scripts: count,
  script_source_bytes: count,
  total_source_bytes: count,
  storage_keys: count,
  websocket_events: count,
  workers: count,
  text_bytes: count,
});
export type WebLimits = z.output<typeof webLimitsSchema>;

export const webPageLimits: WebLimits = {
  accessibility_nodes: 2000,
  console_events: 200,
  dom_nodes: 2000,
  frames: 200,
  json_body_bytes: 1024 * 1024,
  shape_depth: 20,
  shape_nodes: 5000,
  network_events: 1000,
  resources: 2000,
  scripts: 200,
  script_source_bytes: 1024 * 1024,
  total_source_bytes: 4 * 1024 * 1024,
  storage_keys: 1000,
  websocket_events: 1000,
  workers: 500,
  text_bytes: 1024,
};

/** A section of a capture: its items, and whether they are all there were. */
function section<T extends z.ZodType>(item: T) {
  return z.strictObject({
    state: z.enum(["complete", "partial", "unavailable"]),
    items: z.array(item),
    /** How many there were, as far as that is known. */
    total: count.nullable(),
    /** Over the canonical JSON of `items`. */
    sha256,
  });
}

/** A whole of kind `capture` about one page: everything that was seen of it in the window. */
export const webPageCaptureSchema = z.strictObject({
  schema_version: z.literal(2),
  kind: z.literal("web-page"),
  browser: webBrowserSchema,
  target: webTargetSchema,
  capture_window: webWindowSchema,
  allowed_origins: z.array(text),
  include: z.array(z.enum(webIncludes)),
  limits: webLimitsSchema,
  frames: section(webFrameSchema),
  dom: section(webDomNodeSchema),
  accessibility: section(webAccessibilityNodeSchema),
  scripts: section(webScriptSchema),
  resources: section(webResourceSchema),
  network: section(webRequestSchema).extend({ prior_activity_available: z.literal(false) }),
  console: section(webConsoleEventSchema),
  websocket: section(webSocketEventSchema),
  workers: section(webWorkerSchema),
  metadata: section(webMetadataSchema),
  storage: section(webStorageSchema),
  completeness: webCompletenessSchema,
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type WebPageCapture = z.output<typeof webPageCaptureSchema>;

/** The beginning of a section, with what is needed to compare it as a whole. */
function excerpt<T extends z.ZodType>(item: T) {
  return webExcerpt(item).extend({ state: z.enum(["complete", "partial", "unavailable"]), sha256 });
}

const script = webScriptSchema.omit({ source: true }).extend({ source: z.enum(["included", "omitted"]) });
const storage = webStorageSchema.omit({ keys: true }).extend({ keys: webExcerpt(text).nullable() });
const counted = z.array(z.strictObject({ name: text, count }));

/** What `inspect_web_page` answers: a page about a capture, which is retained whole. */
export const webPageSummarySchema = z.strictObject({
  schema_version: z.literal(2),
  capture: webCaptureReference,
  browser: webBrowserSchema,
  target: webTargetSchema,
  capture_window: webWindowSchema,
  allowed_origins: z.array(text),
  frames: excerpt(webFrameSchema),
  dom: excerpt(webDomNodeSchema).extend({
    types: z.array(z.strictObject({ type: z.enum(webDomNodeTypes), count })),
    /** The most frequent names of elements. */
    elements: counted,
  }),
  accessibility: excerpt(webAccessibilityNodeSchema).extend({ roles: counted }),
  scripts: excerpt(script),
  resources: excerpt(webResourceSchema).extend({ types: counted }),
  network: excerpt(webRequestSchema).extend({ prior_activity_available: z.literal(false) }),
  console: excerpt(webConsoleEventSchema),
  websocket: excerpt(webSocketEventSchema),
  workers: excerpt(webWorkerSchema),
  metadata: excerpt(webMetadataSchema),
  storage: excerpt(storage),
  completeness: webCompletenessSchema,
  coverage: coverageSchema,
  limitations: z.array(text),
});
export type WebPageSummary = z.output<typeof webPageSummarySchema>;

/** Predicate of records that commit to a capture of a page. */
export const webPagePredicate = "rea.web-page-capture/v2";
