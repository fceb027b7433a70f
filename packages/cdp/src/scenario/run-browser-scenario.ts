import {
  canonicalSha256, coverageOf, jsonObject, omission, ReaError, scenarioStart, throwIfAborted, type BrowserScenario, type BrowserScenarioCapture, type JsonObject, type OperationContext, type ScenarioCleanup, type ScenarioState, type ScenarioStep } from "@rea/core";
import { Connection } from "../protocol/connection.js";
import type { AdmittedPage } from "../targets/attach.js";
import { hasOrigin, originOf, OriginPolicy } from "../targets/origins.js";
import { browserOf, shownTarget } from "../targets/target-list.js";
import { checkScenario } from "./check-scenario.js";
import type { Deadline } from "./deadline.js";
import { EventLog } from "./event-log.js";
import { openBrowser, plannedOrigins, type OpenedBrowser, type ScenarioHost } from "./open-browser.js";
import { PageControl } from "./page-control.js";
import { PageWords } from "./page-words.js";
import { performAction } from "./perform-action.js";
import { preparePage } from "./prepare-page.js";
import { noState, StateReader, type SaveScreenshot, type StepState } from "./read-step-state.js";
import { RequestGate } from "./request-gate.js";
import { ScenarioPage } from "./scenario-page.js";
import { scenarioMethods } from "./scenario-methods.js";
import { readSecrets, type Secrets } from "./secrets.js";
import type { StepFailed } from "./step-failed.js";
import { watchBrowser } from "./watch-browser.js";
import { cleanupIncomplete } from "../cleanup-incomplete.js";

const operation = "capture_browser_scenario";

export interface BrowserScenarioOptions extends OperationContext {
  readonly scenario: BrowserScenario;
  readonly host: ScenarioHost;
  readonly save: SaveScreenshot;
}

/**
 * Runs one scenario in one page and returns everything that was seen. A step that fails ends the run and is told in it.
 * Throws `invalid_request` for what cannot be run, what launching or connecting throws, `cancelled` and `cleanup_incomplete`.
 * What the run launched is over when this returns or throws.
 */
export async function runBrowserScenario(options: BrowserScenarioOptions): Promise<BrowserScenarioCapture> {
  const { scenario, host, signal, progress } = options;
  checkScenario(scenario, operation);
  const secrets = readSecrets(scenario, host.environment, operation);
  progress.report({ phase: "browser", completed: 0, total: scenario.actions.length + 1, message: "Starting or finding the browser." });
  const opened = await openBrowser(scenario, host, { operation, signal });
  let cleanup: ScenarioCleanup | null = null;
  try {
    const run = new ScenarioRun(options, secrets, opened);
    const seen = await run.run();
    cleanup = await opened.close();
    throwIfAborted(signal, operation);
    return run.capture(seen, cleanup);
  } catch (error) {
    cleanup ??= await opened.close();
    throw cleanup.state === "incomplete" ? incomplete(error, cleanup) : error;
  }
}

interface Seen {
  readonly startedAt: Date;
  readonly steps: readonly ScenarioStep[];
  readonly failed: boolean;
  readonly limited: number;
}

class ScenarioRun {
  readonly #options: BrowserScenarioOptions;
  readonly #secrets: Secrets;
  readonly #opened: OpenedBrowser;
  readonly #words: PageWords;
  readonly #origins: readonly string[];
  readonly #policy: OriginPolicy;
  readonly #started = performance.now();
  readonly #log: EventLog;
  readonly #gate: RequestGate;
  #reader: StateReader | null = null;
  #page: ScenarioPage | null = null;

  constructor(options: BrowserScenarioOptions, secrets: Secrets, opened: OpenedBrowser) {
    const { scenario } = options;
    this.#options = options;
    this.#secrets = secrets;
    this.#opened = opened;
    this.#words = new PageWords(secrets, scenario);
    this.#origins = originsOf(scenario, opened);
    // A document without an origin of its own, such as the empty first one, belongs to the scenario.
    this.#policy = new OriginPolicy([...this.#origins, "null"]);
    this.#log = new EventLog({ kinds: new Set(scenario.capture.events), limit: scenario.capture.limits.events, policy: this.#policy, words: this.#words, now: () => this.#now(), mainFrame: () => this.#page?.frameId ?? "" });
    this.#gate = new RequestGate(this.#policy, scenario.request_replay, {
      onReplayed: (id) => this.#log.replayed(id),
      onUnmatched: ({ method, url, resourceType }) => {
        if (scenario.capture.events.includes("network")) this.#log.add({ kind: "blocked_request", reason: "unmatched_replay", method: this.#words.word(method), url: this.#words.url(url), resource_type: this.#words.word(resourceType) });
      },
    });
  }

  async run(): Promise<Seen> {
    const { signal, scenario } = this.#options;
    const startedAt = new Date();
    const connection = await Connection.open({ url: this.#opened.browserSocket, allow: scenarioMethods, operation, signal });
    try {
      const page = await ScenarioPage.attach({ connection, targetId: this.#opened.target.id, operation, signal });
      this.#page = page;
      this.#log.enter(scenarioStart);
      void this.#opened.launched?.ended.then(() => page.end("browser_exited"));
      await watchBrowser({ connection, page, opened: this.#opened, log: this.#log, words: this.#words, policy: this.#policy, events: scenario.capture.events });
      const prepared = await preparePage({ page, scenario, gate: this.#gate, log: this.#log, words: this.#words, secrets: this.#secrets, userAgent: this.#opened.found.version.user_agent, owned: this.#opened.launched !== null });
      this.#reader = new StateReader({ page, admitted: this.#admitted(), scenario, secrets: this.#secrets, words: this.#words, save: this.#options.save });
      const steps = await this.#steps(page);
      await page.world.release();
      await page.session.end();
      return { startedAt, steps, failed: steps.some(({ outcome }) => outcome === "failed"), limited: prepared.limited() };
    } finally {
      connection.close();
    }
  }

  capture({ startedAt, steps, failed, limited }: Seen, cleanup: ScenarioCleanup): BrowserScenarioCapture {
    const { scenario } = this.#options;
    const { launched, found } = this.#opened;
    const events = this.#log.events;
    const recorded = recordedScenario(scenario);
    const reasons = this.#reasons(failed, limited);
    const dropped = this.#log.dropped;
    return {
      schema_version: 1,
      kind: "browser-scenario",
      browser: {
        ...browserOf(found),
        mode: scenario.browser.mode,
        executable_sha256: launched?.executable.sha256 ?? null,
        headless: launched?.headless ?? null,
        sandbox: launched?.sandbox ?? null,
      },
      scenario: recorded,
      scenario_sha256: canonicalSha256(recorded),
      allowed_origins: [...this.#origins],
      started_at: startedAt.toISOString(),
      ended_at: new Date().toISOString(),
      outcome: failed ? "failed" : "completed",
      steps: [...steps],
      events,
      completeness: { equality_eligible: reasons.length === 0, reasons, dropped_events: dropped, aborted_requests: this.#gate.aborted },
      coverage: this.#coverage(),
      limitations: [...limitationsOf(scenario, this.#secrets), ...(launched?.limitations ?? [])],
      cleanup,
    };
  }

  /** Why the run cannot prove to be equal to another one. */
  #reasons(failed: boolean, limited: number): BrowserScenarioCapture["completeness"]["reasons"] {
    const unmatched = this.#log.events.some(({ kind }) => kind === "blocked_request");
    const found = {
      step_failed: failed,
      events_dropped: this.#log.dropped > 0,
      state_incomplete: this.#reader?.incomplete === true,
      attach_limited: limited > 0,
      replay_incomplete: unmatched,
      secret_withheld: this.#reader?.secretWithheld === true,
    };
    return (["step_failed", "events_dropped", "state_incomplete", "attach_limited", "replay_incomplete", "secret_withheld"] as const).filter((reason) => found[reason]);
  }

  #coverage(): BrowserScenarioCapture["coverage"] {
    const { dropped } = this.#log;
    const { aborted } = this.#gate;
    return coverageOf([
      ...(dropped > 0 ? [omission("events", "limit_items", { count: dropped, how_to_continue: "Raise capture.limits.events." })] : []),
      ...(aborted > 0 ? [omission("network", "filtered", { count: aborted, how_to_continue: "Name the origins in allowed_origins." })] : []),
      ...(this.#reader?.incomplete === true ? [omission("steps", "limit_items", { how_to_continue: "Raise capture.limits of what is partial." })] : []),
    ]);
  }

  async #steps(page: ScenarioPage): Promise<ScenarioStep[]> {
    const { scenario, progress } = this.#options;
    const { actions, capture } = scenario;
    const control = new PageControl(page.session, page.world);
    const steps: ScenarioStep[] = [await this.#firstStep(page)];
    let failed = false;
    for (const [index, action] of actions.entries()) {
      const base = { step_id: action.step_id, type: action.type };
      if (failed) {
        steps.push({ ...base, ...noState, outcome: "not_run", failure: null, matches: null, started_ms: this.#now(), ended_ms: this.#now() });
        continue;
      }
      this.#log.enter(action.step_id);
      progress.report({ phase: "steps", completed: index + 1, total: actions.length + 1, message: "Acting in the page." });
      const started = this.#now();
      control.matches = null;
      const failure = await this.#attempt(page, () => performAction(action, { page, control, secrets: this.#secrets }, this.#deadline(page)));
      failed = failure !== null;
      const last = failed || index === actions.length - 1;
      const state = await this.#state(page, [...capture.after_each_step, ...(last ? capture.at_end : [])]);
      failed = failed || state.failure !== null;
      const told = failure ?? state.failure;
      steps.push({ ...base, ...state.state, outcome: told === null ? "completed" : "failed", failure: told?.failure ?? null, matches: failure?.matches ?? control.matches, started_ms: started, ended_ms: this.#now() });
    }
    return steps;
  }

  async #firstStep(page: ScenarioPage): Promise<ScenarioStep> {
    const { state } = await this.#state(page, this.#options.scenario.capture.after_each_step);
    return { step_id: scenarioStart, type: scenarioStart, ...state, outcome: "completed", failure: null, matches: null, started_ms: 0, ended_ms: this.#now() };
  }

  async #attempt(page: ScenarioPage, work: () => Promise<void>): Promise<StepFailed | null> {
    try {
      await work();
      return null;
    } catch (error) {
      return page.failureOf(error);
    }
  }

  /** States of a page that is over cannot be read; of one that fails while it is read, what came is lost with it. */
  async #state(page: ScenarioPage, states: readonly ScenarioState[]): Promise<{ readonly state: StepState; readonly failure: StepFailed | null }> {
    const reader = this.#reader;
    if (reader === null || states.length === 0 || page.over !== null) return { state: noState, failure: null };
    try {
      return { state: await reader.read(new Set(states)), failure: null };
    } catch (error) {
      reader.incomplete = true;
      return { state: noState, failure: page.failureOf(error) };
    }
  }

  #deadline(page: ScenarioPage): Deadline {
    const { total_ms: total, step_ms: step } = this.#options.scenario.capture.limits;
    const [ofAll, ofStep] = [this.#started + total, performance.now() + step];
    return { at: Math.min(ofAll, ofStep), failure: ofAll <= ofStep ? "time_limit" : "timeout", check: page.check };
  }

  #admitted(): AdmittedPage {
    const { context, found, target, browserSocket } = this.#opened;
    return {
      context,
      browser: browserOf(found),
      target: shownTarget(target, found),
      targetId: target.id,
      policy: this.#policy,
      allowedOrigins: this.#origins,
      socket: { url: browserSocket, ofBrowser: true },
      limitations: [],
    };
  }

  #now(): number {
    return Math.max(0, Math.round(performance.now() - this.#started));
  }
}

function originsOf(scenario: BrowserScenario, { target }: OpenedBrowser): string[] {
  const planned = plannedOrigins(scenario);
  const connected = scenario.browser.mode === "connect" && hasOrigin(target.url) ? [originOf(target.url)] : [];
  return scenario.allowed_origins === undefined ? [...new Set([...connected, ...planned])] : planned;
}

/** Paths are left out: equal scenarios give equal records. Values of secrets were never in it. */
function recordedScenario(scenario: BrowserScenario): JsonObject {
  const { browser } = scenario;
  const told = browser.mode === "launch" ? { mode: browser.mode, headless: browser.headless, sandbox: browser.sandbox } : { mode: browser.mode };
  const plain: unknown = JSON.parse(JSON.stringify({ ...scenario, browser: told }));
  return jsonObject.parse(plain);
}

function limitationsOf({ browser }: BrowserScenario, secrets: Secrets): string[] {
  return [
    "Locators look into the main frame and its open shadow roots; frames inside it are captured, not acted in.",
    "Service workers are kept from starting, and dialogs are dismissed.",
    browser.mode === "launch"
      ? "Requests are held one by one; sockets are not, but only hosts of the allowed origins are found, whatever the port."
      : "Requests are held one by one; sockets are not.",
    ...(browser.mode === "connect" ? ["The browser was there before: its profile is not fresh, and downloads and popups of the page are told but not prevented."] : []),
    ...(secrets.none ? [] : ["A secret is hidden in its plain, percent-encoded, JSON, markup and base64 forms; a page that transforms it otherwise can still show it."]),
  ];
}

function incomplete(error: unknown, { resources }: ScenarioCleanup): ReaError {
  return cleanupIncomplete(error, { operation, happened: "The scenario was cut short, and not all that it had started is gone.", resources });
}
