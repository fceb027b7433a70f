import { isReaError, ReaError, throwIfAborted, type ProcessCapture } from "@rea/core";
import { openExecutable, type EndedRun, type OwnedProcess, type StartRequest } from "@rea/lineage";
import { showPath } from "../filesystem/effects.js";
import { FileObserver } from "./file-observer.js";
import { finishCapture } from "./finish-capture.js";
import { LiveCapture } from "./live-capture.js";
import { makeOwnedDirectory, type OwnedDirectory } from "./owned-directory.js";
import { partialObservation } from "./partial-observation.js";
import { prepareCapture, startCompanions, type CaptureOptions, type Companions, type PreparedCapture } from "./prepared-capture.js";
import { Recording } from "./recording.js";
import { operation, scenarioRefusal } from "./scenario-refusal.js";

export interface FinishedCapture {
  readonly capture: ProcessCapture;
  /** Real path and digest of the program that was run. */
  readonly executable: { readonly path: string; readonly sha256: string };
}

/**
 * Runs one scenario and returns everything that was seen of it. Throws `invalid_request`, `target_unavailable` and
 * `unsupported_host` for what cannot be run, `cancelled` and `cleanup_incomplete`, and `process_capture_failed` with what
 * had been seen when something else fails after the start. A program that fails is no failure.
 */
export async function captureProcess(options: CaptureOptions): Promise<FinishedCapture> {
  const own = await makeOwnedDirectory();
  try {
    return await new Capture(options, own, prepareCapture(options, own)).run();
  } finally {
    own.remove();
  }
}

class Capture {
  readonly #options: CaptureOptions;
  readonly #own: OwnedDirectory;
  readonly #prepared: PreparedCapture;
  readonly #recording = new Recording();
  readonly #files: FileObserver;
  readonly #live: LiveCapture;
  #run: OwnedProcess | null = null;
  #ended: EndedRun | null = null;

  constructor(options: CaptureOptions, own: OwnedDirectory, prepared: PreparedCapture) {
    const { redactor, roots, scenario } = prepared;
    this.#options = options;
    this.#own = own;
    this.#prepared = prepared;
    this.#files = new FileObserver({ roots, own: own.root, limits: scenario.limits, show: showPath((text) => redactor.text(text)), signal: options.signal });
    this.#live = new LiveCapture({ prepared, recording: this.#recording, files: this.#files, signal: options.signal, progress: options.progress });
  }

  async run(): Promise<FinishedCapture> {
    const { progress, signal } = this.#options;
    const recording = this.#recording;
    let companions: Companions | null = null;
    try {
      throwIfAborted(signal, operation);
      const traced = this.#prepared.tracer === null ? null : await lookAt(this.#prepared.executable, signal);
      progress.report({ phase: "looking", completed: 0, message: "Looking at the observed directories." });
      await this.#files.look("before", recording);
      companions = await startCompanions(this.#prepared, recording, {
        onShim: (event) => {
          recording.journal.push("shim_events", recording.shims, event);
          this.#live.event("shim_called", event.name);
        },
        onProtocol: (kind) => this.#live.event("protocol_event", kind),
      });
      await this.#live.ready();
      return await this.#observe(companions, traced);
    } catch (error) {
      throw await this.#failure(error);
    } finally {
      await this.#live.close();
      await companions?.close();
    }
  }

  async #observe(companions: Companions, traced: FinishedCapture["executable"] | null): Promise<FinishedCapture> {
    const { host } = this.#options;
    const startedAt = new Date();
    const run = await host.launcher.start(this.#startRequest(companions.environment)).catch((error: unknown) => Promise.reject(named(error)));
    this.#run = run;
    this.#live.begin(run);
    const ended = await run.ended;
    this.#ended = ended;
    refuseCancelled(ended);
    await this.#live.end(ended);
    await companions.close();
    const executable = traced ?? run.executable;
    const capture = await finishCapture({
      prepared: this.#prepared,
      recording: this.#recording,
      live: this.#live,
      files: this.#files,
      companions,
      ended,
      ownership: run.ownership,
      executable,
      removed: this.#own.remove(),
      startedAt,
      version: host.version,
      home: host.environment["HOME"],
    });
    return { capture, executable };
  }

  #startRequest(environment: StartRequest["environment"]): StartRequest {
    const { scenario, executable, tracer, workingDirectory } = this.#prepared;
    const { columns, rows } = scenario.terminal;
    return {
      executable: tracer?.program ?? executable,
      arguments: tracer?.arguments(executable, scenario.arguments) ?? scenario.arguments,
      environment,
      workingDirectory,
      signal: this.#options.signal,
      deadlineMs: scenario.timeout_ms,
      outputBytes: 0,
      isolation: scenario.isolation,
      settleMs: Math.max(250, scenario.settle_ms),
      byGivenName: true,
      terminal: { columns, rows, onOutput: this.#live.onOutput },
      afterExit: this.#live.afterExit,
    };
  }

  /** The error a failure becomes: with what had been seen, when the program had been started and nobody cancelled. */
  async #failure(error: unknown): Promise<unknown> {
    const ended = this.#ended ?? (await this.#run?.close()) ?? null;
    if (ended === null || ended.reason === "cancelled") return error;
    return new ReaError("process_capture_failed", {
      message: "The capture failed after the program had been started. Details hold what had been seen; run it again.",
      details: { reason: isReaError(error) ? error.code : "internal", partial_observation: partialObservation(this.#recording, ended) },
      cause: error,
    });
  }
}

function refuseCancelled({ reason, cleanup }: EndedRun): void {
  if (reason !== "cancelled") return;
  if (cleanup.state === "incomplete") {
    throw new ReaError("cleanup_incomplete", {
      message: "The capture was cancelled, but not all of its processes are gone. Details list what remains.",
      details: { operation, cleanup: "incomplete", cause: "cancelled", resources: cleanup.resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })) },
    });
  }
  throw new ReaError("cancelled", {
    message: "The capture was cancelled and its processes are gone. Call it again when the result is wanted.",
    details: { operation, cleanup: "complete" },
  });
}

/** Refusals of a start name fields of the start; the caller knows those of the scenario. */
function named(error: unknown): unknown {
  if (!isReaError(error) || !isRefusal(error)) return error;
  return scenarioRefusal(error.details.issues.map((issue) => ({ ...issue, path: `scenario.${issue.path}` })));
}

function isRefusal(error: ReaError): error is ReaError<"invalid_request"> {
  return error.code === "invalid_request";
}

/** The program that the tracer will run, checked as the tracer itself is when it is started. */
async function lookAt(path: string, signal: AbortSignal): Promise<FinishedCapture["executable"]> {
  const opened = await openExecutable(path, signal);
  await opened.close();
  return { path: opened.path, sha256: opened.sha256 };
}
