import { throwIfAborted, type JsonValue, type OperationContext } from "@rea/core";
import type { ProcessLauncher } from "../launcher.js";
import type { LineageObservation } from "../lineage-observation.js";
import { hostClock } from "./engine-clock.js";
import { engineClosed } from "./engine-errors.js";
import type { EngineCloseOutcome, EngineResource } from "./engine-holdings.js";
import type { EngineSpec } from "./engine-spec.js";
import { SharedEngineStart } from "./engine-start.js";
import type { Engine, EngineCall } from "./engine.js";
import { openEngine } from "./open-engine.js";
import type { EngineActivity } from "./request-queue.js";

/** What an engine has to answer before it is asked anything; the same as for `openEngine`. */
export type EngineReady = (engine: Engine, leftMs: number, context: OperationContext) => Promise<void>;

/** Ends an engine, or a start that failed, once more and says what is left. */
type Burial = () => Promise<EngineCloseOutcome>;

/**
 * An engine that the first call starts and that later calls share; after its death the next call starts another. This is
 * what an adapter's client holds: it has nothing to add but its operations. Owned: close it.
 */
export class OnDemandEngine {
  readonly #launcher: ProcessLauncher;
  readonly #spec: EngineSpec;
  readonly #ready: EngineReady;
  #start: SharedEngineStart | null = null;
  #engine: Engine | null = null;
  /** Ways to end what has ended but has not been seen to leave nothing. */
  readonly #unburied = new Set<Burial>();
  #lineage: LineageObservation | null = null;
  #closed = false;

  constructor(launcher: ProcessLauncher, spec: EngineSpec, ready: EngineReady = () => Promise.resolve()) {
    this.#launcher = launcher;
    this.#spec = spec;
    this.#ready = ready;
  }

  /** An engine is up and can be asked. False before the first call, while one starts, and after its death. */
  get alive(): boolean {
    return this.#engine?.state === "alive";
  }

  /**
   * Asks the engine, starting one when none is up; the call's own deadline begins when it is. Throws what starting and
   * asking throw. Callers that come during a start wait for it together; it is given up when all of them are cancelled.
   */
  async call(call: EngineCall, context: OperationContext): Promise<JsonValue> {
    return (await this.start(context)).call(call, context);
  }

  /** The running engine, started when there is none. */
  async start(context: OperationContext): Promise<Engine> {
    for (;;) {
      if (this.#closed) throw engineClosed(this.#spec.providerId)("start_engine");
      const running = this.#engine;
      if (running?.state === "alive") return running;
      if (running !== null) this.#retire(running);
      const start = (this.#start ??= this.#begin());
      if (!start.abandoned) return start.join(context);
      // Nobody wanted that one any more; a new one begins when it is cleared away.
      await untilOver(start, context.signal);
    }
  }

  /** What it is busy with; a start shows as `start_engine`. */
  activity(): EngineActivity {
    if (this.#engine !== null) return this.#engine.activity();
    if (this.#start === null) return { active: null, queued_requests: 0 };
    const elapsed = Math.round(hostClock.now() - this.#start.startedAt);
    const active = { request_id: "0", operation: "start_engine", elapsed_ms: elapsed, timeout_ms: this.#spec.startupMs, caller_state: "waiting" as const };
    return { active, queued_requests: 0 };
  }

  /** The last observation of the newest engine that was observed: dated, and nothing about now. */
  lineage(): LineageObservation | null {
    return this.#engine?.lineage() ?? this.#lineage;
  }

  /** Gives up a start, ends the engine and says what is left, also of earlier ones; what was left is tried again by the next call. */
  async close(): Promise<Pick<EngineCloseOutcome, "resources">> {
    this.#closed = true;
    this.#start?.abandon();
    await this.#start?.engine.catch(() => undefined);
    if (this.#engine !== null) this.#retire(this.#engine);
    const left = await Promise.all([...this.#unburied].map((burial) => this.#bury(burial)));
    return { resources: left.flat() };
  }

  #begin(): SharedEngineStart {
    const spec: EngineSpec = { ...this.#spec, onIncomplete: (again) => void this.#unburied.add(again) };
    const open = (context: OperationContext): Promise<Engine> =>
      openEngine(this.#launcher, spec, context, (engine, leftMs) => this.#ready(engine, leftMs, context));
    const start = new SharedEngineStart(open, hostClock.now());
    const over = (): void => {
      if (this.#start === start) this.#start = null;
    };
    void start.engine.then((engine) => {
      this.#engine = engine;
      over();
    }, over);
    return start;
  }

  #retire(engine: Engine): void {
    if (this.#engine === engine) this.#engine = null;
    const burial = async (): Promise<EngineCloseOutcome> => {
      const outcome = await engine.close();
      this.#lineage = engine.lineage() ?? this.#lineage;
      return outcome;
    };
    this.#unburied.add(burial);
    void this.#bury(burial);
  }

  async #bury(burial: Burial): Promise<readonly EngineResource[]> {
    const { resources } = await burial();
    if (resources.length === 0) this.#unburied.delete(burial);
    return resources;
  }
}

async function untilOver({ engine }: SharedEngineStart, signal: AbortSignal): Promise<void> {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  signal.addEventListener("abort", leave, { once: true });
  await Promise.race([engine.then(() => undefined, () => undefined), left]);
  signal.removeEventListener("abort", leave);
  throwIfAborted(signal, "start_engine");
}
