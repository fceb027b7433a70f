import { setTimeout as sleep } from "node:timers/promises";
import { ReaError, throwIfAborted } from "@rea/core";
import { runHostProgram, type Engine, type EngineLaunch, type EngineSession, type EngineSpec, type ProcessLauncher } from "@rea/lineage";
import type { Target } from "@rea/provider";
import { hopperProtocol } from "../bridge/hopper-protocol.js";
import { foreignWindows, watchForDialogs } from "../display/dialog-watch.js";
import { openPrivateDisplay, type PrivateDisplay } from "../display/private-display.js";
import { findLauncher, type HopperHost } from "../find-launcher.js";
import { standardStartupMs, type HopperEnvironment, type HopperSettings } from "../hopper-settings.js";
import { launcherVersion } from "../launcher-version.js";
import { bootstrapScript } from "./bootstrap.js";
import { bridgeDirectory } from "./bridge-directory.js";
import { hopperEnvironment } from "./hopper-environment.js";
import { startFailure } from "./start-failure.js";

export interface HopperSessionOptions {
  readonly env: HopperEnvironment;
  readonly settings: HopperSettings;
  readonly host: HopperHost;
  readonly launcher: ProcessLauncher;
  readonly parents: readonly string[] | undefined;
  readonly target: Target;
  /** What the binding names; another launcher is not started under its name. */
  readonly version: string;
  readonly loaderArguments: readonly string[];
  readonly runId: string;
}

/** How Hopper is started for one target, and what is checked once it has connected. */
export class HopperSession {
  readonly spec: EngineSpec;
  readonly #options: HopperSessionOptions;
  #display: PrivateDisplay | null = null;
  #watch = new AbortController();

  constructor(options: HopperSessionOptions) {
    this.#options = options;
    const { settings, host, parents } = options;
    this.spec = {
      providerId: "hopper",
      protocol: hopperProtocol,
      startupMs: settings.startupMs ?? standardStartupMs,
      // On macOS the launcher hands the file to the application, which is the user's and not ours.
      handsOver: host.platform === "darwin",
      prepare: (session) => this.#prepare(session),
      ...(parents === undefined ? {} : { parents }),
    };
  }

  /** For the time after the bridge has connected: whose windows these are, and no more looking out for dialogs. */
  async checkDisplay(engine: Engine): Promise<void> {
    const display = this.#display;
    if (display === null) return;
    const observed = await engine.observe();
    if (observed.status !== "verified") throw startFailure("process_ownership_mismatch", { what: "launcher", lineage: observed.reason });
    const pids = new Set([engine.run.pid, ...observed.descendants.map(({ pid }) => pid)]);
    const foreign = await foreignWindows(display.connection, pids).catch(() => null);
    if (foreign === null) throw startFailure("private_display_unavailable");
    if (foreign.length > 0) throw startFailure("process_ownership_mismatch", { what: "window", windows: foreign.length });
  }

  /** Stops looking at the display; the display itself goes with the engine. */
  release(): void {
    this.#watch.abort();
    this.#display?.connection.close();
    this.#display = null;
  }

  async #prepare(session: EngineSession): Promise<EngineLaunch> {
    const { settings, host, version, env } = this.#options;
    this.release();
    this.#watch = new AbortController();
    const search = findLauncher(settings, host);
    if (!search.found) throw new ReaError("provider_unavailable", { message: search.reason, details: { provider_id: "hopper", reason: search.code } });
    if ((await launcherVersion(search.path, session.signal)) !== version) throw otherVersion();
    const { directory } = session;
    const temporary = await directory.makeDirectory("temporary");
    const runtime = await directory.makeDirectory("runtime");
    const bootstrap = await this.#writeBootstrap(session);
    const display = search.displayProgram === null ? null : await this.#openDisplay(session, search.displayProgram);
    if (host.platform === "darwin") await this.#wakeApplication(search.path, session.signal);
    throwIfAborted(session.signal, "start_engine");
    return {
      executable: search.path,
      byGivenName: true,
      arguments: this.#arguments(bootstrap),
      environment: hopperEnvironment(env, { temporary, runtime, display }),
      workingDirectory: directory.path,
    };
  }

  #arguments(bootstrap: string): string[] {
    const { target, loaderArguments } = this.#options;
    const subject = target.kind === "database" ? "--database" : "--executable";
    return [...loaderArguments, "--analysis", "--python", bootstrap, subject, target.path];
  }

  async #writeBootstrap({ directory, endpoint, token }: EngineSession): Promise<string> {
    const { target, runId } = this.#options;
    return directory.writeFile("bootstrap.py", bootstrapScript({ endpoint, token, runId, target, bridge: bridgeDirectory() }));
  }

  async #openDisplay(session: EngineSession, program: string): Promise<PrivateDisplay> {
    const display = await openPrivateDisplay({
      launcher: this.#options.launcher,
      program,
      writeFile: (name, content) => session.directory.writeFile(name, content),
      workingDirectory: session.directory.path,
      signal: session.signal,
      started: (server) => session.keep(server),
    });
    this.#display = display;
    const signal = AbortSignal.any([session.signal, this.#watch.signal]);
    signal.addEventListener("abort", () => display.connection.close(), { once: true });
    void display.server.ended.then(() => session.fail(startFailure("private_display_unavailable", { server_exited: true })));
    void watchForDialogs({ connection: display.connection, patienceMs: this.#options.host.dialogPatienceMs, signal, found: (error) => session.fail(error) });
    return display;
  }

  /** An application that is cold takes the first file it is given badly; it is started hidden before. */
  async #wakeApplication(launcher: string, signal: AbortSignal): Promise<void> {
    const [bundle] = /^.*?\.app(?=\/)/.exec(launcher) ?? [];
    const { opener } = this.#options.host;
    if (bundle === undefined || opener === null) return;
    const operation = "start_engine";
    await runHostProgram(this.#options.launcher, { tool: "open", executable: opener, arguments: ["-g", "-j", "-a", bundle], signal, operation });
    await sleep(settleMs, undefined, { signal });
  }
}

const settleMs = 1_000;

function otherVersion(): ReaError {
  return new ReaError("provider_unavailable", {
    message: "The Hopper launcher is another one than when the target was opened. Open the target again.",
    details: { provider_id: "hopper", reason: "version_changed" },
  });
}
