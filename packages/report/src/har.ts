import type { BrowserScenarioCapture, ScenarioHeader, ScenarioRequest } from "@rea/core";

/** Who writes a document. */
export interface HarCreator {
  readonly name: string;
  readonly version: string;
}

/**
 * The requests of a browser scenario as an HTTP Archive (HAR 1.2). Bodies are not part of a capture, so contents have sizes and no
 * text; what was redacted stays so. Each `goto` begins a page.
 */
export function harText(capture: BrowserScenarioCapture, creator: HarCreator): string {
  const requests = capture.events.filter((event) => event.kind === "network");
  const started = Date.parse(capture.started_at);
  const pages = pagesOf(capture, started);
  const log = {
    version: "1.2",
    creator,
    browser: { name: capture.browser.product.split("/", 1)[0] ?? "", version: capture.browser.product.split("/")[1] ?? "" },
    pages: pages.map(({ at: _, ...page }) => page),
    entries: requests.map((request) => entryOf(request, started, pages.findLast(({ at }) => at <= request.at_ms)?.id)),
    comment: capture.outcome === "completed" ? "All steps completed." : "A step failed; what came before it is here.",
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function pagesOf({ steps }: BrowserScenarioCapture, started: number) {
  return steps
    .filter(({ type, outcome }) => type === "goto" && outcome !== "not_run")
    .map(({ step_id, started_ms, ended_ms, url }) => ({
      at: started_ms,
      startedDateTime: new Date(started + started_ms).toISOString(),
      id: step_id,
      title: url ?? step_id,
      pageTimings: { onContentLoad: -1, onLoad: ended_ms - started_ms },
    }));
}

function entryOf(request: ScenarioRequest, started: number, pageref: string | undefined) {
  const { answered_ms: answered, ended_ms: ended, at_ms: at } = request;
  const wait = answered ?? ended ?? 0;
  const receive = ended === null || answered === null ? 0 : Math.max(0, ended - answered);
  return {
    ...(pageref === undefined ? {} : { pageref }),
    startedDateTime: request.wall_time ?? new Date(started + at).toISOString(),
    time: wait + receive,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: request.protocol ?? "unknown",
      cookies: [],
      headers: request.request_headers.map(headerOf),
      queryString: queryOf(request.url),
      headersSize: -1,
      bodySize: request.request_body_bytes,
    },
    response: {
      status: request.status ?? 0,
      statusText: request.status_text,
      httpVersion: request.protocol ?? "unknown",
      cookies: [],
      headers: request.response_headers.map(headerOf),
      content: { size: request.decoded_bytes ?? -1, mimeType: request.media_type ?? "" },
      redirectURL: request.response_headers.find(({ name }) => name.toLowerCase() === "location")?.value ?? "",
      headersSize: -1,
      bodySize: request.encoded_bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait, receive },
    _resourceType: request.resource_type.toLowerCase(),
    ...(request.failure === null ? {} : { _error: request.failure }),
    ...(request.replayed ? { comment: "Answered by the scenario." } : {}),
  };
}

function headerOf({ name, value }: ScenarioHeader) {
  return { name, value };
}

function queryOf(url: string): { readonly name: string; readonly value: string }[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
