import { z } from "../z.js";
import { webBrowserSchema, webCompletenessSchema, webTargetSchema } from "./web-words.js";

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What `capture_web_screenshot` answers: what a page showed in its viewport, as a file. */
export const webScreenshotSchema = z.strictObject({
  browser: webBrowserSchema,
  target: webTargetSchema,
  /** In a directory that only this user can read, named by the digest; it stays when the session ends. */
  path: z.string(),
  sha256,
  bytes: count,
  media_type: z.literal("image/png"),
  /** Size of the viewport in CSS pixels; of the image in device pixels. */
  viewport: z.strictObject({ width: count, height: count, device_scale_percent: count }),
  image: z.strictObject({ width: count, height: count }),
  /** Null unless asked for, and of at most 256 KiB. */
  data_base64: z.string().nullable(),
  completeness: webCompletenessSchema,
  limitations: z.array(z.string()),
});
export type WebScreenshot = z.output<typeof webScreenshotSchema>;
