import { pageSchema } from "../coverage.js";
import { z } from "../z.js";
import { webBrowserSchema, webTargetSchema } from "./web-words.js";

const count = z.number().int().nonnegative();
const text = z.string();

/** What `list_browser_targets` and `list_electron_targets` answer. */
export const webTargetListSchema = z.strictObject({
  browser: webBrowserSchema,
  targets: pageSchema(webTargetSchema),
  /** What the endpoint has beside these, by the first reason that keeps it out. */
  excluded: z.strictObject({ disallowed_origin: count, unsupported_url: count, non_page: count }),
  limitations: z.array(text),
});
export type WebTargetList = z.output<typeof webTargetListSchema>;

/** What `list_javascript_runtime_targets` answers. */
export const runtimeTargetListSchema = z.strictObject({
  runtime: z.strictObject({ product: text, protocol_version: text, js_version: text }),
  targets: pageSchema(webTargetSchema),
  /** Targets that cannot be observed: of a type without scripts of its own. */
  excluded: z.strictObject({ unsupported_type: count }),
  limitations: z.array(text),
});
export type RuntimeTargetList = z.output<typeof runtimeTargetListSchema>;
