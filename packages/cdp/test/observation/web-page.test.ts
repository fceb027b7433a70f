import { sha256Hex, webPageCaptureSchema, webPageSummarySchema, type InspectWebPageInput, type WebPageCapture } from "@rea/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectPage, listBrowserTargets, observeSession, captureScreenshot, parseEndpoint } from "../../src/index.js";
import { observationMethods } from "../../src/protocol/allowed-methods.js";
import { recordingEndpoint } from "./recording-endpoint.js";
import { context, pageOf, skipReason, startBrowser, type RunningBrowser } from "./real-browser.js";
import { sha256, startSite, type TestSite } from "./test-site.js";

let site: TestSite;
let running: RunningBrowser;
let target = "";

const all: InspectWebPageInput["include"] = ["accessibility_text", "console_text", "json_body_shapes", "websocket_shapes", "script_sources", "storage_keys", "storage_fingerprints"];

describe.skipIf(skipReason !== undefined)(`a page of a real browser${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`, () => {
  beforeAll(async () => {
    site = await startSite();
    running = await startBrowser(`${site.origin}/`);
    target = await pageOf(running.endpoint, `${site.origin}/`);
    // Everything the page does once is done when its service worker is asked for and two rounds of requests were made.
    await settled(() => (site.asked.get("/missing") ?? 0) > 2 && site.asked.has("/sw.js") && site.asked.has("/worker.js"));
    await inspect({ observation_ms: 1000 });
  });
  afterAll(async () => {
    await running.close();
    await site.close();
  });

  function inspect(more: Partial<InspectWebPageInput> = {}, endpoint = running.endpoint): Promise<{ capture: WebPageCapture; text: string; summaryBytes: number }> {
    return inspectPage({ cdp_endpoint: endpoint, target_id: target, observation_ms: 500, include: [], ...more }, context()).then(({ capture, summary }) => {
      webPageCaptureSchema.parse(capture);
      webPageSummarySchema.parse(summary);
      return { capture, text: JSON.stringify(capture), summaryBytes: JSON.stringify(summary).length };
    });
  }

  it("gives every section as the server knows it", async () => {
    const { origin, texts } = site;
    const { capture } = await repeated(
      () => inspect({ observation_ms: 1500, include: all }),
      // On a busy host a window may end before an answer that it waits for.
      ({ capture: { network, websocket } }) =>
        ["/slow", "/missing", "/api/data.json"].every((path) => network.items.some(({ url, outcome }) => outcome === "finished" && url.startsWith(origin + path))) &&
        network.items.some(({ redirected_from }) => redirected_from !== null) &&
        ["sent", "closed", "received"].every((event) => websocket.items.some((item) => item.event === event && item.url !== null)),
    );
    expect(capture.target).toMatchObject({ target_id: target, type: "page", title: "Site \\u{202e} of tests", url: `${origin}/`, origin, attached: false });
    expect(capture.frames.items.map(({ frame, url }) => [frame, url])).toEqual([
      ["f0", `${origin}/`],
      ["f0.0", `${origin}/frame.html`],
    ]);

    const script = (path: string) => capture.scripts.items.find(({ url }) => url === `${origin}${path}`);
    const app = script("/app.js");
    expect(app).toMatchObject({ frame: "f0", kind: "module", source_map: "external", source_map_url: `${origin}/app.js.map`, content_sha256: sha256(texts["/app.js"] ?? "") });
    expect(app?.source).toEqual({ state: "included", text: texts["/app.js"], sha256: sha256(texts["/app.js"] ?? ""), bytes: Buffer.byteLength(texts["/app.js"] ?? "") });
    expect(script("/part.js")).toMatchObject({ source_map: "inline", source_map_url: null });
    for (const { source } of capture.scripts.items) if (source.state === "included") expect(sha256Hex(source.text)).toBe(source.sha256);
    expect(capture.resources.items.filter(({ type }) => type === "Script").map(({ url, script_match }) => [url, script_match])).toEqual([
      [`${origin}/app.js`, "exact"],
      [`${origin}/part.js`, "exact"],
    ]);

    const request = (path: string) => capture.network.items.find(({ url, outcome }) => url.startsWith(`${origin}${path}`) && outcome !== "pending");
    expect(request("/api/data.json")).toMatchObject({ method: "GET", status: 200, media_type: "application/json", outcome: "finished", decoded_bytes: Buffer.byteLength(texts["/data.json"] ?? ""), url: `${origin}/api/data.json?token=«redacted»&page=1` });
    expect(request("/api/data.json")?.response_body).toEqual({
      state: "included",
      shape: {
        complete: true,
        places: [
          { path: "$", types: ["object"] },
          { path: "$.items", types: ["array"] },
          { path: "$.items[]", types: ["object"] },
          { path: "$.items[].id", types: ["number", "string"] },
          { path: "$.items[].name", types: ["string"] },
          { path: "$.next", types: ["null"] },
        ],
      },
    });
    expect(request("/redirect")).toMatchObject({ status: 302, outcome: "redirected" });
    // The first may have begun before the page was watched.
    const landed = capture.network.items.find(({ url, redirected_from }) => url === `${origin}/landed.txt` && redirected_from !== null);
    expect(capture.network.items[landed?.redirected_from ?? -1]).toMatchObject({ url: `${origin}/redirect`, outcome: "redirected" });
    expect(request("/missing")).toMatchObject({ status: 404, outcome: "finished" });
    expect(request("/slow")).toMatchObject({ status: 200, decoded_bytes: 4 });
    expect(capture.network.prior_activity_available).toBe(false);

    expect(capture.console.items.find(({ source }) => source === "console")).toMatchObject({ kind: "log", frame: "f0", url: `${origin}/app.js`, argument_types: ["string", "object Object", "number"], text: "Grüße Object 42" });

    const sockets = capture.websocket.items;
    const fresh = sockets.find(({ event, url }) => event === "sent" && url !== null);
    expect(fresh).toMatchObject({ opcode: "text", bytes: 15, url: `${origin.replace("http", "ws")}/socket`, shape: { places: [{ path: "$", types: ["object"] }, { path: "$.hello", types: ["array"] }, { path: "$.hello[]", types: ["number"] }] } });
    expect(sockets.some(({ event, bytes }) => event === "received" && bytes === 35)).toBe(true);
    expect(sockets.some(({ event }) => event === "closed")).toBe(true);

    expect(capture.workers.items.map(({ kind, url, scope }) => [kind, url, scope])).toEqual([
      ["dedicated", `${origin}/worker.js`, null],
      ["service", `${origin}/sw.js`, `${origin}/`],
    ]);

    const told = (name: string, source: string) => capture.metadata.items.find((item) => item.name === name && item.source === source);
    expect(told("content-security-policy", "isolation_status")).toMatchObject({ value: "img-src 'self'", trust: "browser-reported" });
    expect(told("cross-origin-opener-policy", "isolation_status")).toMatchObject({ value: "SameOrigin" });
    expect(told("link", "response_header")).toMatchObject({ value: "</next.css>; rel=preload; as=style", trust: "page-declared-untrusted" });
    expect(told("cross-origin-resource-policy", "response_header")).toMatchObject({ value: "same-origin" });
    expect(told("meta:generator", "document_element")).toMatchObject({ value: "Hand 1.0" });
    expect(told("link:manifest", "document_element")).toMatchObject({ value: `${origin}/app.webmanifest` });

    const storage = (scope: string) => capture.storage.items.find((item) => item.scope === scope && (item.origin === origin || item.origin === "127.0.0.1"));
    expect(storage("cookie")).toMatchObject({ entries: 2, keys: ["hidden", "visible"], complete: true, covers: "names_and_values" });
    expect(storage("local")).toMatchObject({ entries: 2, keys: ["api_key", "theme"], complete: true });
    expect(storage("session")).toMatchObject({ entries: 1, keys: ["step"] });
    expect(storage("indexed_database")).toMatchObject({ entries: 1, keys: ["shop", "shop/carts", "shop/carts/by_owner"], complete: false, covers: "structure_and_counts" });
    expect(storage("cache")).toMatchObject({ entries: 1, keys: ["assets-v1", `assets-v1 ${origin}/cached.txt`], complete: false });

    const nodes = capture.dom.items.filter(({ frame }) => frame === "f0");
    const input = nodes.find(({ name, attributes }) => name === "INPUT" && attributes.includes("name"));
    expect(input?.attributes).toEqual(["name", "value"]);
    expect(nodes.filter(({ shadow_root }) => shadow_root === "open").map(({ name }) => name)).toEqual(["B", "#text"]);
    expect(nodes.filter(({ name }) => name === "IFRAME")).toHaveLength(3);
    expect(capture.accessibility.items.find(({ role }) => role === "heading")).toMatchObject({ name: "Heading", name_length: 7 });
  });

  it("keeps no values, whatever is included", async () => {
    const { text } = await inspect({ include: all.filter((item) => item !== "script_sources" && item !== "accessibility_text") });
    for (const value of ["typed-value", "password-value", "cookie-value", "http-only-value", "dark-value", "local-secret-value", "session-value", "database-value", "cached-body", "response-value", "socket-value", "s3cret", "kept-by-the-page"]) {
      expect(text).not.toContain(value);
    }
  });

  it("only counts what is of other origins", async () => {
    const { capture, text } = await inspect({ include: all });
    for (const trace of [site.sameSite, site.otherSite, "near-script", "other-script", "other-noise"]) {
      // The page's own source names the addresses of its frames.
      const rest = text.replaceAll(JSON.stringify(capture.scripts.items.map(({ source }) => source)), "");
      if (!trace.startsWith("http")) expect(rest).not.toContain(trace);
    }
    expect(capture.frames.items.every(({ origin }) => origin === site.origin)).toBe(true);
    expect(capture.completeness.excluded.find(({ section }) => section === "frames")).toEqual({ section: "frames", count: 2 });
    expect(capture.completeness.conditions.find(({ condition }) => condition === "policy_filtered")?.sections).toContain("scripts");
  });

  it("looks into frames of other origins and other processes when they are named", async () => {
    const { capture } = await inspect({ include: all, allowed_origins: [site.origin, site.sameSite, site.otherSite] });
    expect(capture.frames.items.map(({ frame, url, out_of_process }) => [frame, url, out_of_process])).toEqual([
      ["f0", `${site.origin}/`, false],
      ["f0.0", `${site.origin}/frame.html`, false],
      ["f0.1", `${site.sameSite}/near.html`, false],
      ["f0.2", `${site.otherSite}/other.html`, true],
    ]);
    const sources = capture.scripts.items.map(({ source }) => (source.state === "included" ? source.text : ""));
    expect(sources.some((source) => source.includes("near-script"))).toBe(true);
    expect(sources.some((source) => source.includes("other-script"))).toBe(true);
    expect(capture.dom.items.some(({ frame, name }) => frame === "f0.2" && name === "P")).toBe(true);
    expect(capture.completeness.excluded).toEqual([]);
  });

  it("sees the same scripts, structure and storage twice in a row", async () => {
    const first = await inspect({ include: all });
    const second = await inspect({ include: all });
    for (const section of ["frames", "dom", "accessibility", "scripts", "resources", "storage"] as const) expect(second.capture[section].sha256).toBe(first.capture[section].sha256);
  });

  it("answers with one page, however much there is", async () => {
    const { summaryBytes } = await inspect({ include: all, observation_ms: 1500 });
    // The text block holds the result twice.
    expect(summaryBytes * 2).toBeLessThan(24 * 1024);
  });

  it("says what a limit cut, and cuts nothing else", async () => {
    const { capture } = await inspect({ limits: { dom_nodes: 3, scripts: 1, network_events: 0 } });
    expect(capture.dom).toMatchObject({ state: "partial" });
    expect(capture.dom.items).toHaveLength(3);
    expect(capture.scripts.items).toHaveLength(1);
    expect(capture.network.items).toEqual([]);
    expect(capture.completeness.conditions.find(({ condition }) => condition === "truncated")?.sections).toEqual(["dom", "scripts", "network"]);
    expect(capture.coverage.omissions.find(({ scope, reason }) => scope === "dom" && reason === "limit_items")).toMatchObject({ limit: 3 });
    expect(capture.accessibility.state).toBe("complete");
  });

  it("sends only methods of the list, over every tool that looks at pages, and leaves no socket", async () => {
    const recorder = await recordingEndpoint(running.endpoint);
    try {
      await inspect({ include: all, allowed_origins: [site.origin, site.sameSite, site.otherSite] }, recorder.url);
      await observeSession({ cdp_endpoint: recorder.url, target_id: target, observation_ms: 300, max_timeline_events: 100 }, context());
      await captureScreenshot({ cdp_endpoint: recorder.url, target_id: target, maximum_image_bytes: 8_388_608 }, context());
      await listBrowserTargets({ endpoint: parseEndpoint(recorder.url, { operation: "test", field: "x" }), operation: "test", signal: new AbortController().signal }, { offset: 0, limit: 10 });
      const allowed: readonly string[] = observationMethods;
      expect(recorder.methods.filter((method) => !allowed.includes(method))).toEqual([]);
      expect(recorder.methods).toContain("Debugger.enable");
      for (const domain of ["Debugger", "Runtime", "Network", "Page", "Log"]) expect(count(recorder.methods, `${domain}.disable`)).toBe(count(recorder.methods, `${domain}.enable`));
      for (const method of recorder.methods) expect(method).not.toMatch(/evaluate|callFunction|navigate|reload|^Input|close|set(?!SkipAllPauses|LifecycleEvents|AutoAttach)/i);
      await settled(() => recorder.open() === 0);
    } finally {
      await recorder.close();
    }
  });
});

function count(items: readonly string[], wanted: string): number {
  return items.filter((item) => item === wanted).length;
}

async function repeated<T>(work: () => Promise<T>, enough: (value: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const value = await work();
    if (enough(value) || tries === 10) return value;
  }
}

async function settled(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50));
}
