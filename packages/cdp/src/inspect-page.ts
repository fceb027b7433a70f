import type { InspectWebPageInput, RetainedWhole, WebPageSummary, OperationContext, WebPageCapture } from "@rea/core";
import { parseEndpoint } from "./protocol/endpoint.js";
import { admitPage } from "./targets/attach.js";
import { capturePage } from "./page/capture-page.js";
import { summarizePage, wholeOf } from "./page/summarize-page.js";

const operation = "inspect_web_page";

/** What was seen of a page: the whole, and the page about it. */
export interface InspectedPage {
  readonly capture: WebPageCapture;
  readonly whole: RetainedWhole;
  readonly summary: WebPageSummary;
}

/** The `inspect_web_page` tool. Throws an observation error. */
export async function inspectPage(input: InspectWebPageInput, { signal, progress }: OperationContext): Promise<InspectedPage> {
  const endpoint = parseEndpoint(input.cdp_endpoint, { operation, field: "cdp_endpoint" });
  const page = await admitPage({
    endpoint,
    operation,
    signal,
    targetId: input.target_id,
    allowedOrigins: input.allowed_origins,
    supports: (url) => /^https?:/i.test(url),
  });
  const { capture } = await capturePage(page, { observationMs: input.observation_ms, include: input.include, limits: input.limits, progress });
  const whole = wholeOf(capture);
  return { capture, whole, summary: summarizePage(capture, whole) };
}
