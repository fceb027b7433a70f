import { ReaError, type BrowserScenario, type OperationContext, type ScenarioCleanup } from "@rea/core";
import type { ProcessLauncher } from "@rea/lineage";
import { chooseBrowser } from "../browsers/find-browsers.js";
import { launchBrowser, type BrowserCleanup, type LaunchedBrowser } from "../browsers/launch-browser.js";
import { discover, type DiscoveredTarget, type DiscoveryContext } from "../protocol/discovery.js";
import { parseEndpoint } from "../protocol/endpoint.js";
import { observationError } from "../protocol/failures.js";
import { originOf } from "../targets/origins.js";
import { survey, type Surveyed } from "../targets/target-list.js";

export interface ScenarioHost {
  readonly launcher: ProcessLauncher;
  readonly environment: { readonly [name: string]: string | undefined };
}

/** The browser of a scenario, with the page it begins in. */
export interface OpenedBrowser {
  readonly context: DiscoveryContext;
  readonly found: Surveyed;
  readonly target: DiscoveredTarget;
  readonly browserSocket: string;
  /** Null for a browser that was there before. */
  readonly launched: LaunchedBrowser | null;
  /** Ends what is ours. */
  close(): Promise<ScenarioCleanup>;
}

const connectedCleanup: ScenarioCleanup = { state: "proven", ownership_proof: null, resources: [] };
/** Beside the scenario's own time: for the start and for the last looks. */
const spareMs = 60_000;
const pollMs = 20;

/** Launches or finds the browser. Throws what launching throws, and observation errors. */
export async function openBrowser(scenario: BrowserScenario, host: ScenarioHost, { operation, signal }: { readonly operation: string; readonly signal: OperationContext["signal"] }): Promise<OpenedBrowser> {
  const { browser } = scenario;
  if (browser.mode === "launch") return launchOwn(scenario, host, { operation, signal });
  const endpoint = parseEndpoint(browser.cdp_endpoint, { operation, field: "scenario.browser.cdp_endpoint" });
  const context = { endpoint, operation, signal };
  const found = await survey(context);
  const target = found.targets.find(({ id }) => id === browser.target_id);
  if (target === undefined) throw observationError({ operation, reason: "target_not_found", message: "The endpoint has no target with this target_id. List the targets again." });
  if (target.type !== "page") throw observationError({ operation, reason: "target_not_allowed", message: "The target is not a page. List the targets and choose one that the list names." });
  if (found.attached.get(target.id) === true) throw observationError({ operation, reason: "target_not_allowed", message: "Another client is attached to this target. Close it (developer tools count as one), and call again." });
  return { context, found, target, browserSocket: requireSocket(found, operation), launched: null, close: () => Promise.resolve(connectedCleanup) };
}

/** Origins that the scenario may ask, without the one of a connected page. */
export function plannedOrigins({ allowed_origins: given, actions }: BrowserScenario): string[] {
  return given ?? [...new Set(actions.flatMap((action) => (action.type === "goto" ? [originOf(action.url)] : [])))];
}

async function launchOwn(scenario: BrowserScenario, { launcher, environment: variables }: ScenarioHost, { operation, signal }: { readonly operation: string; readonly signal: AbortSignal }): Promise<OpenedBrowser> {
  const { browser, capture, environment } = scenario;
  if (browser.mode !== "launch") throw new Error("Only a browser to launch is launched.");
  const executable = browser.executable_path ?? chooseBrowser({ platform: process.platform, environment: variables }).path;
  const { viewport } = environment;
  const launched = await launchBrowser(launcher, {
    executable,
    signal,
    lifetimeMs: capture.limits.total_ms + spareMs,
    headless: browser.headless,
    sandbox: browser.sandbox,
    environment: variables,
    hosts: plannedOrigins(scenario).flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : [])),
    ...(viewport === undefined ? {} : { window: { width: viewport.width, height: viewport.height } }),
  });
  try {
    const context = { endpoint: parseEndpoint(launched.endpoint, { operation, field: "endpoint" }), operation, signal };
    const { found, target } = await firstPage(context, launched);
    return { context, found, target, browserSocket: requireSocket(found, operation), launched, close: async () => told(await launched.close()) };
  } catch (error) {
    const { resources } = await launched.close();
    if (resources.length === 0) throw error;
    throw new ReaError("cleanup_incomplete", {
      message: "The browser did not come up, and not all of it could be removed. Details list what remains.",
      details: { operation, cleanup: "incomplete", resources: resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })) },
      cause: error,
    });
  }
}

function told({ resources, ...outcome }: BrowserCleanup): ScenarioCleanup {
  return { ...outcome, resources: resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })) };
}

/** A browser tells its port a little before it has a page. */
async function firstPage(context: DiscoveryContext, launched: LaunchedBrowser): Promise<{ readonly found: Surveyed; readonly target: DiscoveredTarget }> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const discovered = await discover(context);
    const target = discovered.targets.find(({ type }) => type === "page");
    if (target !== undefined) return { found: { ...discovered, attached: new Map() }, target };
    if (performance.now() > deadline || launched.exit() !== null) {
      throw observationError({ operation: context.operation, reason: "target_not_found", message: "The browser that was launched has no page. Try it by hand, or name another one." });
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function requireSocket({ browserSocket }: Surveyed, operation: string): string {
  if (browserSocket !== null) return browserSocket;
  throw observationError({ operation, reason: "invalid_endpoint_response", message: "The endpoint has no socket of the browser as a whole, without which requests cannot be held. Use a browser." });
}
