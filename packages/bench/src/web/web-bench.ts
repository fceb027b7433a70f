import { performance } from "node:perf_hooks";
import { findBrowsers, launchBrowser, listBrowserTargets, parseEndpoint } from "@rea/cdp";
import { createLauncher } from "@rea/lineage";
import { ServerProcess } from "../server-process.js";
import { startBenchSite } from "./bench-site.js";

const rounds = 15;
const windowMs = 500;

/** Figures of looking at a page through the built server, against what they should be. */
export async function runWebBench(): Promise<void> {
  const executable = findBrowsers().browsers[0]?.path;
  if (executable === undefined) {
    console.log("skipped: no browser of Chromium's family on this host");
    return;
  }
  const site = await startBenchSite();
  const launcher = createLauncher();
  const sandbox = process.getuid?.() === 0 ? ("disabled" as const) : ("enabled" as const);
  const browser = await launchBrowser(launcher, { executable, url: `${site.origin}/`, sandbox, signal: new AbortController().signal, lifetimeMs: 600_000, startupMs: 120_000 });
  const server = new ServerProcess();
  try {
    await server.initialize();
    const target = await pageOf(browser.endpoint, site.origin);
    // What the page does once is over then.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await figures(server, { cdp_endpoint: browser.endpoint, target_id: target });
  } finally {
    await server.end();
    await browser.close();
    await launcher.close();
    site.close();
  }
}

async function figures(server: ServerProcess, page: { readonly cdp_endpoint: string; readonly target_id: string }): Promise<void> {
  const { cdp_endpoint } = page;
  const lines = [
    await figure("list_browser_targets", 150, () => server.call("list_browser_targets", { cdp_endpoint })),
    await figure("inspect_web_page beyond its window", 400, () => server.call("inspect_web_page", { ...page, observation_ms: windowMs }), windowMs),
    await figure("inspect_web_page with everything, beyond its window", 400, () => server.call("inspect_web_page", { ...page, observation_ms: windowMs, include: everything }), windowMs),
    await figure("capture_web_screenshot", null, () => server.call("capture_web_screenshot", page)),
  ];
  console.log(lines.join("\n"));
  const text = textBytes(await server.call("inspect_web_page", { ...page, observation_ms: windowMs }));
  console.log(`text of inspect_web_page: ${String(text)} bytes (at most 24576)`);
}

const everything = ["accessibility_text", "console_text", "json_body_shapes", "websocket_shapes", "script_sources", "storage_keys", "storage_fingerprints"];

/** Medians; the first round warms up and is not counted. */
async function figure(label: string, mostMs: number | null, run: () => Promise<string>, withoutMs = 0): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const reply = await run();
    if (/"isError":true/.test(reply)) throw new Error(`${label} failed: ${reply.slice(0, 500)}`);
    if (round > 0) times.push(performance.now() - start - withoutMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => String(Math.round(times[Math.floor((times.length - 1) * share)] ?? 0));
  return `${label}: median ${at(0.5)} ms, lowest ${at(0)}, highest ${at(1)}${mostMs === null ? "" : ` (at most ${String(mostMs)})`}`;
}

/** Bytes of the text block of a reply, as it is on the wire without its escapes. */
function textBytes(reply: string): number {
  const text = /"text":("(?:[^"\\]|\\.)*")/.exec(reply)?.[1];
  if (text === undefined) throw new Error("the reply has no text");
  const plain: unknown = JSON.parse(text);
  return typeof plain === "string" ? Buffer.byteLength(plain) : 0;
}

async function pageOf(endpoint: string, origin: string): Promise<string> {
  for (;;) {
    const asked = { endpoint: parseEndpoint(endpoint, { operation: "bench", field: "endpoint" }), operation: "bench", signal: new AbortController().signal };
    const { targets } = await listBrowserTargets(asked, { offset: 0, limit: 100 });
    const found = targets.items.find(({ url }) => url.startsWith(origin));
    if (found !== undefined) return found.target_id;
  }
}
