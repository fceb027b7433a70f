import { StringDecoder } from "node:string_decoder";
import type { ChildExit, EndedRun, OwnedProcess } from "@rea/lineage";
import type { ProgressReporter, ReactiveAction } from "@rea/core";
import type { NormalizedOutput, OutputToNormalize } from "../normalize/normalized-view.js";
import { ProcessSampler } from "../processes/process-sampler.js";
import { ReactiveDriver } from "../reactive/reactive-driver.js";
import { FrameRecorder } from "../terminal/frame-recorder.js";
import { ScreenThread } from "../terminal/screen-thread.js";
import { TraceReader } from "../trace/tracer.js";
import { Checkpoints } from "./checkpoints.js";
import { dispatchedEvents, type ReactiveEvent } from "./dispatched-events.js";
import type { FileObserver } from "./file-observer.js";
import { IdleWatch } from "./idle-watch.js";
import { Interactions } from "./interactions.js";
import type { PreparedCapture } from "./prepared-capture.js";
import type { Recording } from "./recording.js";
import { settle } from "./settlement.js";
import { Ticker } from "./ticker.js";

export interface LiveParts {
  readonly prepared: PreparedCapture;
  readonly recording: Recording;
  readonly files: FileObserver;
  readonly signal: AbortSignal;
  readonly progress: ProgressReporter;
}

/** Output written right before the end is read within this time. */
const lastOutputMs = 10;
const maximumReplyBytes = 65_536;

/** A program under observation, from its start to the moment when nothing of it is left. */
export class LiveCapture {
  readonly frames: FrameRecorder;
  readonly #parts: LiveParts;
  readonly #screen: ScreenThread;
  readonly #checkpoints: Checkpoints;
  readonly #idle: IdleWatch;
  readonly #decoder = new StringDecoder("utf8");
  readonly #started: Promise<OwnedProcess>;
  readonly #timers: NodeJS.Timeout[] = [];
  #startedWith: (run: OwnedProcess) => void = () => undefined;
  #run: OwnedProcess | null = null;
  #sampler: ProcessSampler | null = null;
  #ticker: Ticker | null = null;
  #trace: TraceReader | null = null;
  #interactions: Interactions | null = null;
  #reactive: ReactiveDriver | null = null;
  /** What the program wrote before the reactive scenario began: a program that waits for an answer writes nothing more. */
  #early = "";
  #work: Promise<void> = Promise.resolve();
  readonly #failures: unknown[] = [];
  #nextEvent = 0;
  #exited = false;
  #endedByItself = false;
  #endedBy: "idle" | "deadline" | "finished" | null = null;
  #replyBytes = 0;

  constructor(parts: LiveParts) {
    const { prepared, recording } = parts;
    const { scenario, redactor } = prepared;
    this.#parts = parts;
    this.#started = new Promise((resolve) => (this.#startedWith = resolve));
    this.frames = new FrameRecorder({ redactor, limits: scenario.limits, onFrame: (frame) => recording.journal.push("frames", recording.frames, frame) });
    this.#screen = new ScreenThread({
      ...scenario.terminal,
      redactor,
      reply: (data) => this.#reply(data),
      pressure: (high) => this.#run?.terminal?.reading(!high),
    });
    this.#checkpoints = new Checkpoints(scenario.checkpoints, (name) => void this.#queue(() => this.#checkpoint(name)));
    this.#idle = new IdleWatch(scenario.idle_timeout_ms, () => this.#end("idle"));
  }

  get sampler(): ProcessSampler | null {
    return this.#sampler;
  }

  get trace(): TraceReader | null {
    return this.#trace;
  }

  /** The program is being ended, so what waits its turn is not to hold that up. */
  get #ending(): boolean {
    if (this.#endedByItself) return false;
    const { recording, prepared, signal } = this.#parts;
    return this.#endedBy !== null || signal.aborted || recording.now() >= prepared.scenario.timeout_ms;
  }

  readonly onOutput = (bytes: Buffer): void => {
    this.frames.take(bytes, this.#parts.recording.now());
    this.#screen.write(bytes);
    this.#idle.touch();
    const text = this.#decoder.write(bytes);
    this.#checkpoints.text(text);
    if (this.#reactive !== null) this.#reactive.text(text);
    else if (this.#parts.prepared.scenario.reactive !== undefined) this.#early += text;
  };

  /** Called by the run when the program has ended by will: what it left is watched until it settles. */
  readonly afterExit = async (exit: ChildExit): Promise<void> => {
    await this.#started;
    const { recording, prepared, signal } = this.#parts;
    const exitedAtMs = recording.now();
    this.#exited = true;
    this.#endedByItself = true;
    this.#idle.stop();
    this.#run?.terminal?.reading(true);
    await pause(lastOutputMs);
    recording.end({ ...exit, reason: "exited", at_ms: exitedAtMs });
    await this.#stopEvents();
    this.#checkpoints.event("root_exit");
    this.event("root_exit");
    await this.#ticker?.stop();
    const { sampler } = this;
    if (sampler !== null) recording.settle(await settle(() => sampler.sample("settling"), prepared.scenario.settle_ms, signal));
    this.#checkpoints.event("settled");
    this.event("settled");
    await this.#reactive?.idle();
    await this.#work;
  };

  /** Settles when what the program shows can be drawn: what prepares that does not slow the program down. */
  ready(): Promise<void> {
    return this.#screen.ready;
  }

  /** Something that a reactive scenario may wait for. */
  event(kind: ReactiveEvent, name: string | null = null): void {
    this.#reactive?.event(kind, name);
  }

  /** The program runs: everything that is to happen to it begins. */
  begin(run: OwnedProcess): void {
    const { prepared, recording, progress } = this.#parts;
    const { scenario, redactor, tracer } = prepared;
    const hide = (text: string): string => redactor.text(text);
    recording.begin();
    const startedAt = Date.now();
    this.#run = run;
    const sampler = new ProcessSampler({
      run,
      maximumProcesses: scenario.limits.processes,
      now: recording.now,
      hide,
      instruments: new Set(tracer === null ? [] : [run.executable.path]),
      onSample: (sample) => recording.journal.push("process_samples", recording.samples, sample),
      onProcess: (program) => this.event("process_observed", program),
    });
    this.#sampler = sampler;
    if (tracer !== null) {
      this.#trace = new TraceReader({
        log: tracer.log,
        startedAt: () => startedAt,
        hide,
        numberOf: (pid) => sampler.numberOf(pid),
        onEvent: (event) => recording.journal.push("syscall_events", recording.syscalls, event),
      });
    }
    this.#interactions = new Interactions({ run, recording, screen: this.#screen, redactor, over: () => this.#exited || this.#ending });
    this.#beginReactive();
    this.#ticker = new Ticker(
      async () => {
        await sampler.sample("running");
        this.#trace?.read();
        progress.report({ phase: "running", completed: recording.now(), message: "The program runs." });
      },
      (round) => (round < 10 ? 20 : 50),
    );
    // In a namespace, or under a tracer, what was started is not the program.
    if (tracer === null && scenario.isolation === "none") sampler.begin([prepared.executable, ...scenario.arguments]);
    this.#ticker.start();
    this.#idle.start();
    this.#checkpoints.begin();
    for (const event of scenario.events) this.#timers.push(setTimeout(() => void this.#queue(() => this.#dispatch(event)), event.at_ms));
    this.#startedWith(run);
  }

  /** The run is over: what remains to be seen is seen, and everything stops. */
  async end({ reason, exit }: EndedRun): Promise<void> {
    const { recording, files } = this.#parts;
    this.#exited = true;
    await this.#stopWatching();
    this.frames.end(recording.now());
    const by = this.#endedBy ?? (reason === "timeout" ? "deadline" : null);
    recording.end({ ...exit, reason: by === "idle" ? "idle_timeout" : by === "deadline" ? "timeout" : "exited", at_ms: recording.now() });
    recording.settle({ state: this.#sampler?.unreadable === true ? "unverifiable" : "alive_at_deadline", elapsed_ms: 0 });
    if (this.#endedBy === "finished") recording.limit("The program still ran when its scenario had finished, and was ended.");
    if (this.#reactive !== null) {
      if (this.#reactive.run().outcome !== "finished") this.#reactive.control("target_lost");
      if (this.#reactive.exhausted) recording.limit("The reactive scenario took as many transitions as one may take.");
      recording.follow(this.#reactive.run());
    }
    await recording.look(this.#screen, { trigger: "final" });
    await files.look("after", recording);
    this.#trace?.close();
    const [failure] = this.#failures;
    if (failure !== undefined) throw failure instanceof Error ? failure : new Error("The capture failed.", { cause: failure });
    for (const name of this.#checkpoints.close()) recording.limit(`Checkpoint ${name} was not reached.`);
  }

  /** What was written, normalised off this thread; to be asked between `end` and `close`. */
  normalize(output: OutputToNormalize): Promise<NormalizedOutput> {
    return this.#screen.normalize(output);
  }

  /** Stops everything that was begun; safe to call twice and after a failure. */
  async close(): Promise<void> {
    // A screen that is still being drawn is not waited for.
    await this.#screen.close();
    await this.#stopWatching().catch(() => undefined);
    this.#checkpoints.close();
    this.#trace?.close();
  }

  async #stopWatching(): Promise<void> {
    this.#idle.stop();
    await this.#stopEvents();
    await this.#ticker?.stop();
    await this.#reactive?.close();
    await this.#work;
  }

  /** What was still to happen is recorded as not having met the program any more. */
  async #stopEvents(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    await this.#work;
    const { events } = this.#parts.prepared.scenario;
    for (const event of this.#interactions === null ? [] : events.slice(this.#nextEvent)) await this.#dispatch(event);
  }

  async #dispatch(event: PreparedCapture["scenario"]["events"][number]): Promise<void> {
    this.#nextEvent += 1;
    this.#idle.touch();
    await this.#interactions?.scheduled(event);
  }

  #beginReactive(): void {
    const { prepared, recording } = this.#parts;
    const { reactive: scenario } = prepared.scenario;
    if (scenario === undefined) return;
    this.#reactive = new ReactiveDriver({
      scenario,
      now: recording.now,
      captureOrder: () => recording.journal.last,
      perform: (action) => this.#perform(action),
      ended: (outcome) => {
        const driver = this.#reactive;
        if (driver !== null) recording.follow(driver.run());
        if (outcome === "finished") void driver?.idle().then(() => this.#end("finished"));
        else if (outcome === "state_deadline" || outcome === "scenario_deadline") this.#end("deadline");
      },
    });
    this.#reactive.text(this.#early);
    this.#early = "";
  }

  async #perform(action: ReactiveAction): Promise<"dispatched" | "target_exited" | "failed"> {
    this.#idle.touch();
    if (action.kind === "checkpoint") {
      await this.#queue(() => this.#checkpoint(action.name));
      return "dispatched";
    }
    const outcome = (await this.#interactions?.decided(action)) ?? "failed";
    if (this.#reactive !== null) this.#parts.recording.follow(this.#reactive.run());
    if (outcome === "dispatched") this.event(dispatchedEvents[action.kind]);
    return outcome;
  }

  async #checkpoint(name: string): Promise<void> {
    const { recording, files } = this.#parts;
    if (this.#ending) return recording.limit(`Checkpoint ${name} came when the program was being ended, and was left out.`);
    await recording.look(this.#screen, { trigger: "checkpoint", checkpoint: name });
    await files.look(name, recording);
    this.event("checkpoint", name);
  }

  #end(by: "idle" | "deadline" | "finished"): void {
    if (this.#exited) return;
    this.#endedBy ??= by;
    void this.#run?.close();
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => void (this.#failures.push(error)));
    return this.#work;
  }

  /** A terminal answers what it is asked; one that nobody reads any more answers no more. */
  #reply(data: string): void {
    const bytes = Buffer.from(data);
    if (this.#exited || this.#replyBytes + bytes.length > maximumReplyBytes) return;
    this.#replyBytes += bytes.length;
    void this.#run?.terminal?.write(bytes).then(() => (this.#replyBytes -= bytes.length));
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
