import { isReaError, type InspectWebPageInput, type ReaError, type WebTimelineSummary } from "@rea/core";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { captureScreenshot, inspectPage, listBrowserTargets, observeSession, parseEndpoint } from "../../src/index.js";
import { context, pageOf, skipReason, startBrowser, type RunningBrowser } from "./real-browser.js";
import { recordingEndpoint, type RecordingEndpoint } from "./recording-endpoint.js";
import { startSite, type TestSite } from "./test-site.js";

let site: TestSite;
let running: RunningBrowser;
let recorder: RecordingEndpoint;

describe.skipIf(skipReason !== undefined)(`pages that move${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`, () => {
  beforeAll(async () => {
    site = await startSite();
    running = await startBrowser("about:blank");
    recorder = await recordingEndpoint(running.endpoint);
  });
  afterAll(async () => {
    await recorder.close();
    await running.close();
    await site.close();
  });

  /** Opens a page and waits until it is there. */
  async function open(path: string): Promise<string> {
    await fetch(`${running.endpoint}/json/new?${encodeURIComponent(site.origin + path)}`, { method: "PUT" });
    return pageOf(running.endpoint, site.origin + path);
  }

  async function held(): Promise<void> {
    await until(() => site.waiting() > 0);
  }

  /** Does something when the page is being watched. */
  async function whenWatched(act: () => void): Promise<void> {
    const seen = recorder.methods.length;
    await until(() => recorder.methods.slice(seen).includes("Debugger.enable") || recorder.methods.slice(seen).includes("Page.setLifecycleEventsEnabled"));
    act();
  }

  function inspect(target: string, more: Partial<InspectWebPageInput> = {}) {
    return inspectPage({ cdp_endpoint: recorder.url, target_id: target, observation_ms: 1500, include: [], ...more }, context());
  }

  function observe(target: string): Promise<WebTimelineSummary> {
    return observeSession({ cdp_endpoint: recorder.url, target_id: target, observation_ms: 2500, max_timeline_events: 500 }, context()).then(({ summary }) => summary);
  }

  it("another document in the meantime discards the capture", async () => {
    const target = await open("/goes.html");
    await held();
    const watched = whenWatched(() => { site.release(); });
    const failure = await failureOf(inspect(target));
    await watched;
    expect(failure).toMatchObject({ code: "target_unavailable", details: { reason: "target_changed" } });
  });

  it("another address of the same document does not, and is counted", async () => {
    const target = await open("/pushes.html");
    await held();
    const watched = whenWatched(() => { site.release(); });
    const { capture } = await inspect(target);
    await watched;
    expect(capture.capture_window.same_document_navigations).toBe(1);
    expect(capture.frames.items[0]?.url).toBe(`${site.origin}/pushed?token=«redacted»`);
  });

  it("a timeline follows a navigation in order", async () => {
    const target = await open("/goes.html");
    await held();
    const watched = whenWatched(() => { site.release(); });
    const { timeline, ended_by } = await observe(target);
    await watched;
    expect(ended_by).toBe("window");
    const kinds = timeline.items.map(({ kind, detail }) => (kind === "lifecycle" ? `${kind} ${detail ?? ""}` : kind));
    expect(kinds[0]).toBe("initial");
    expect(kinds.indexOf("navigation")).toBeGreaterThan(0);
    // What the first document has been through before is not told.
    expect(kinds.indexOf("lifecycle load")).toBeGreaterThan(kinds.indexOf("navigation"));
    expect(timeline.items.find(({ kind }) => kind === "navigation")?.url).toBe(`${site.origin}/moved.html`);
  });

  it("a timeline ends when the page leaves the allowed origins, and does not say where to", async () => {
    const target = await open("/leaves.html");
    await held();
    const watched = whenWatched(() => { site.release(); });
    const summary = await observe(target);
    await watched;
    expect(summary.ended_by).toBe("left_allowed_origins");
    expect(summary.elapsed_ms).toBeLessThan(summary.requested_ms);
    expect(JSON.stringify(summary)).not.toContain("secret-place");
  });

  it("a debugger statement does not stop a page that is watched", async () => {
    const target = await open("/stops.html");
    await until(() => (site.asked.get("/beat") ?? 0) > 2);
    let during = 0;
    const watched = whenWatched(() => { during = site.asked.get("/beat") ?? 0; });
    const { capture } = await inspect(target);
    await watched;
    expect(capture.scripts.state).toBe("complete");
    expect(site.asked.get("/beat") ?? 0).toBeGreaterThan(during + 3);
  });

  it("a dialog that holds the page is in the timeline without its text, and a capture ends by its deadline", async () => {
    const target = await open("/asks.html");
    await held();
    const watched = whenWatched(() => { site.release(); });
    const { timeline, ended_by } = await observe(target);
    await watched;
    expect(ended_by).toBe("window");
    expect(timeline.items.find(({ kind }) => kind === "dialog")).toMatchObject({ detail: "alert", url: null });
    expect(JSON.stringify(timeline)).not.toContain("dialog-text");
    expect(await failureOf(inspect(target))).toMatchObject({ code: "provider_timeout" });
    await fetch(`${running.endpoint}/json/close/${target}`);
  });

  it("a section that does not fit into a message is missing, and the others are there", async () => {
    const target = await open("/large.html");
    const { capture } = await inspect(target, { observation_ms: 100 });
    expect(capture.dom).toMatchObject({ state: "unavailable", items: [], total: null });
    expect(capture.coverage.omissions.find(({ scope }) => scope === "dom")).toMatchObject({ reason: "limit_total_bytes" });
    expect(capture.scripts.items).toHaveLength(1);
    expect(capture.storage.state).toBe("complete");
  });

  it("a message of a page that is too large ends the events, and what came before stands", async () => {
    const target = await open("/loud.html");
    await held();
    const watched = whenWatched(() => { site.release(); });
    const { capture } = await inspect(target, { include: ["console_text"] });
    await watched;
    expect(capture.console.state).toBe("partial");
    expect(capture.console.items.map(({ text }) => text)).toContain("before");
    expect(capture.dom.state).toBe("complete");
  });

  it("a page that is stuck fails within its deadline, and delays no other", async () => {
    const [stuck, other] = [await open("/busy.html"), await open("/moved.html")];
    await held();
    site.release();
    const started = performance.now();
    const [failure, quick] = await Promise.all([failureOf(inspect(stuck, { observation_ms: 0 })), inspect(other, { observation_ms: 0 }).then(() => performance.now() - started)]);
    expect(failure).toMatchObject({ code: "provider_timeout", details: { timeout_ms: 5000 } });
    expect(quick).toBeLessThan(5000);
    await fetch(`${running.endpoint}/json/close/${stuck}`);
  });

  it("a page that another client holds is refused", async () => {
    const target = await open("/moved.html");
    const socket = new WebSocket(`${running.endpoint.replace("http", "ws")}/devtools/page/${target}`);
    await new Promise((resolve) => socket.on("open", resolve));
    const listed = await listBrowserTargets({ endpoint: parseEndpoint(running.endpoint, { operation: "test", field: "x" }), operation: "test", signal: new AbortController().signal }, { offset: 0, limit: 100 });
    expect(listed.targets.items.find(({ target_id }) => target_id === target)?.attached).toBe(true);
    expect(await failureOf(inspect(target))).toMatchObject({ code: "target_unavailable", details: { reason: "target_not_allowed" } });
    socket.close();
  });

  it("a page that is gone, of another origin, or never was is refused by its reason", async () => {
    const target = await open("/moved.html");
    expect(await failureOf(inspect(target, { allowed_origins: ["https://example.org"] }))).toMatchObject({ code: "target_unavailable", details: { reason: "target_not_allowed" } });
    expect(await failureOf(inspect(target, { allowed_origins: ["https://example.org/"] }))).toMatchObject({ code: "invalid_request" });
    await fetch(`${running.endpoint}/json/close/${target}`);
    await until(async () => !(await (await fetch(`${running.endpoint}/json/list`)).text()).includes(target));
    expect(await failureOf(inspect(target))).toMatchObject({ code: "target_unavailable", details: { reason: "target_not_found" } });
  });

  it("a page that is closed while it is watched is told as gone", async () => {
    const target = await open("/moved.html");
    const watched = whenWatched(() => void fetch(`${running.endpoint}/json/close/${target}`));
    const failure = await failureOf(inspect(target, { observation_ms: 8000 }));
    await watched;
    expect(failure.code).toBe("target_unavailable");
    // A command that was under way when it closed cannot tell a navigation from an end.
    expect(["target_not_found", "target_changed"]).toContain(Object(failure.details).reason);
  });

  it("a screenshot is what the viewport shows, and is refused when it is too large", async () => {
    const target = await open("/moved.html");
    const shot = await captureScreenshot({ cdp_endpoint: recorder.url, target_id: target, maximum_image_bytes: 4_194_304 }, context());
    expect(shot.png.subarray(1, 4).toString()).toBe("PNG");
    expect(shot.image).toEqual({ width: (shot.viewport.width * shot.viewport.device_scale_percent) / 100, height: (shot.viewport.height * shot.viewport.device_scale_percent) / 100 });
    const again = await captureScreenshot({ cdp_endpoint: recorder.url, target_id: target, maximum_image_bytes: 4_194_304 }, context());
    expect(again.sha256).toBe(shot.sha256);
    expect(await failureOf(captureScreenshot({ cdp_endpoint: recorder.url, target_id: target, maximum_image_bytes: 100 }, context()))).toMatchObject({ code: "unreadable_output", details: { reason: "payload_limit" } });
  });

  it("a cancelled look ends at once and leaves no socket", async () => {
    const target = await open("/moved.html");
    const controller = new AbortController();
    const watched = whenWatched(() => { controller.abort(); });
    const failure = await failureOf(inspectPage({ cdp_endpoint: recorder.url, target_id: target, observation_ms: 10_000, include: [] }, context(controller.signal)));
    await watched;
    expect(failure).toMatchObject({ code: "cancelled" });
    await until(() => recorder.open() === 0);
  });
});

async function failureOf(promise: Promise<unknown>): Promise<ReaError> {
  const error: unknown = await promise.then(
    () => new Error("It succeeded."),
    (failure: unknown) => failure,
  );
  if (isReaError(error)) return error;
  throw error;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 30));
}
