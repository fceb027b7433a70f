import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { webBundleAnalysisSchema, webBundleSummarySchema, webTargetListSchema, z } from "@rea/core";
import { findBrowsers, launchBrowser, type LaunchedBrowser } from "@rea/cdp";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import { tools } from "@rea/tools";
import { invoke, type ToolReply, type ToolService } from "@rea/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";
import { createRuntime } from "../src/index.js";
import { directory } from "./support.js";

const browserPath = findBrowsers().browsers[0]?.path;
const why = browserPath === undefined ? " (skipped: no browser of Chromium's family on this host)" : "";

const files = {
  "index.html": '<!doctype html><html><head><title>Shop</title></head><body><div id="app"></div><script type="module" src="/main.js"></script></body></html>',
  "main.js": `
    import { createApp, h } from "vue";
    import { createRouter, createWebHistory, RouterView } from "vue-router";
    import { products } from "./api.js";
    const Home = { render: () => h("h1", "Home"), mounted: () => products(1) };
    const routes = [
      { path: "/", name: "home", component: Home },
      { path: "/about-us", name: "about", component: () => import("./about.js") },
      { path: "/orders/:id", name: "order", component: () => import("./orders.js") },
    ];
    const router = createRouter({ history: createWebHistory(), routes });
    createApp({ render: () => h(RouterView) }).use(router).mount("#app");
  `,
  "api.js": `
    export const products = (page) => fetch("/api/v2/products?page=" + page).then((answer) => answer.json());
    export const order = (id) => fetch(\`/api/v2/orders/\${id}\`, { method: "POST" });
  `,
  "about.js": 'import { h } from "vue"; import { products } from "./api.js"; export default { render: () => h("h1", "About"), mounted: () => products(2) };',
  "orders.js": 'import { h } from "vue"; import { order } from "./api.js"; export default { render: () => h("h1", "Orders"), mounted: () => order(7) };',
};
const manifestSchema = z.record(z.string(), z.looseObject({ file: z.string(), isDynamicEntry: z.boolean().optional() }));

let built = "";
let server: Server;
let origin = "";
let launcher: ProcessLauncher;
let browser: LaunchedBrowser;
let service: ToolService;

/** A single-page application of Vue and its router, built by Vite for production, in a real browser. */
describe.skipIf(browserPath === undefined)(`a built web application${why}`, () => {
  beforeAll(async () => {
    built = await buildApplication();
    server = serve(built);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    origin = `http://127.0.0.1:${String(typeof address === "object" && address !== null ? address.port : 0)}`;
    launcher = createLauncher();
    browser = await launchBrowser(launcher, {
      executable: browserPath ?? "",
      signal: new AbortController().signal,
      lifetimeMs: 600_000,
      startupMs: 120_000,
      sandbox: process.getuid?.() === 0 ? "disabled" : "enabled",
      url: `${origin}/about-us`,
    });
    service = createRuntime({
      env: {},
      identity: { package_name: "rea", package_version: "0.0.0", server_path: "/rea" },
      tools,
      home: directory(),
      log: { level: "silent" },
    });
  });
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

  async function page(): Promise<{ readonly cdp_endpoint: string; readonly target_id: string }> {
    for (;;) {
      const { targets } = webTargetListSchema.parse((await call("list_browser_targets", { cdp_endpoint: browser.endpoint })).result);
      const found = targets.items.find(({ url }) => url.startsWith(origin));
      if (found !== undefined) return { cdp_endpoint: browser.endpoint, target_id: found.target_id };
    }
  }

  it("shows its chunks, routes, endpoints and source maps as its build made them", async () => {
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(built, ".vite", "manifest.json"), "utf8")));
    const target = await page();
    // The application is up when its page has asked for what it shows.
    while (!requests.includes("/api/v2/products")) await new Promise((resolve) => setTimeout(resolve, 50));
    const reply = await call("analyze_web_bundle", { ...target, fetch_source_maps: true, analysis_limits: { mappings: 100_000 } });
    expect(JSON.stringify(reply.result).length * 2).toBeLessThan(24 * 1024);
    const summary = webBundleSummarySchema.parse(reply.result);
    const analysis = webBundleAnalysisSchema.parse(service.host.ports.ledger.whole(summary.analysis.sha256)?.content);
    const { chunks, routes, endpoints, source_maps: maps } = analysis.observations;

    const loaded = Object.values(manifest).map(({ file }) => `${origin}/${file}`).filter((url) => chunks.some(({ kind, name }) => kind === "script" && name === url));
    const notLoaded = Object.values(manifest).filter(({ file }) => file.includes("orders"));
    expect(loaded).toHaveLength(Object.values(manifest).filter(({ file }) => file.endsWith(".js")).length - notLoaded.length);
    // What was not loaded is known from the code that would load it.
    for (const { file } of notLoaded) expect(chunks).toContainEqual(expect.objectContaining({ kind: "chunk", name: `./${file.replace("assets/", "")}`, basis: "dynamic-import" }));
    expect(notLoaded).toHaveLength(1);

    for (const path of ["/", "/about-us", "/orders/:id"]) expect(routes.map(({ value }) => value)).toContain(path);
    expect(endpoints.some(({ value }) => value.startsWith("/api/v2/products"))).toBe(true);
    expect(endpoints.some(({ value }) => value.startsWith("/api/v2/orders/"))).toBe(true);
    for (const { at } of [...routes, ...endpoints]) expect(at.script_id).toMatch(/^scr_[0-9a-f]{64}$/);

    expect(maps).toHaveLength(loaded.length);
    for (const map of maps) expect(map).toMatchObject({ state: "external", verdict: "complete" });
    expect(analysis.inferences.some(({ value }) => /^vue/i.test(value))).toBe(true);
    expect(analysis.inferences.some(({ kind, value }) => kind === "bundler" && /vite|rollup|rolldown/i.test(value))).toBe(true);
  });

  it("does not fetch maps unless it is told to", async () => {
    const asked = requests.filter((path) => path.endsWith(".map")).length;
    const reply = await call("analyze_web_bundle", await page());
    const { observations, coverage } = webBundleSummarySchema.parse(reply.result);
    for (const map of observations.source_maps.items) expect(map.verdict).toBe("not_read");
    expect(coverage.omissions.some(({ scope, reason }) => scope === "source_maps" && reason === "not_examined")).toBe(true);
    expect(requests.filter((path) => path.endsWith(".map"))).toHaveLength(asked);
  });
});

const requests: string[] = [];

async function buildApplication(): Promise<string> {
  const root = directory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, "."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { resolve } = createRequire(import.meta.url);
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    mode: "production",
    resolve: { alias: { "vue-router": join(resolve("vue-router/package.json"), "../dist/vue-router.mjs"), vue: join(resolve("vue/package.json"), "../dist/vue.runtime.esm-bundler.js") } },
    build: { manifest: true, sourcemap: true, outDir: join(root, "dist") },
  });
  return join(root, "dist");
}

/** Files as they are; every other path is the application's own. */
function serve(root: string): Server {
  return createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    requests.push(path);
    if (path.startsWith("/api/")) {
      response.setHeader("content-type", "application/json");
      response.end('{"items":[]}');
    } else if (path.startsWith("/assets/") && !path.includes("..")) {
      response.setHeader("content-type", path.endsWith(".js") ? "text/javascript" : "application/json");
      response.end(readFileSync(join(root, path)));
    } else {
      response.setHeader("content-type", "text/html");
      response.end(readFileSync(join(root, "index.html")));
    }
  });
}
