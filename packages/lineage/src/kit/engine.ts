import { silentProgress, type JsonObject, type JsonValue, type OperationContext } from "@rea/core";
import type { LineageObservation } from "../lineage-observation.js";
import type { OwnedProcess } from "../owned-process.js";
import { within } from "../within.js";
import { longestDelayMs, type EngineClock } from "./engine-clock.js";
import { encodeRequest } from "./encode-request.js";
import { engineClosed, engineUnavailable, offProtocol, type ErrorOf } from "./engine-errors.js";
import type { EngineHoldings, EngineCloseOutcome } from "./engine-holdings.js";
import type { EngineSpec } from "./engine-spec.js";
import type { ExitWatch } from "./exit-watch.js";
import type { LineEnd, LineSocket } from "./line-socket.js";
import { readFrame } from "./read-frame.js";
import { RequestQueue, type EngineActivity } from "./request-queue.js";
import { heartbeat, reportEngine } from "./rising-progress.js";
import type { QueuedRequest } from "./pending-request.js";

/** One question to an engine. */
export interface EngineCall {
  /** What the caller calls it, for errors and activity. */
  readonly operation: string;
  /** What the engine calls it. */
  readonly method: string;
  readonly params: JsonObject;
  /** Milliseconds; time in the queue counts. */
  readonly timeoutMs: number;
}

/** `dead`: it will answer nothing any more and is being cleaned up; close it and open another. */
export type EngineState = "alive" | "dead" | "closed";

export interface EngineParts {
  readonly spec: EngineSpec;
  readonly clock: EngineClock;
  readonly token: string;
  readonly holdings: EngineHoldings;
  readonly run: OwnedProcess;
  readonly exit: ExitWatch;
  readonly socket: LineSocket;
  /** Told once why it died, in the turn in which that is known. */
  readonly onDeath: (why: ErrorOf) => void;
}

/** An exit is told a little later than the end of its connection, and tells more. */
const exitWithinMs = 200;
const shutdownWithinMs = 200;

/** A running engine and its one connection. Owned: close it, also when it died. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #queue: RequestQueue;
  #state: EngineState = "alive";
  #lineage: LineageObservation | null = null;
  #closing: Promise<EngineCloseOutcome> | null = null;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    const { spec, token, socket, clock, exit } = parts;
    const { cancel } = spec.protocol;
    this.#queue = new RequestQueue({
      providerId: spec.providerId,
      clock,
      wire: {
        send: (line) => socket.writeLine(line),
        cancel: (id) => void (cancel !== undefined && socket.writeLine(JSON.stringify(cancel({ id, token })))),
      },
    });
    socket.handOver({
      maximumLineBytes: spec.protocol.maximumLineBytes,
      line: (bytes) => this.#take(bytes),
      end: (why) => void this.#disconnected(why),
    });
    void exit.seen.then(async () => this.#die(await exit.error()));
  }

  get state(): EngineState {
    return this.#state;
  }

  get run(): Pick<OwnedProcess, "pid" | "executable" | "ownership" | "identity"> {
    return this.#parts.run;
  }

  /**
   * Asks the engine. What it answers is JSON within the bounds of its protocol and otherwise unchecked. Throws what the
   * queue throws, `unreadable_output` when the engine leaves its protocol, and `invalid_request` when the request is too long.
   */
  async call(call: EngineCall, { signal, progress }: OperationContext): Promise<JsonValue> {
    const { spec, token, clock } = this.#parts;
    const { operation, timeoutMs } = call;
    let refused: (error: unknown) => void = () => undefined;
    const misuse = new Promise<never>((_, reject) => (refused = reject));
    const request: QueuedRequest = {
      operation,
      timeoutMs: Math.max(0, Math.min(timeoutMs, longestDelayMs)),
      signal,
      encode: (id) => encodeRequest(spec.protocol, { id, token, method: call.method, params: call.params }, operation),
      onProgress: (update) => reportEngine(progress, update, refused),
    };
    const stop = progress === silentProgress ? null : heartbeat({ clock, reporter: progress, refused, beat: (seconds) => this.#beat(request, seconds) });
    try {
      return await Promise.race([this.#queue.submit(request), misuse]);
    } finally {
      stop?.();
    }
  }

  activity(): EngineActivity {
    return this.#queue.activity();
  }

  /** Looks at its processes now; the observation is kept. */
  async observe(): Promise<LineageObservation> {
    this.#lineage = await this.#parts.run.observe();
    return this.#lineage;
  }

  /** The last observation: dated, and nothing about now. */
  lineage(): LineageObservation | null {
    return this.#lineage;
  }

  /** Fails what waits, asks the engine to end, ends it and says what is left. Single-flight; what was left is tried again. */
  close(): Promise<EngineCloseOutcome> {
    const first = this.#closing;
    if (first !== null) return first.then(({ state }) => (state === "incomplete" ? this.#parts.holdings.release() : first));
    this.#closing = this.#close();
    return this.#closing;
  }

  async #close(): Promise<EngineCloseOutcome> {
    const alive = this.#state === "alive";
    this.#state = "closed";
    this.#queue.fail(engineClosed(this.#parts.spec.providerId));
    if (alive) {
      await this.observe();
      await this.#shutDown();
    }
    return this.#parts.holdings.release();
  }

  async #shutDown(): Promise<void> {
    const { spec, socket, token, exit } = this.#parts;
    const { shutdown } = spec.protocol;
    if (shutdown === undefined) return;
    // No request has this number.
    socket.writeLine(JSON.stringify(shutdown({ id: 0, token })));
    await within(exit.seen, shutdownWithinMs);
  }

  #take(bytes: Buffer): void {
    if (this.#state !== "alive") return;
    const { spec } = this.#parts;
    const read = readFrame(bytes, spec.protocol.frames);
    if ("problem" in read) this.#die(offProtocol(spec.providerId, read.problem));
    else if (!this.#queue.take(read.frame)) this.#die(offProtocol(spec.providerId, "wrong_request_id"));
  }

  async #disconnected(why: LineEnd): Promise<void> {
    const { spec, exit } = this.#parts;
    if (why === "frame_too_long") return this.#die(offProtocol(spec.providerId, why));
    await within(exit.seen, exitWithinMs);
    if (exit.isSeen) return this.#die(await exit.error());
    const message = "The engine closed its connection. Call again to start a fresh one.";
    this.#die(engineUnavailable(spec.providerId, why === "ended" ? "connection_ended" : "connection_ended_mid_line", message));
  }

  /** Nothing of it is believed any more: all callers learn why, and it is ended. */
  #die(error: ErrorOf): void {
    if (this.#state !== "alive") return;
    this.#state = "dead";
    this.#queue.fail(error);
    this.#parts.onDeath(error);
    this.#parts.socket.destroy();
    void this.observe().then(() => this.#parts.holdings.release());
  }

  #beat(request: QueuedRequest, seconds: number): { readonly phase: string; readonly message: string } {
    const ahead = this.#queue.ahead(request);
    if (ahead === null) return { phase: "engine_request", message: `The engine has been asked for ${String(seconds)} s.` };
    return { phase: "engine_queue", message: `Waiting behind ${String(ahead)} other calls of this engine for ${String(seconds)} s.` };
  }
}
