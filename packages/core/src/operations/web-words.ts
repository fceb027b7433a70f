import { z } from "../z.js";

/** Words shared by what is seen of browsers, Electron pages and V8 inspectors. All text of pages is escaped. */

const count = z.number().int().nonnegative();
const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What `/json/version` says; empty where the endpoint leaves it out. */
export const webBrowserSchema = z.strictObject({
  product: text,
  protocol_version: text,
  revision: text,
  user_agent: text,
  js_version: text,
});

export const webTargetSchema = z.strictObject({
  target_id: text,
  type: text,
  title: text,
  url: text,
  /** `scheme://host[:port]`, `file://`, or `null` for an opaque one. */
  origin: text,
  /** Another client is attached; null where the endpoint does not say. */
  attached: z.boolean().nullable(),
});

/** Where an item of a page belongs: `f0` is the main frame, `f0.1` its second child frame. */
export const webFrameKey = z.string().regex(/^f0(?:\.\d+)*$/);

/** When and for how long a page was watched. */
export const webWindowSchema = z.strictObject({
  started_at: z.iso.datetime({ precision: 3 }),
  ended_at: z.iso.datetime({ precision: 3 }),
  requested_ms: count,
  /** Navigations that kept the document (fragments, history entries); others end a capture with `target_changed`. */
  same_document_navigations: count,
});

export const webSections = [
  "frames",
  "dom",
  "accessibility",
  "scripts",
  "resources",
  "network",
  "console",
  "websocket",
  "workers",
  "metadata",
  "storage",
  "timeline",
  "image",
] as const;
export type WebSection = (typeof webSections)[number];

export const webConditions = ["complete_within_window", "policy_filtered", "attach_limited", "truncated"] as const;
export type WebCondition = (typeof webConditions)[number];

const bySection = z.array(z.strictObject({ section: z.enum(webSections), count }));

/** How far what was seen is all there was. What is missing or cut never proves that two pages are equal. */
export const webCompletenessSchema = z.strictObject({
  /** Each condition once, with the sections it holds for, in the order of `webSections`. */
  conditions: z.array(z.strictObject({ condition: z.enum(webConditions), sections: z.array(z.enum(webSections)) })),
  /** Items of origins that are not allowed, per section; nothing else of them is kept. */
  excluded: bySection,
  /** Events beyond a limit, per section. */
  dropped_events: bySection,
});

/** A short list inside a page about a capture; the capture has all of it. */
export function webExcerpt<T extends z.ZodType>(item: T) {
  return z.strictObject({ items: z.array(item), returned: count, total: count, truncated: z.boolean() });
}

/** Digest and size of the retained whole, of kind `capture`. */
export const webCaptureReference = z.strictObject({ sha256, bytes: count });

/**
 * Shape of a JSON text without its values: one entry for each place, `$` for the root, `.name` for a member and `[]` for
 * the items of an array, in code point order of the paths.
 */
export const webShapeSchema = z.strictObject({
  places: z.array(z.strictObject({ path: text, types: z.array(z.enum(["array", "boolean", "null", "number", "object", "string"])) })),
  complete: z.boolean(),
});

export type WebBrowser = z.output<typeof webBrowserSchema>;
export type WebTarget = z.output<typeof webTargetSchema>;
export type WebWindow = z.output<typeof webWindowSchema>;
export type WebCompleteness = z.output<typeof webCompletenessSchema>;
export type WebShape = z.output<typeof webShapeSchema>;
