import { throwIfAborted, z } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import type { BrowserSandbox } from "./browsers/browser-flags.js";
import { chooseBrowser } from "./browsers/find-browsers.js";
import { launchBrowser, type BrowserCleanup } from "./browsers/launch-browser.js";
import { discover, type DiscoveredTarget } from "./protocol/discovery.js";
import { frameTreeReply } from "./page/frame-map.js";
import { parseEndpoint, type Endpoint } from "./protocol/endpoint.js";
import { observationError, reasonOf } from "./protocol/failures.js";
import { admitPage, attachPage } from "./targets/attach.js";

const operation = "show_page";
/** Where browsers are told to listen when nobody says otherwise. */
const customaryEndpoints = ["http://127.0.0.1:9222", "http://[::1]:9222"];
const lifetimeMs = 15 * 60_000;
const appearMs = 30_000;
const loadMs = 15_000;
const pollMs = 50;

export interface ShowRequest {
  readonly url: string;
  readonly sandbox: BrowserSandbox;
  readonly launcher: ProcessLauncher;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
}

/** A page that shows what was asked for, ready to be looked at. */
export interface ShownPage {
  readonly endpoint: string;
  readonly targetId: string;
  /** Whether the page was open before, in a browser that is not ours. */
  readonly found: boolean;
  readonly limitations: readonly string[];
  /** Ends the browser if it is ours; null where there is nothing to end. */
  close(): Promise<BrowserCleanup | null>;
}

/** The page of a running browser that shows the URL, or else a browser of our own with a profile that goes with it. */
export async function showPage(request: ShowRequest): Promise<ShownPage> {
  const running = await findRunning(request);
  return running ?? startOwn(request);
}

async function findRunning({ url, signal }: ShowRequest): Promise<ShownPage | undefined> {
  for (const endpoint of customaryEndpoints) {
    const parsed = parseEndpoint(endpoint, { operation, field: "endpoint" });
    const targets = await targetsOf(parsed, signal);
    const found = targets?.find((target) => target.type === "page" && sameAddress(target.url, url));
    if (found !== undefined) {
      return { endpoint, targetId: found.id, found: true, limitations: ["The page was open in a browser that runs already; it may show what its user did there."], close: () => Promise.resolve(null) };
    }
  }
  return undefined;
}

/** Undefined where nothing listens, or something else does. */
async function targetsOf(endpoint: Endpoint, signal: AbortSignal): Promise<readonly DiscoveredTarget[] | undefined> {
  try {
    return (await discover({ endpoint, operation, signal })).targets;
  } catch (error) {
    if (reasonOf(error) === "cancelled" || reasonOf(error) === undefined) throw error;
    return undefined;
  }
}

function sameAddress(left: string, right: string): boolean {
  return URL.canParse(left) && URL.canParse(right) && withoutFragment(left) === withoutFragment(right);
}

function withoutFragment(text: string): string {
  const url = new URL(text);
  url.hash = "";
  return url.href;
}

async function startOwn({ url, sandbox, launcher, environment, signal }: ShowRequest): Promise<ShownPage> {
  const { path } = chooseBrowser({ platform: process.platform, environment });
  const browser = await launchBrowser(launcher, { executable: path, signal, lifetimeMs, sandbox, url, environment });
  try {
    const endpoint = parseEndpoint(browser.endpoint, { operation, field: "endpoint" });
    const target = await appeared(endpoint, signal);
    await loaded(endpoint, target, signal);
    return { endpoint: endpoint.url, targetId: target.id, found: false, limitations: browser.limitations, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function appeared(endpoint: Endpoint, signal: AbortSignal): Promise<DiscoveredTarget> {
  const deadline = performance.now() + appearMs;
  while (performance.now() < deadline) {
    throwIfAborted(signal, operation);
    const targets = await targetsOf(endpoint, signal);
    const page = targets?.find(({ type }) => type === "page");
    if (page !== undefined && /^https?:/i.test(page.url)) return page;
    if (page !== undefined && /^chrome-error:/i.test(page.url)) throw unreachable();
    await pause(pollMs);
  }
  throw observationError({ operation, reason: "timeout", message: `The browser did not show the page within ${String(appearMs)} ms. Check that the address answers.`, phase: "load", timeoutMs: appearMs });
}

const lifecycle = z.looseObject({ name: z.string(), loaderId: z.string() });

/**
 * Waits until the network of the page's document is quiet, or for a time; pages that never rest are looked at as they are.
 * The list of targets shows the address that was asked for, also while the blank page before it, or the browser's own error
 * page, is there.
 */
async function loaded(endpoint: Endpoint, target: DiscoveredTarget, signal: AbortSignal): Promise<void> {
  const page = await admitPage({ endpoint, operation, signal, targetId: target.id, supports: (url) => /^https?:/i.test(url) });
  const attached = await attachPage(page);
  const deadline = performance.now() + loadMs;
  const quiet = new Set<string>();
  try {
    attached.session.on("Page.lifecycleEvent", lifecycle, ({ name, loaderId }) => {
      if (name === "networkIdle") quiet.add(loaderId);
    });
    await attached.session.enable("Page");
    // What the document has been through already is told again.
    await attached.session.tell("Page.setLifecycleEventsEnabled", { enabled: true });
    for (;;) {
      throwIfAborted(signal, operation);
      const { frame } = (await attached.session.command("Page.getFrameTree", {}, frameTreeReply)).frameTree;
      if (/^chrome-error:/i.test(frame.url)) throw unreachable();
      const isThere = /^https?:/i.test(frame.url);
      if ((isThere && quiet.has(frame.loaderId)) || performance.now() > deadline) return;
      await pause(pollMs);
    }
  } finally {
    await attached.close();
  }
}

function unreachable(): Error {
  return observationError({ operation, reason: "endpoint_unreachable", message: "The browser could not load the page. Check that the address answers." });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
