import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { webCaptureReference, webExcerpt, webTargetSchema } from "./web-words.js";

const count = z.number().int().nonnegative();
const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const runtimeKinds = ["node", "electron-main", "electron-preload", "electron-renderer"] as const;
export type RuntimeKind = (typeof runtimeKinds)[number];

/** A realm of the engine, without its ids, which differ from run to run. */
export const runtimeContextSchema = z.strictObject({ name: text, origin: text, kind: text, is_default: z.boolean() });

export const runtimeScriptSchema = z.strictObject({
  script_id: z.string().regex(/^scr_[0-9a-f]{64}$/),
  /** Without credentials; `node:` for the runtime's own modules, empty for code without a name. */
  url: text,
  /** Absolute local path of a `file:` URL. */
  local_path: text.nullable(),
  kind: z.enum(["script", "module", "wasm", "unknown"]),
  origin_kind: z.enum(["application", "runtime", "unnamed"]),
  length: count,
  /** As the engine gives it, over the content; null where it gives none. */
  content_sha256: sha256.nullable(),
  source_map: z.enum(["none", "inline", "external"]),
  /** Position of its context in the list; null when the context was not announced. */
  context: count.nullable(),
  instances: count,
});

/** Events in canonical order, without ids and times. */
export const runtimeEventSchema = z.strictObject({
  kind: z.enum(["console", "exception", "context_created", "context_destroyed", "script_failed_to_parse", "paused"]),
  detail: text,
  url: text.nullable(),
  line: count.nullable(),
  argument_types: z.array(text),
  times: count,
});

const shared = {
  runtime: z.strictObject({ product: text, protocol_version: text, js_version: text }),
  target: webTargetSchema,
  /** What the caller says the target is; nothing checks it. */
  runtime_kind: z.enum(runtimeKinds),
  role: z.literal("caller-declared-unverified"),
  observation_ms: count,
  ended_by: z.enum(["window", "paused", "target_gone"]),
  contexts: z.array(runtimeContextSchema),
  /** Scripts outside the allowed roots and origins; nothing else of them is kept. */
  excluded: z.strictObject({ scripts: count, events: count }),
  unknowns: z.array(z.strictObject({ question: text, reason: text })),
  coverage: coverageSchema,
  limitations: z.array(text),
};

/** A whole of kind `capture` about one V8 runtime. */
export const runtimeCaptureSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal("javascript-runtime"),
  ...shared,
  scripts: z.array(runtimeScriptSchema),
  events: z.array(runtimeEventSchema),
});
export type RuntimeCapture = z.output<typeof runtimeCaptureSchema>;

/** What `observe_javascript_runtime` answers: the beginning of each list. */
export const runtimeSummarySchema = z.strictObject({
  capture: webCaptureReference,
  ...shared,
  contexts: webExcerpt(runtimeContextSchema),
  scripts: webExcerpt(runtimeScriptSchema).extend({ sha256, application: count, runtime: count, unnamed: count }),
  events: webExcerpt(runtimeEventSchema).extend({ sha256 }),
});
export type RuntimeSummary = z.output<typeof runtimeSummarySchema>;
export type RuntimeScript = z.output<typeof runtimeScriptSchema>;
export type RuntimeEvent = z.output<typeof runtimeEventSchema>;
export type RuntimeContext = z.output<typeof runtimeContextSchema>;

export const runtimeLimitsSchema = z.strictObject({ events: count, contexts: count, location_bytes: count, scripts: count, metadata_bytes: count });
export type RuntimeLimits = z.output<typeof runtimeLimitsSchema>;

export const runtimeLimits: RuntimeLimits = { events: 10_000, contexts: 1000, location_bytes: 16 * 1024, scripts: 2000, metadata_bytes: 4 * 1024 * 1024 };
