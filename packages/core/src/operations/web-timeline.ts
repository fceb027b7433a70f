import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { webBrowserSchema, webCaptureReference, webCompletenessSchema, webExcerpt, webFrameKey, webTargetSchema } from "./web-words.js";

const count = z.number().int().nonnegative();
const text = z.string();

/** One thing that happened to a page, in the order in which the browser told it. */
export const webTimelineEventSchema = z.strictObject({
  /** Milliseconds since the page was first watched. */
  at_ms: count,
  kind: z.enum([
    "initial",
    "navigation",
    "reload",
    "same_document",
    "redirect",
    "lifecycle",
    "request_failed",
    "exception",
    "frame_attached",
    "frame_detached",
    "dialog",
    "crashed",
    "left_allowed_origins",
  ]),
  frame: webFrameKey.nullable(),
  url: text.nullable(),
  /** A word of the browser: the lifecycle's name, the reason of a failure, the kind of a navigation. */
  detail: text.nullable(),
});
export type WebTimelineEvent = z.output<typeof webTimelineEventSchema>;

const shared = {
  browser: webBrowserSchema,
  target: webTargetSchema,
  started_at: z.iso.datetime({ precision: 3 }),
  ended_at: z.iso.datetime({ precision: 3 }),
  requested_ms: count,
  elapsed_ms: count,
  ended_by: z.enum(["window", "left_allowed_origins", "target_gone"]),
  allowed_origins: z.array(text),
  completeness: webCompletenessSchema,
  coverage: coverageSchema,
  limitations: z.array(text),
};

/** A whole of kind `capture` about what happened to one page. */
export const webTimelineCaptureSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal("web-timeline"),
  ...shared,
  timeline: z.array(webTimelineEventSchema),
});
export type WebTimelineCapture = z.output<typeof webTimelineCaptureSchema>;

/** What `observe_web_session` answers: the beginning of the timeline, and how often each kind occurred. */
export const webTimelineSummarySchema = z.strictObject({
  capture: webCaptureReference,
  ...shared,
  kinds: z.array(z.strictObject({ name: text, count })),
  timeline: webExcerpt(webTimelineEventSchema),
});
export type WebTimelineSummary = z.output<typeof webTimelineSummarySchema>;
