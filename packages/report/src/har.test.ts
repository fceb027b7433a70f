import type { BrowserScenarioCapture, ScenarioRequest } from "@rea/core";
import { describe, expect, it } from "vitest";
import { harText } from "./har.js";

const request: ScenarioRequest = {
  order: 1,
  step_id: "open",
  at_ms: 120,
  kind: "network",
  method: "GET",
  url: "http://127.0.0.1:8080/list?page=2&token=«redacted»",
  resource_type: "Document",
  request_headers: [{ name: "Accept", value: "*/*", redacted: false }],
  request_body_bytes: 0,
  status: 302,
  status_text: "Found",
  protocol: "http/1.1",
  media_type: "text/html",
  response_headers: [{ name: "location", value: "/next", redacted: false }, { name: "set-cookie", value: "«redacted»", redacted: true }],
  encoded_bytes: 220,
  decoded_bytes: null,
  outcome: "redirected",
  failure: null,
  replayed: false,
  redirected_from: null,
  wall_time: null,
  answered_ms: 30,
  ended_ms: 45,
};
const step = { type: "goto", failure: null, matches: null, history: null, dom: null, accessibility: null, storage: null, screenshot: null } as const;
const capture: BrowserScenarioCapture = {
  schema_version: 1,
  kind: "browser-scenario",
  browser: { product: "Chrome/156.0", protocol_version: "1.3", revision: "", user_agent: "", js_version: "", mode: "launch", executable_sha256: null, headless: true, sandbox: "enabled" },
  scenario: {},
  scenario_sha256: "0".repeat(64),
  allowed_origins: [],
  started_at: "2026-01-01T00:00:00.000Z",
  ended_at: "2026-01-01T00:00:01.000Z",
  outcome: "completed",
  steps: [
    { ...step, step_id: "open", outcome: "completed", started_ms: 100, ended_ms: 400, url: "http://127.0.0.1:8080/next" },
    { ...step, step_id: "later", outcome: "not_run", started_ms: 500, ended_ms: 500, url: null },
  ],
  events: [request, { order: 2, step_id: "open", at_ms: 130, kind: "dialog", dialog: "alert", answer: "dismissed" }, { ...request, order: 3, status: null, outcome: "failed", failure: "net::ERR_FAILED", answered_ms: null, ended_ms: 10, response_headers: [], at_ms: 20 }],
  completeness: { equality_eligible: true, reasons: [], dropped_events: 0, aborted_requests: 0 },
  coverage: { state: "complete", omissions: [] },
  limitations: [],
  cleanup: { state: "proven", ownership_proof: null, resources: [] },
};

describe("the HTTP Archive of a browser scenario", () => {
  it("has the members that HAR 1.2 demands, with a page for each goto that was done", () => {
    const { log } = JSON.parse(harText(capture, { name: "REA", version: "1.0.0" }));
    expect(log).toMatchObject({ version: "1.2", creator: { name: "REA", version: "1.0.0" }, browser: { name: "Chrome", version: "156.0" } });
    expect(log.pages).toEqual([{ startedDateTime: "2026-01-01T00:00:00.100Z", id: "open", title: "http://127.0.0.1:8080/next", pageTimings: { onContentLoad: -1, onLoad: 300 } }]);
    expect(log.entries).toHaveLength(2);
    expect(log.entries[0]).toMatchObject({
      pageref: "open",
      startedDateTime: "2026-01-01T00:00:00.120Z",
      time: 45,
      request: { method: "GET", httpVersion: "http/1.1", cookies: [], queryString: [{ name: "page", value: "2" }, { name: "token", value: "«redacted»" }], headersSize: -1, bodySize: 0 },
      response: { status: 302, statusText: "Found", redirectURL: "/next", content: { size: -1, mimeType: "text/html" }, headersSize: -1, bodySize: 220 },
      cache: {},
      timings: { send: 0, wait: 30, receive: 15 },
    });
    expect(log.entries[1]).toMatchObject({ response: { status: 0 }, time: 10, _error: "net::ERR_FAILED" });
    expect(log.entries[1]).not.toHaveProperty("pageref");
  });
});
