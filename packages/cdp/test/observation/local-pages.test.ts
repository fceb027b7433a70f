import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { electronPageCaptureSchema, electronPageSummarySchema, isReaError, sha256Hex } from "@rea/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectElectronPage, inspectPage, listBrowserTargets, listElectronTargets, parseEndpoint } from "../../src/index.js";
import { observationMethods } from "../../src/protocol/allowed-methods.js";
import { context, skipReason, startBrowser, type RunningBrowser } from "./real-browser.js";
import { recordingEndpoint } from "./recording-endpoint.js";

const script = "window.started = true;\n//# sourceMappingURL=app.js.map\n";
let directory = "";
let running: RunningBrowser;

// Chromium draws the windows of Electron; with a page of files it stands for one.
describe.skipIf(skipReason !== undefined)(`a page of local files${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`, () => {
  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), "rea-test-local-")));
    mkdirSync(join(directory, "real"));
    writeFileSync(join(directory, "real", "app.js"), script);
    writeFileSync(join(directory, "real", "index.html"), '<!doctype html><title>Window</title><p>text</p><script src="app.js?v=1"></script><script src="missing.js"></script>');
    symlinkSync(join(directory, "real"), join(directory, "linked"));
    running = await startBrowser(pathToFileURL(join(directory, "linked", "index.html")).href);
  });
  afterAll(async () => {
    await running.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function target(): Promise<string> {
    for (;;) {
      const asked = { endpoint: parseEndpoint(running.endpoint, { operation: "test", field: "x" }), operation: "test", signal: new AbortController().signal };
      const { targets } = await listElectronTargets(asked, { offset: 0, limit: 10 });
      const found = targets.items.find(({ title }) => title === "Window");
      expect((await listBrowserTargets(asked, { offset: 0, limit: 10 })).targets.items).toEqual([]);
      if (found !== undefined) return found.target_id;
    }
  }

  it("is listed and looked at as a window of an application, with its files after links", async () => {
    const recorder = await recordingEndpoint(running.endpoint);
    const { capture, summary } = await inspectElectronPage({ cdp_endpoint: recorder.url, target_id: await target(), include_script_sources: true, observation_ms: 100 }, context());
    electronPageCaptureSchema.parse(capture);
    electronPageSummarySchema.parse(summary);
    expect(capture.frames.items).toEqual([expect.objectContaining({ frame: "f0", origin: "file://", url: pathToFileURL(join(directory, "linked", "index.html")).href })]);
    expect(capture.scripts.items).toEqual([expect.objectContaining({ content_sha256: sha256Hex(script), source_map: "refused", source: { state: "included", text: script, sha256: sha256Hex(script), bytes: script.length } })]);
    const paths = new Map(capture.local_paths.map(({ url, path, state }) => [url.split("/").at(-1), [path, state]]));
    expect(paths.get("index.html")).toEqual([join(directory, "real", "index.html"), "file"]);
    expect(paths.get("app.js")).toEqual([join(directory, "real", "app.js"), "file"]);
    expect(Object.keys(capture)).not.toContain("storage");
    const allowed: readonly string[] = observationMethods;
    expect(recorder.methods.filter((method) => !allowed.includes(method) || method.startsWith("Network.enable"))).toEqual([]);
    await recorder.close();
  });

  it("is no page of a site", async () => {
    const failure: unknown = await inspectPage({ cdp_endpoint: running.endpoint, target_id: await target(), observation_ms: 0, include: [] }, context()).catch((error: unknown) => error);
    expect(isReaError(failure) ? failure.details : null).toEqual({ reason: "target_not_allowed" });
  });
});
