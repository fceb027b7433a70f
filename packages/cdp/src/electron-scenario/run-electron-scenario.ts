import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  canonicalSha256,
  coverageOf,
  escapeUntrusted,
  jsonObject,
  omission,
  ReaError,
  throwIfAborted,
  type ElectronActionResult,
  type ElectronCoverageState,
  type ElectronScenario,
  type ElectronScenarioCapture,
  type JsonObject,
  type OperationContext,
  type ScenarioCleanup,
} from "@rea/core";
import type { EndedRun, OwnedProcess } from "@rea/lineage";
import { browserEnvironment } from "../browsers/browser-environment.js";
import { ProfileDirectory, type ProfileResource } from "../browsers/profile-directory.js";
import type { ScenarioHost } from "../scenario/open-browser.js";
import { pageUrl, pageWord } from "../page/page-text.js";
import { ElectronActions } from "./electron-actions.js";
import { ElectronWindows } from "./electron-windows.js";
import { readFuses } from "./fuses.js";
import { readHookEvents, shortened, type HookEvents } from "./hook-events.js";
import { mainHook } from "./main-hook.js";
import { MainProcess, type HookState } from "./main-process.js";
import { cleanupIncomplete } from "../cleanup-incomplete.js";

const operation = "capture_electron_scenario";
/** For the program to come up, beside what its scenario takes. */
const startMs = 20_000;
const settleMs = 250;

export interface ElectronScenarioOptions extends OperationContext {
  readonly scenario: ElectronScenario;
  readonly host: ScenarioHost;
}

/**
 * Runs an application with a hook in its main process and temporary user data, does the declared actions in its windows, and
 * returns everything that was seen. Throws `invalid_request`, `target_unavailable`, `capability_unavailable` (a switch of the build
 * forbids it), `provider_unavailable`, `provider_timeout`, `cancelled` and `cleanup_incomplete`. What was started is over then.
 */
export async function runElectronScenario(options: ElectronScenarioOptions): Promise<ElectronScenarioCapture> {
  const { scenario, signal } = options;
  const fuses = await readFuses(scenario.executable_path, signal);
  const blocking = fuses.find(({ blocks }) => blocks);
  if (blocking !== undefined) throw forbidden(blocking.name);
  const directory = await ProfileDirectory.create();
  const run = new ElectronRun(options, directory, fuses);
  try {
    await run.act();
  } catch (error) {
    const cleanup = await run.end();
    throw cleanup.state === "incomplete" ? incomplete(error, cleanup) : error;
  }
  const capture = await run.capture();
  throwIfAborted(signal, operation);
  return capture;
}

class ElectronRun {
  readonly #options: ElectronScenarioOptions;
  readonly #directory: ProfileDirectory;
  readonly #fuses: ElectronScenarioCapture["fuses"];
  readonly #windows: ElectronWindows;
  readonly #startedAt = Date.now();
  readonly #actionsAt: number[] = [];
  #run: OwnedProcess | null = null;
  #main: MainProcess | null = null;
  #ended: EndedRun | null = null;
  #exitedEarly = false;
  readonly #actions: ElectronActionResult[] = [];
  #state: HookState | null = null;
  #processes = 0;

  constructor(options: ElectronScenarioOptions, directory: ProfileDirectory, fuses: readonly ElectronScenarioCapture["fuses"][number][]) {
    this.#options = options;
    this.#directory = directory;
    this.#fuses = [...fuses];
    this.#windows = new ElectronWindows(directory.profile, { operation, signal: options.signal }, options.scenario.limits.windows);
  }

  async act(): Promise<void> {
    const { scenario, signal, progress } = this.#options;
    const { limits } = scenario;
    progress.report({ phase: "electron_start", completed: 0, total: scenario.actions.length + 1, message: "Starting the application." });
    const hookPath = join(this.#directory.root, "hook.cjs");
    await writeFile(hookPath, mainHook, { flag: "wx", mode: 0o600 });
    await writeFile(join(this.#directory.root, "hook.json"), JSON.stringify({ runtime: limits.runtime_events, ipc: limits.ipc_events }), { flag: "wx", mode: 0o600 });
    const run = await this.#start();
    void run.ended.then((ended) => {
      this.#ended = ended;
      this.#exitedEarly = ended.reason === "exited";
    });
    this.#main = await MainProcess.hooked({ run, hookPath, timeoutMs: Math.min(startMs, limits.max_duration_ms), operation, signal });
    const actions = new ElectronActions({ windows: this.#windows, main: this.#main, scenario, signal, operation, startedAt: this.#startedAt, over: () => this.#ended !== null });
    for (const [index, action] of scenario.actions.entries()) {
      progress.report({ phase: "actions", completed: index + 1, total: scenario.actions.length + 1, message: "Acting in the application." });
      this.#actionsAt.push(Date.now());
      this.#actions.push(await actions.perform(index, action));
      await this.#count();
    }
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    await this.#windows.look().catch(() => false);
    await this.#count();
    this.#state = await this.#main.state();
    throwIfAborted(signal, operation);
  }

  /** Ends the application and removes what it wrote; safe to call twice. */
  async end(): Promise<ScenarioCleanup> {
    this.#windows.close();
    this.#main?.close();
    const ended = (await this.#run?.close()) ?? null;
    const left = await this.#directory.remove();
    return cleanupOf(ended, left);
  }

  async capture(): Promise<ElectronScenarioCapture> {
    const { scenario } = this.#options;
    const endedAt = new Date();
    const run = this.#run;
    if (run === null) throw new Error("Nothing was started.");
    this.#windows.close();
    this.#main?.close();
    const exitedEarly = this.#exitedEarly;
    const ended = await run.close();
    const { profile, root } = this.#directory;
    const places = [
      { path: profile, word: "«user-data»" },
      { path: root, word: "«run»" },
      { path: scenario.application_path, word: "«application»" },
      { path: dirname(scenario.executable_path), word: "«program»" },
    ];
    const hooked = await readHookEvents(join(root, "events.jsonl"), { startedAt: this.#startedAt, actionsAt: this.#actionsAt, places });
    const cleanup = cleanupOf(ended, await this.#directory.remove());
    const recorded = recordedScenario(scenario);
    const observation = this.#observation(hooked, { exitedEarly, cleanup });
    const failed = this.#actions.some(({ outcome }) => outcome === "failed");
    return {
      schema_version: 1,
      kind: "electron-scenario",
      executable: { name: escapeUntrusted(basename(run.executable.path)), sha256: run.executable.sha256 },
      versions: this.#state?.versions ?? { electron: null, chrome: null, node: null },
      scenario: recorded,
      scenario_sha256: canonicalSha256(recorded),
      started_at: new Date(this.#startedAt).toISOString(),
      ended_at: endedAt.toISOString(),
      outcome: failed ? "failed" : "completed",
      actions: this.#actions,
      windows: this.#windows.seen.map(({ url, title }, window) => ({ window, url: pageUrl(shortened(url, places)), title: pageWord(title) })),
      events: hooked.events,
      dropped_events: this.#state?.dropped ?? { runtime: 0, ipc: 0 },
      processes: { most: this.#processes, limit_reached: this.#processes > scenario.limits.processes },
      exit: { ...ended.exit, by_itself: exitedEarly },
      observation,
      fuses: this.#fuses,
      coverage: coverageOf(observation.includes("complete") ? [] : [omission("events", "analysis_incomplete", { how_to_continue: `See observation: ${observation.join(", ")}.` })]),
      limitations: [
        "The hook sees what goes through the modules of Electron and Node; native code and other processes of the application do not pass it.",
        "Effects outside the application (shell, protocol registration, updates, downloads) were kept from happening, which the application can notice.",
        "The main process stopped once at its first statement, and an inspector stayed attached to it.",
        ...(scenario.args.includes("--no-sandbox") ? ["The application ran without its sandbox, as args say: its pages had the rights of the user that started it."] : []),
      ],
      cleanup,
    };
  }

  async #start(): Promise<OwnedProcess> {
    const { scenario, host, signal } = this.#options;
    const { profile } = this.#directory;
    this.#run = await host.launcher.start({
      executable: scenario.executable_path,
      // Switches of Chromium are read anywhere; those of Node must stand before the application.
      arguments: ["--inspect-brk=0", scenario.application_path, ...scenario.args, "--remote-debugging-port=0", `--user-data-dir=${profile}`],
      environment: browserEnvironment(host.environment, { directory: this.#directory, headless: false }),
      workingDirectory: this.#directory.root,
      signal,
      deadlineMs: scenario.limits.max_duration_ms + startMs,
      byGivenName: true,
    });
    return this.#run;
  }

  async #count(): Promise<void> {
    const snapshot = this.#ended === null ? await this.#run?.snapshot().catch(() => null) : null;
    this.#processes = Math.max(this.#processes, snapshot?.processes.length ?? 0);
  }

  #observation({ events, unreadable }: HookEvents, { exitedEarly, cleanup }: { readonly exitedEarly: boolean; readonly cleanup: ScenarioCleanup }): ElectronCoverageState[] {
    const dropped = this.#state === null ? 0 : this.#state.dropped.runtime + this.#state.dropped.ipc;
    const found: Readonly<Record<Exclude<ElectronCoverageState, "complete">, boolean>> = {
      cleanup_failed: cleanup.state === "incomplete",
      target_exited: exitedEarly,
      hook_conflict: unreadable > 0 || events.some(({ kind, event }) => kind === "hook" && event === "conflict"),
      partial_attach: !events.some(({ kind, event }) => kind === "hook" && event === "attached"),
      capture_truncated: dropped > 0 || this.#windows.truncated || this.#processes > this.#options.scenario.limits.processes,
    };
    const states = (["cleanup_failed", "target_exited", "hook_conflict", "partial_attach", "capture_truncated"] as const).filter((name) => found[name]);
    return states.length === 0 ? ["complete"] : states;
  }
}

function cleanupOf(ended: EndedRun | null, left: readonly ProfileResource[]): ScenarioCleanup {
  const report = ended?.cleanup ?? null;
  const resources = [...(report?.resources ?? []), ...left].map(({ kind, detail }) => ({ kind, detail: { ...detail } }));
  return {
    state: left.length > 0 ? "incomplete" : (report?.state ?? "proven"),
    ownership_proof: report?.ownership_proof ?? null,
    ...(report?.ownership_reason === undefined ? {} : { ownership_reason: report.ownership_reason }),
    resources,
  };
}

/** Without paths, so that equal scenarios give equal records. */
function recordedScenario({ executable_path: _, application_path: __, ...scenario }: ElectronScenario): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(scenario));
  return jsonObject.parse(plain);
}

function forbidden(name: string): ReaError {
  return new ReaError("capability_unavailable", {
    message: `The build-time switch ${name} of this program is off, and it blocks observation of the main process. Use a build in which it is on.`,
    details: { reason: "build_switch", switch: name, blocks: true },
    action: "Observe a build whose fuse for the inspector is on, or look at its pages with inspect_electron_page.",
  });
}

function incomplete(error: unknown, { resources }: ScenarioCleanup): ReaError {
  return cleanupIncomplete(error, { operation, happened: "The application was ended, and not all that it had started is gone.", resources });
}

