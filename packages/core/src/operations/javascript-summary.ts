import { jsonValue } from "../json-schemas.js";
import { z } from "../z.js";
import { count } from "./values.js";

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** The first items of a list, and how many there are. */
const bounded = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), returned: count, total: count, truncated: z.boolean() });

/** A range in a file of the application: bytes, half-open; lines from 1, columns from 0. */
export const citationSchema = z.strictObject({
  path: text,
  start: count,
  end: count,
  line: z.number().int().min(1),
  column: count,
  /** Where a source map leads, when one does. */
  original: z.strictObject({ source: text, line: z.number().int().min(1), column: count }).nullable(),
});

/** Something asked for by path: what it leads to, or why that is not known. */
const resolved = z.strictObject({ requested: text.nullable(), path: text.nullable(), reason: text.nullable() });

const packageItem = z.strictObject({
  name: text,
  version: text.nullable(),
  identified_by: z.enum(["package.json", "licence-banner", "vendor-marker", "source-map-path"]),
  confidence: z.enum(["observed", "inferred"]),
  occurrences: z.array(z.strictObject({ path: text, start: count, end: count })),
  occurrences_total: count,
});

const windowItem = z.strictObject({
  kind: text,
  options: z.enum(["literal", "dynamic", "missing"]),
  /** Only what stands there; nothing is assumed of versions or defaults. */
  web_preferences: z.array(z.strictObject({ name: text, value: jsonValue, state: z.enum(["literal", "dynamic"]) })),
  preload: resolved.nullable(),
  loads: z.array(z.strictObject({ method: text, target: text.nullable(), path: text.nullable() })),
  at: citationSchema,
});

const channelItem = z.strictObject({
  channel: text,
  /** From the side that sends: `invoke`, `send`, `to-renderer`, `to-host`. */
  direction: z.enum(["invoke", "send", "to-renderer", "to-host", "message-port"]),
  state: z.enum(["paired", "ambiguous", "unpaired", "listed"]),
  senders: z.array(citationSchema),
  handlers: z.array(citationSchema.extend({ method: text, form: z.enum(["inline", "identifier", "member", "dynamic"]), sender_checks: z.array(text) })),
  limitations: z.array(text),
});

const electronCountsSchema = z.strictObject({
  browser_windows: count,
  explicit_web_preferences: count,
  preload_entrypoints: count,
  context_bridge_apis: count,
  exposed_api_members: count,
  ipc: z.strictObject({
    operations: count,
    literal_channels: count,
    dynamic_channel_operations: count,
    renderer_transmissions: count,
    renderer_listeners: count,
    main_handlers: count,
    paired: count,
    ambiguous: count,
    unpaired: count,
  }),
  sender_validation_observations: count,
  utility_processes: z.strictObject({ total: count, resolved: count }),
  native_addon_bindings: z.strictObject({ total: count, resolved: count }),
});

const electronSummary = electronCountsSchema.extend({
  windows: bounded(windowItem),
  preloads: bounded(z.strictObject({ requested: text.nullable(), path: text.nullable(), reason: text.nullable(), at: citationSchema })),
  bridges: bounded(z.strictObject({ key: text.nullable(), members: z.array(text), members_total: count, at: citationSchema })),
  channels: bounded(channelItem),
  protocols: bounded(z.strictObject({ scheme: text.nullable(), method: text, at: citationSchema })),
  updaters: bounded(z.strictObject({ kind: text, value: text.nullable(), at: citationSchema })),
  /** Build-time switches of the Electron binary, where one is part of what was read. */
  fuses: z.array(z.strictObject({ path: text, name: text, state: text })),
  asar_integrity: z.array(z.strictObject({ path: text, verdict: text })),
});

const securityLine = z.strictObject({
  check: z.enum(["context-isolation", "sandbox", "node-integration", "web-security", "content-security-policy", "navigation-guard", "window-open-guard", "permission-handler", "sender-validation", "open-external", "remote-content", "insecure-content", "webview", "fuses", "asar-integrity"]),
  /** `set`: explicitly as a hardened application has it; `weakened`: explicitly otherwise; `absent`: not found in what was read. */
  finding: z.enum(["set", "weakened", "present", "absent", "unknown"]),
  statement: text,
  at: z.array(citationSchema),
  total: count,
});

export const applicationSummarySchema = z.strictObject({
  application: z.strictObject({
    kind: z.enum(["electron", "node", "web", "library", "bundle", "source-map", "unknown"]),
    name: text.nullable(),
    product_name: text.nullable(),
    version: text.nullable(),
    manifest: text.nullable(),
    electron_version: text.nullable(),
  }),
  entry_points: bounded(z.strictObject({ role: text, requested: text, path: text.nullable(), reason: text.nullable() })),
  bundlers: z.array(z.strictObject({ name: text, version: text.nullable(), files: count })),
  frameworks: z.array(z.strictObject({ name: text, version: text.nullable(), files: count })),
  packages: bounded(packageItem),
  electron: electronSummary.nullable(),
  security: z.array(securityLine),
  endpoints: bounded(
    z.strictObject({
      host: text,
      total: count,
      items: z.array(z.strictObject({ value: text, method: text.nullable(), basis: text, confidence: z.enum(["observed", "inferred"]), at: citationSchema })),
    }),
  ),
  routes: bounded(z.strictObject({ value: text, basis: text, confidence: z.enum(["observed", "inferred"]), at: citationSchema })),
  storage: bounded(z.strictObject({ area: text, key: text.nullable(), operations: z.array(text), at: citationSchema })),
  environment: bounded(z.strictObject({ name: text.nullable(), source: text, reads: count, at: citationSchema })),
  native_addons: bounded(z.strictObject({ path: text.nullable(), requested: text.nullable(), sha256: sha256.nullable(), requested_at: z.array(citationSchema) })),
  workers: bounded(z.strictObject({ kind: text, requested: text.nullable(), path: text.nullable(), at: citationSchema })),
  source_maps: z.strictObject({
    complete: count,
    partial: count,
    contradicting: count,
    unreadable: count,
    missing: count,
    originals: count,
    items: bounded(z.strictObject({ path: text, script: text.nullable(), verdict: z.enum(["complete", "partial", "contradicting", "unreadable", "missing"]), sources: count, problems: z.array(text) })),
  }),
  /** `original` is the source that most of a module comes from, where a source map shows it. */
  biggest_modules: z.array(z.strictObject({ path: text, module: text.nullable(), original: text.nullable(), bytes: count })),
});
export type ApplicationSummary = Readonly<z.infer<typeof applicationSummarySchema>>;
export type Citation = Readonly<z.infer<typeof citationSchema>>;

export const applicationStatisticsSchema = z.strictObject({
  entries: count,
  text_files: count,
  text_bytes: count,
  parsed_files: count,
  unreadable_files: count,
  syntax_nodes: count,
  imports: count,
  resolved_imports: count,
  external_imports: count,
  unresolved_imports: count,
  dynamic_imports: count,
  chunks: count,
  modules: count,
  source_maps: count,
  source_modules: count,
  findings: count,
  graph_nodes: count,
  graph_edges: count,
});
export type ApplicationStatistics = Readonly<z.infer<typeof applicationStatisticsSchema>>;

/** A question about the application that reading it did not settle. */
export const applicationUnknownSchema = z.strictObject({
  unknown: z.enum(["unreadable-file", "unresolved-import", "dynamic-import", "dynamic-channel", "missing-source-map", "ambiguous-channel", "contradicted-file", "self-import", "unresolved-preload", "limit"]),
  reason: text,
  path: text.nullable(),
  line: z.number().int().min(1).nullable(),
  column: count.nullable(),
  value: text.nullable(),
});
export type ApplicationUnknown = Readonly<z.infer<typeof applicationUnknownSchema>>;

export const boundedUnknowns = z.strictObject({ items: z.array(applicationUnknownSchema), returned: count, total: count, truncated: z.boolean() });
