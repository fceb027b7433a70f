import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { evidenceSchema, runtimeReconciliationSchema, webTargetListSchema, type RuntimeReconciliation } from "@rea/core";
import { findBrowsers, launchBrowser, type LaunchedBrowser } from "@rea/cdp";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import { invoke, type ToolReply, type ToolService } from "@rea/tool";
import { tools } from "@rea/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";
import { createRuntime } from "../src/index.js";
import { directory } from "./support.js";

const browserPath = findBrowsers().browsers[0]?.path;
const why = browserPath === undefined ? " (skipped: no browser of Chromium's family on this host)" : "";

const files = {
  "index.html": '<!doctype html><title>Parts</title><p id="out"></p><script type="module" src="/main.js"></script><script src="/added.js"></script>',
  "main.js": 'import { shared } from "./shared.js"; const load = (name) => (name === "seen" ? import("./seen.js") : import("./unseen.js")); load("seen").then(({ show }) => show(shared("start")));',
  "shared.js": "export const shared = (text) => `${text} shared`;",
  "seen.js": 'import { shared } from "./shared.js"; export const show = (text) => { document.querySelector("#out").textContent = shared(text); };',
  "unseen.js": 'import { shared } from "./shared.js"; export const hide = () => shared("hidden");',
};

let built = "";
let server: Server;
let origin = "";
let launcher: ProcessLauncher;
let browser: LaunchedBrowser;
let service: ToolService;
/** What the server adds to a script on its way. */
let altered = "";

describe.skipIf(browserPath === undefined)(`what a browser runs of a built application${why}`, () => {
  beforeAll(async () => {
    const root = directory();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    built = join(root, "dist");
    await build({ root, configFile: false, logLevel: "silent", mode: "production", build: { outDir: built, sourcemap: true, modulePreload: false } });
    server = serve(built);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    origin = `http://127.0.0.1:${String(typeof address === "object" && address !== null ? address.port : 0)}`;
    launcher = createLauncher();
    const sandbox = process.getuid?.() === 0 ? "disabled" : "enabled";
    browser = await launchBrowser(launcher, { executable: browserPath ?? "", signal: new AbortController().signal, lifetimeMs: 600_000, startupMs: 120_000, sandbox, url: `${origin}/` });
    service = createRuntime({ env: {}, identity: { package_name: "rea", package_version: "0.0.0", server_path: "/rea" }, tools, home: directory(), log: { level: "silent" } });
  }, 300_000);
  afterAll(async () => {
    await service.close();
    await browser.close();
    await launcher.close();
    server.closeAllConnections();
    server.close();
  });

  async function call(name: string, input: object): Promise<Extract<ToolReply, { ok: true }>["value"]> {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    const reply = await invoke(tool, input, service.host, { signal: new AbortController().signal });
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return reply.value;
  }

  const recordOf = (value: object): { readonly evidence_id: string } => ({ evidence_id: evidenceSchema.parse("evidence" in value ? value.evidence : undefined).evidence_id });

  /** The page, once its lazy part has shown what it shows. */
  async function observed(operation: "inspect_web_page" | "analyze_web_bundle"): Promise<{ readonly evidence_id: string }> {
    while (!asked.some((path) => path.includes("/seen-"))) await new Promise((resolve) => setTimeout(resolve, 50));
    const { targets } = webTargetListSchema.parse((await call("list_browser_targets", { cdp_endpoint: browser.endpoint })).result);
    const target = targets.items.find(({ url }) => url.startsWith(origin));
    if (target === undefined) throw new Error("The page is gone.");
    return recordOf(await call(operation, { cdp_endpoint: browser.endpoint, target_id: target.target_id }));
  }

  async function reconciled(observation: { readonly evidence_id: string }): Promise<RuntimeReconciliation> {
    const analysis = recordOf(await call("analyze_javascript_application", { input_path: built }));
    const layer = { analysis, role: "application", runtime_mappings: [{ runtime_prefix: `${origin}/`, static_prefix: "" }] };
    return runtimeReconciliationSchema.parse((await call("reconcile_javascript_runtime", { static_layers: [layer], runtime_observations: [observation], limit: 500 })).result);
  }

  const stateOf = ({ static_items: items }: RuntimeReconciliation, part: string) => items.items.find(({ name, kind }) => kind === "javascript-asset" && name.startsWith(`assets/${part}-`))?.load_state;
  const matchOf = ({ matches }: RuntimeReconciliation, part: string) => matches.items.find(({ url }) => url.includes(`/${part}-`));

  it.each(["inspect_web_page", "analyze_web_bundle"] as const)("is told from what it did not load, by %s", async (operation) => {
    const found = await reconciled(await observed(operation));
    for (const part of ["index", "seen"]) {
      expect(matchOf(found, part)).toMatchObject({ state: "matched", basis: "digest-and-location" });
      expect(stateOf(found, part)).toBe("loaded");
    }
    expect(["not_observed_in_capture", "unknown"]).toContain(stateOf(found, "unseen"));
    expect(matchOf(found, "unseen")).toBeUndefined();
    // The server answers it, and no build wrote it.
    expect(found.matches.items.find(({ url }) => url.endsWith("/added.js"))).toMatchObject({ state: "unmatched" });
  });

  it("is called a mismatch where the server sends something else than the build wrote", async () => {
    altered = "\n;void 0;";
    asked.length = 0;
    const other = await launchBrowser(launcher, { executable: browserPath ?? "", signal: new AbortController().signal, lifetimeMs: 600_000, startupMs: 120_000, sandbox: process.getuid?.() === 0 ? "disabled" : "enabled", url: `${origin}/` });
    const first = browser;
    browser = other;
    try {
      const found = await reconciled(await observed("inspect_web_page"));
      expect(matchOf(found, "seen")).toMatchObject({ state: "mismatch", target: null });
      expect(matchOf(found, "index")).toMatchObject({ state: "matched" });
      expect(stateOf(found, "seen")).toBe("unknown");
    } finally {
      browser = first;
      altered = "";
      await other.close();
    }
  });
});

const asked: string[] = [];

function serve(root: string): Server {
  return createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    asked.push(path);
    if (path.startsWith("/assets/") && !path.includes("..")) {
      response.setHeader("content-type", path.endsWith(".js") ? "text/javascript" : "application/json");
      response.end(Buffer.concat([readFileSync(join(root, path)), Buffer.from(path.includes("/seen-") ? altered : "")]));
    } else if (path === "/added.js") {
      response.setHeader("content-type", "text/javascript");
      response.end("window.added = true;");
    } else {
      response.setHeader("content-type", "text/html");
      response.end(readFileSync(join(root, "index.html")));
    }
  });
}
