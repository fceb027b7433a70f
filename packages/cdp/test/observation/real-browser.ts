import { silentProgress, type OperationContext } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import { findBrowsers, launchBrowser, listBrowserTargets, parseEndpoint, type LaunchedBrowser } from "../../src/index.js";

/** The browser of this host that tests run against; undefined when there is none. */
const browserPath = findBrowsers({ platform: process.platform, environment: process.env }).browsers[0]?.path;

/** Why tests with a real browser are not run. */
export const skipReason = browserPath === undefined ? "no browser of Chromium's family on this host" : undefined;

export interface RunningBrowser {
  readonly browser: LaunchedBrowser;
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Without its sandbox where tests run as root, which browsers refuse otherwise. */
export async function startBrowser(url: string): Promise<RunningBrowser> {
  const launcher = createLauncher();
  const browser = await launchBrowser(launcher, {
    executable: browserPath ?? "",
    signal: new AbortController().signal,
    lifetimeMs: 600_000,
    startupMs: 120_000,
    sandbox: process.getuid?.() === 0 ? "disabled" : "enabled",
    url,
  });
  return {
    browser,
    endpoint: browser.endpoint,
    close: async () => {
      await browser.close();
      await launcher.close();
    },
  };
}

export function context(signal: AbortSignal = new AbortController().signal): OperationContext {
  return { signal, progress: silentProgress };
}

/** Waits until a page with this URL is there and has a title that says it has loaded. */
export async function pageOf(endpoint: string, url: string): Promise<string> {
  for (;;) {
    const asked = { endpoint: parseEndpoint(endpoint, { operation: "test", field: "cdp_endpoint" }), operation: "test", signal: new AbortController().signal };
    const { targets } = await listBrowserTargets(asked, { offset: 0, limit: 200 });
    const found = targets.items.find((target) => target.url.startsWith(url));
    if (found !== undefined) return found.target_id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
