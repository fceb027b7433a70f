import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectWebPageInput, silentProgress, type WebDifferences, type WebPageCapture } from "@rea/core";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, type LaunchedBrowser } from "../src/browsers/launch-browser.js";
import { compareWebCaptures } from "../src/compare/compare-web-captures.js";
import { inspectPage } from "../src/inspect-page.js";
import { installedBrowser, sandbox } from "./browsers/installed-browser.js";
import { startSite, type TestSite } from "./scenario/test-site.js";

const page = (extra: string, build: string): string =>
  `<!doctype html><title>Page</title><link rel=icon href="data:,"><meta name=generator content="build ${build}"><main><h1>Title</h1>${extra}</main><script src="/app.${build}.js"></script><script>localStorage.setItem("a", "1")</script>`;

describe.skipIf(installedBrowser === undefined)("captures of a page in a real browser (skipped without a browser)", () => {
  let launcher: ProcessLauncher;
  let site: TestSite;
  let parent = "";
  beforeAll(async () => {
    launcher = createLauncher();
    parent = mkdtempSync(join(tmpdir(), "rea-test-pages-"));
    site = await startSite(() => ({ "/old": page("", "aaaa"), "/new": page("<p>More</p>", "aaaa"), "/rebuilt": page("", "bbbb"), "/app.aaaa.js": "window.app = 1;", "/app.bbbb.js": "window.app = 1;" }));
  });
  afterAll(async () => {
    await site.close();
    expect(await launcher.close()).toEqual({ remaining: [] });
    rmSync(parent, { recursive: true, force: true });
  });

  async function capture(path: string): Promise<WebPageCapture> {
    const browser = await launchBrowser(launcher, { executable: installedBrowser ?? "", signal: new AbortController().signal, lifetimeMs: 120_000, startupMs: 60_000, sandbox, url: `${site.origin}${path}`, parent });
    try {
      const target = await loadedPage(browser, `${site.origin}${path}`);
      const input = inspectWebPageInput.parse({ cdp_endpoint: browser.endpoint, target_id: target, include: ["storage_fingerprints", "storage_keys"], observation_ms: 300 });
      return (await inspectPage(input, { signal: new AbortController().signal, progress: silentProgress })).capture;
    } finally {
      await browser.close();
    }
  }
  function compare(left: WebPageCapture, right: WebPageCapture, normalization: Parameters<typeof compareWebCaptures>[1]["normalization"] = []): WebDifferences {
    return compareWebCaptures({ kind: "web-page", left, right }, { normalization, maxChanges: 100, operation: "compare_web_captures" });
  }
  const statuses = (found: WebDifferences): object => Object.fromEntries(found.dimensions.map(({ dimension, status }) => [dimension, status]));

  it("of one page at two times are equal; of another they differ where they do, and a build's name can be normalised away", async () => {
    const old = await capture("/old");
    const again = await capture("/old");
    expect(statuses(compare(old, again))).toEqual({ dom_structure: "unchanged", scripts: "unchanged", resources: "unchanged", network: "unchanged", metadata: "unchanged", accessibility: "unchanged", storage: "unchanged" });
    expect(compare(old, again)).toMatchObject({ status: "unchanged", changes: { total: 0 } });

    const more = await capture("/new");
    const found = compare(old, more, [{ kind: "url", literal: "/new", replacement: "/old" }]);
    expect(statuses(found)).toMatchObject({ dom_structure: "changed", scripts: "unchanged", resources: "unchanged", storage: "unchanged" });
    expect(found.changes.items.filter(({ dimension }) => dimension === "dom_structure").map(({ change, place }) => [change, place])).toEqual([
      ["added", "f0>document>html>body>main>p"],
      ["added", "f0>document>html>body>main>p>text"],
    ]);

    const rebuilt = await capture("/rebuilt");
    const rules = [
      { kind: "url", literal: "/rebuilt", replacement: "/old" },
      { kind: "url", literal: "bbbb", replacement: "aaaa" },
      { kind: "metadata", literal: "bbbb", replacement: "aaaa" },
    ] as const;
    expect(statuses(compare(old, rebuilt))).toMatchObject({ dom_structure: "unchanged", scripts: "changed", metadata: "changed" });
    const normal = compare(old, rebuilt, rules);
    expect(normal).toMatchObject({ status: "unchanged", normalization: { sha256: compare(old, again, [...rules].reverse()).normalization.sha256 } });
  }, 300_000);
});

async function loadedPage(browser: LaunchedBrowser, url: string): Promise<string> {
  for (;;) {
    const targets: unknown = await (await fetch(`${browser.endpoint}/json/list`)).json();
    const page = Array.isArray(targets) ? targets.find((target: { readonly type?: unknown; readonly url?: unknown; readonly title?: unknown }) => target.type === "page" && target.url === url && target.title === "Page") : undefined;
    if (typeof page?.id === "string") {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return page.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
