import { isReaError, ReaError, throwIfAborted, toReaError, type OperationContext } from "@rea/core";
import type { ProcessLauncher } from "../launcher.js";
import type { OwnedProcess } from "../owned-process.js";
import { hostClock, longestDelayMs } from "./engine-clock.js";
import { EndpointListener, RefusedHandshake } from "./engine-endpoint.js";
import { cancelledCall, directoryRefused, timedOut } from "./engine-errors.js";
import { EngineHoldings, type EngineCloseOutcome } from "./engine-holdings.js";
import type { EngineLaunch, EngineSpec } from "./engine-spec.js";
import { createEngineToken } from "./engine-token.js";
import { Engine } from "./engine.js";
import { ExitWatch } from "./exit-watch.js";
import { PrivateDirectory } from "./private-directory.js";
import { heartbeat, reportRising } from "./rising-progress.js";

const operation = "start_engine";

/** Phases of a start, in order. */
const phases = {
  engine_prepare: "Preparing a private directory for the engine.",
  engine_start: "Starting the engine.",
  engine_connect: "Waiting for the engine to connect.",
  engine_ready: "Waiting for the engine to be ready.",
} as const;
type Phase = keyof typeof phases;

/**
 * Starts an engine and waits until it has shown its token and `ready` is content with it, all within its start-up
 * deadline. `ready` gets what is left of the deadline for its own calls. Throws what starting a program throws, `provider_timeout`
 * with the phase that did not end, `cancelled`, `provider_unavailable` (`engine_exited`, `authentication_failed`) and
 * `unreadable_output`. Whatever it throws, all it had made is gone, or the error is `cleanup_incomplete` and says what is left.
 */
export async function openEngine(
  launcher: ProcessLauncher,
  spec: EngineSpec,
  { signal, progress }: OperationContext,
  ready: (engine: Engine, leftMs: number) => Promise<void> = () => Promise.resolve(),
): Promise<Engine> {
  throwIfAborted(signal, operation);
  const start = new EngineStart(launcher, spec, { signal, progress });
  try {
    return await start.run(ready);
  } catch (error) {
    const failure = failureOf(error);
    const outcome = await start.giveUp();
    if (outcome.state !== "incomplete") throw failure;
    spec.onIncomplete?.(() => start.giveUp());
    throw incomplete(failure, outcome);
  } finally {
    start.settle();
  }
}

class EngineStart {
  readonly #launcher: ProcessLauncher;
  readonly #spec: EngineSpec;
  readonly #context: OperationContext;
  readonly #holdings = new EngineHoldings();
  readonly #token = createEngineToken();
  readonly #exit: ExitWatch;
  /** Rejects with the first thing that ends the start. */
  readonly #failed: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;
  readonly #release: (() => void)[] = [];
  readonly #startedAt: number;
  #engine: Engine | null = null;
  #phase: Phase = "engine_prepare";

  constructor(launcher: ProcessLauncher, spec: EngineSpec, context: OperationContext) {
    this.#launcher = launcher;
    this.#spec = spec;
    this.#context = context;
    this.#exit = new ExitWatch({ providerId: spec.providerId, token: this.#token, handsOver: spec.handsOver === true });
    this.#startedAt = hostClock.now();
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
      const onAbort = (): void => reject(cancelledCall(operation));
      context.signal.addEventListener("abort", onAbort, { once: true });
      const limit = Math.min(spec.startupMs, longestDelayMs);
      const stopTimer = hostClock.after(limit, () => reject(timedOut(operation, spec.startupMs, this.#waitsFor())));
      this.#release.push(stopTimer, () => context.signal.removeEventListener("abort", onAbort));
      void this.#exit.seen.then(async () => reject((await this.#exit.error())(operation)));
      const beat = this.#beat.bind(this);
      this.#release.push(heartbeat({ clock: hostClock, reporter: context.progress, beat, refused: reject }));
    });
    this.#failed.catch(() => undefined);
  }

  async run(ready: (engine: Engine, leftMs: number) => Promise<void>): Promise<Engine> {
    this.#enter("engine_prepare");
    const launch = await this.#prepare();
    this.#enter("engine_start");
    const run = await this.#start(launch);
    this.#enter("engine_connect");
    const { listener } = this.#holdings;
    if (listener === null) throw new Error("no endpoint was made");
    const socket = await this.#unlessFailed(listener.connected);
    this.#holdings.socket = socket;
    this.#enter("engine_ready");
    const engine = new Engine({
      spec: this.#spec,
      clock: hostClock,
      token: this.#token,
      holdings: this.#holdings,
      run,
      exit: this.#exit,
      socket,
      onDeath: (why) => this.#fail(why(operation)),
    });
    this.#engine = engine;
    const leftMs = Math.max(1, this.#spec.startupMs - (hostClock.now() - this.#startedAt));
    await this.#unlessFailed(ready(engine, leftMs));
    await this.#unlessFailed(engine.observe());
    return engine;
  }

  /** Leaves no timer and no listener. */
  settle(): void {
    for (const release of this.#release.splice(0)) release();
  }

  giveUp(): Promise<EngineCloseOutcome> {
    return this.#engine?.close() ?? this.#holdings.release();
  }

  async #prepare(): Promise<EngineLaunch> {
    const { providerId, parents, prepare } = this.#spec;
    const holdings = this.#holdings;
    const preparing = (async (): Promise<EngineLaunch> => {
      const directory = await PrivateDirectory.create(parents);
      holdings.directory = directory;
      throwIfAborted(holdings.signal, operation);
      const listener = await EndpointListener.open({ providerId, directory, token: this.#token });
      holdings.listener = listener;
      if (holdings.signal.aborted) listener.close();
      throwIfAborted(holdings.signal, operation);
      return prepare({
        directory,
        endpoint: listener.endpoint,
        token: this.#token,
        signal: holdings.signal,
        keep: (companion) => void holdings.companions.push(companion),
        fail: (error) => this.#fail(error),
      });
    })();
    holdings.preparing = preparing;
    return this.#unlessFailed(preparing);
  }

  async #start(launch: EngineLaunch): Promise<OwnedProcess> {
    const visible = [launch.executable, ...launch.arguments, ...Object.values(launch.environment)];
    if (visible.some((text) => text.includes(this.#token))) throw new Error("An engine's token belongs into a file.");
    const starting = this.#launcher.start({
      ...launch,
      signal: this.#holdings.signal,
      deadlineMs: longestDelayMs,
      keep: "tail",
      afterExit: this.#exit.note,
    });
    this.#holdings.starting = starting;
    const run = await this.#unlessFailed(starting);
    this.#exit.watch(run);
    return run;
  }

  #unlessFailed<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#failed]);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    reportRising(this.#context.progress, { phase, completed: Object.keys(phases).indexOf(phase), message: phases[phase] });
  }

  #beat(seconds: number): { readonly phase: Phase; readonly message: string } {
    return { phase: this.#phase, message: `${phases[this.#phase]} ${String(seconds)} s since the start.` };
  }

  /** A connection without a handshake is another thing than none. */
  #waitsFor(): string {
    const silent = this.#phase === "engine_connect" && this.#holdings.listener?.contacted === true;
    return silent ? "engine_handshake" : this.#phase;
  }
}

function failureOf(error: unknown): ReaError {
  if (error instanceof RefusedHandshake) return error.reason(operation);
  if (isReaError(error)) return error;
  const errno = errnoOf(error);
  return errno === null ? toReaError(error, operation) : directoryRefused(errno, error);
}

/** What the system said of a file; null for every other error. */
function errnoOf(error: unknown): string | null {
  const code = error instanceof Error && "syscall" in error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}

function incomplete(failure: ReaError, { resources }: EngineCloseOutcome): ReaError {
  return new ReaError("cleanup_incomplete", {
    message: "The engine did not start, and not all of it could be removed. Details list what remains.",
    details: {
      operation,
      cleanup: "incomplete",
      resources: resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })),
      cause: failure.code,
    },
    cause: failure,
  });
}
