import { z } from "../z.js";
import { webPageCaptureSchema, webPageSummarySchema } from "./web-page.js";

const text = z.string();

/** A `file:` URL of the page and the file it leads to, after links. */
export const localPathSchema = z.strictObject({
  url: text,
  /** Absolute; null when no such file exists here. */
  path: text.nullable(),
  state: z.enum(["file", "directory", "inside_archive", "missing", "unreadable"]),
});
export type LocalPath = z.output<typeof localPathSchema>;

const kept = {
  schema_version: true,
  browser: true,
  target: true,
  capture_window: true,
  frames: true,
  dom: true,
  resources: true,
  scripts: true,
  workers: true,
  completeness: true,
  coverage: true,
  limitations: true,
} as const;

/** A whole of kind `capture` about a page of an Electron application. */
export const electronPageCaptureSchema = webPageCaptureSchema
  .pick({ ...kept, limits: true })
  .extend({ kind: z.literal("electron-page"), local_paths: z.array(localPathSchema) });
export type ElectronPageCapture = z.output<typeof electronPageCaptureSchema>;

/** What `inspect_electron_page` answers. */
export const electronPageSummarySchema = webPageSummarySchema.pick({ ...kept, capture: true }).extend({
  local_paths: z.strictObject({ items: z.array(localPathSchema), returned: z.int(), total: z.int(), truncated: z.boolean() }),
});
export type ElectronPageSummary = z.output<typeof electronPageSummarySchema>;
