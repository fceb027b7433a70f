import { z } from "../z.js";
import { webFrameKey, webShapeSchema } from "./web-words.js";

/** What the sections of a capture of a page hold, item by item. All text of pages is escaped; URLs carry no credentials. */

const count = z.number().int().nonnegative();
const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const frame = webFrameKey.nullable();

export const webFrameSchema = z.strictObject({
  frame: webFrameKey,
  parent: frame,
  url: text,
  origin: text,
  media_type: text,
  secure_context: z.boolean().nullable(),
  /** Drawn by another process of the browser than its parent. */
  out_of_process: z.boolean(),
});

export const webDomNodeTypes = ["element", "text", "cdata", "processing_instruction", "comment", "document", "doctype", "fragment", "other"] as const;

/** A node without its values, in document order within its frame. */
export const webDomNodeSchema = z.strictObject({
  frame: webFrameKey,
  /** Position of the parent among the nodes of the frame; null for the document. */
  parent: count.nullable(),
  type: z.enum(webDomNodeTypes),
  name: text,
  /** UTF-16 code units. */
  value_length: count,
  attributes: z.array(text),
  /** Mode of the shadow tree that this node is in; null outside of one. */
  shadow_root: z.enum(["open", "closed"]).nullable(),
});

export const webAccessibilityNodeSchema = z.strictObject({
  frame: webFrameKey,
  /** Position of the parent among the nodes of the frame. */
  parent: count.nullable(),
  role: text,
  ignored: z.boolean(),
  /** UTF-16 code units of name and value. */
  name_length: count,
  value_length: count,
  /** Null unless `accessibility_text` was asked for. */
  name: text.nullable(),
  name_truncated: z.boolean(),
  /** Names of the states and relations that are set. */
  properties: z.array(text),
});

export const webScriptSourceSchema = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("omitted"), reason: z.enum(["not_requested", "too_large", "total_limit", "unavailable", "not_text"]) }),
  /** `text` is the source as it is, unescaped, so that its digest (of the UTF-8 form) and length can be checked. */
  z.strictObject({ state: z.literal("included"), text, sha256, bytes: count }),
]);

export const webScriptSchema = z.strictObject({
  /** `scr_` and the digest of frame, URL, kind, place and content. */
  script_id: z.string().regex(/^scr_[0-9a-f]{64}$/),
  frame,
  url: text,
  kind: z.enum(["script", "module", "wasm", "unknown"]),
  /** Zero-based place where an inline script begins in its document. */
  start_line: count,
  start_column: count,
  /** UTF-16 code units; bytes for `wasm`. */
  length: count,
  /** As the engine gives it, over the content; null where it gives none. */
  content_sha256: sha256.nullable(),
  source_map: z.enum(["none", "inline", "external", "refused"]),
  /** Resolved against the script; null unless `source_map` is `external`. */
  source_map_url: text.nullable(),
  source: webScriptSourceSchema,
  /** How often the same script was run in the frame. */
  instances: count,
});

export const webResourceSchema = z.strictObject({
  /** `res_` and the digest of frame, URL, type and media type. */
  resource_id: z.string().regex(/^res_[0-9a-f]{64}$/),
  frame: webFrameKey,
  url: text,
  type: text,
  media_type: text,
  bytes: count.nullable(),
  state: z.enum(["loaded", "failed", "canceled"]),
  /** Whether the scripts of the frame have one of this URL; null for what is no script. */
  script_match: z.enum(["exact", "ambiguous", "unmatched"]).nullable(),
});

const body = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("omitted"), reason: z.enum(["not_requested", "not_json", "too_large", "unavailable"]) }),
  z.strictObject({ state: z.literal("included"), shape: webShapeSchema }),
]);

export const webRequestSchema = z.strictObject({
  frame,
  method: text,
  url: text,
  resource_type: text,
  /** Null without an answer in the window. */
  status: count.nullable(),
  media_type: text.nullable(),
  protocol: text.nullable(),
  served_from: z.enum(["network", "disk_cache", "prefetch_cache", "service_worker", "unknown"]),
  initiator: z.strictObject({ type: text, url: text.nullable(), line: count.nullable() }),
  request_body: z.boolean(),
  /** As sent over the network, and after decoding; null when not told in the window. */
  encoded_bytes: count.nullable(),
  decoded_bytes: count.nullable(),
  outcome: z.enum(["finished", "failed", "canceled", "blocked", "redirected", "pending"]),
  failure: text.nullable(),
  /** Position in the list of the request that was redirected here. */
  redirected_from: count.nullable(),
  response_body: body,
});

export const webConsoleEventSchema = z.strictObject({
  source: z.enum(["console", "exception", "browser"]),
  kind: text,
  frame,
  url: text.nullable(),
  line: count.nullable(),
  argument_types: z.array(text),
  /** Null unless `console_text` was asked for. */
  text: text.nullable(),
  text_truncated: z.boolean(),
});

export const webSocketEventSchema = z.strictObject({
  /** Number of the socket in the order of appearance. */
  socket: count,
  url: text.nullable(),
  event: z.enum(["opened", "sent", "received", "failed", "closed"]),
  opcode: z.enum(["continuation", "text", "binary", "close", "ping", "pong", "other"]).nullable(),
  bytes: count.nullable(),
  /** Null unless `websocket_shapes` was asked for and the message is JSON. */
  shape: webShapeSchema.nullable(),
});

export const webWorkerSchema = z.strictObject({
  kind: z.enum(["dedicated", "shared", "service"]),
  url: text,
  /** Of a service worker's registration; null for the others. */
  scope: text.nullable(),
  /** Life of a service worker's version, such as `activated`; null for the others. */
  status: text.nullable(),
  running: z.boolean(),
});

export const webMetadataSchema = z.strictObject({
  frame,
  /** Lowercase: the header's name, or `meta:name`, `link:rel`. */
  name: text,
  value: text,
  value_truncated: z.boolean(),
  source: z.enum(["isolation_status", "response_header", "document_element"]),
  trust: z.enum(["browser-reported", "page-declared-untrusted"]),
  /** Response the header came with; null for the others. */
  url: text.nullable(),
});

export const webStorageScopes = ["cookie", "local", "session", "indexed_database", "cache"] as const;

export const webStorageSchema = z.strictObject({
  scope: z.enum(webStorageScopes),
  /** Origin of the storage; of cookies, their domain. */
  origin: text,
  /** Entries; of databases, records of their stores. Null when it could not be read. */
  entries: count.nullable(),
  /** Null unless `storage_keys` was asked for; `store/index` words for databases and `cache URL` for caches. Never values. */
  keys: z.array(text).nullable(),
  /** Over names and what `covers` says, of all entries; null unless `storage_fingerprints` was asked for. */
  fingerprint: sha256.nullable(),
  /** Everything in the scope went into the fingerprint, so that equal fingerprints mean equal content. */
  complete: z.boolean(),
  covers: z.enum(["names_and_values", "structure_and_counts", "requests_and_headers"]),
});

export type WebFrame = z.output<typeof webFrameSchema>;
export type WebDomNode = z.output<typeof webDomNodeSchema>;
export type WebAccessibilityNode = z.output<typeof webAccessibilityNodeSchema>;
export type WebScript = z.output<typeof webScriptSchema>;
export type WebScriptSource = z.output<typeof webScriptSourceSchema>;
export type WebResource = z.output<typeof webResourceSchema>;
export type WebRequest = z.output<typeof webRequestSchema>;
export type WebConsoleEvent = z.output<typeof webConsoleEventSchema>;
export type WebSocketEvent = z.output<typeof webSocketEventSchema>;
export type WebWorker = z.output<typeof webWorkerSchema>;
export type WebMetadata = z.output<typeof webMetadataSchema>;
export type WebStorage = z.output<typeof webStorageSchema>;
