import { throwIfAborted, type JsonValue } from "@rea/core";
import type { EngineClock } from "./engine-clock.js";
import { cancelledCall, engineFailed, queueFull, timedOut, type ErrorOf } from "./engine-errors.js";
import type { EngineFrame } from "./engine-protocol.js";
import { PendingRequest, type CallerState, type QueuedRequest } from "./pending-request.js";

const maximumQueued = 32;

/** What a queue does to its connection. */
export interface QueueWire {
  send(line: string): void;
  /** Tells the engine to stop working on a request, where its protocol can. */
  cancel(id: number): void;
}

/** What an engine is busy with, as `binary_session` shows it. */
export interface EngineActivity {
  readonly active: {
    readonly request_id: string;
    readonly operation: string;
    readonly elapsed_ms: number;
    readonly timeout_ms: number;
    /** Other than `waiting`: its caller has gone and the wire is busy still (`timed_out_busy`). */
    readonly caller_state: CallerState;
  } | null;
  readonly queued_requests: number;
}

export interface RequestQueueOptions {
  readonly providerId: string;
  readonly wire: QueueWire;
  readonly clock: EngineClock;
}

/**
 * Requests of one connection, in order, one on the wire and at most 32 behind it. A caller whose deadline passes or who
 * cancels stops waiting at once. What is on the wire stays there until the engine has answered it.
 */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #waiting: PendingRequest[] = [];
  #active: PendingRequest | null = null;
  #nextId = 1;
  #failed: ErrorOf | null = null;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the engine's answer. Throws `provider_unavailable` (`queue_full`, or what ended the connection),
   * `provider_timeout` with the phase `engine_queue` or `engine_request`, `cancelled`, and `execution_failure` with what
   * the engine said.
   */
  async submit(request: QueuedRequest): Promise<JsonValue> {
    const { operation, signal } = request;
    throwIfAborted(signal, operation);
    if (this.#failed !== null) throw this.#failed(operation);
    if (this.#waiting.length >= maximumQueued) throw queueFull(this.#options.providerId)(operation);
    const pending = new PendingRequest(this.#nextId, request, this.#options.clock.now());
    this.#nextId += 1;
    const onAbort = (): void => this.#leave(pending, "cancelled");
    signal.addEventListener("abort", onAbort, { once: true });
    const stopTimer = this.#options.clock.after(request.timeoutMs, () => this.#leave(pending, "timed_out"));
    pending.onSettled([stopTimer, () => signal.removeEventListener("abort", onAbort)]);
    this.#waiting.push(pending);
    this.#pump();
    return pending.answer;
  }

  /** Takes what the engine said; false when it has nothing to do with the request on the wire. */
  take(frame: EngineFrame): boolean {
    const active = this.#active;
    if (active === null || frame.id !== active.id) return false;
    if (frame.kind === "progress") {
      if (active.open) active.request.onProgress?.(frame.progress);
      return true;
    }
    this.#active = null;
    if (frame.kind === "answer") active.resolve(frame.result);
    else active.reject(engineFailed(this.#options.providerId, active.request.operation, frame.failure));
    this.#pump();
    return true;
  }

  /** Ends all requests, and every later one, with the same reason. The first reason stays. */
  fail(error: ErrorOf): void {
    if (this.#failed !== null) return;
    this.#failed = error;
    const all = [...(this.#active === null ? [] : [this.#active]), ...this.#waiting.splice(0)];
    this.#active = null;
    for (const pending of all) pending.reject(error(pending.request.operation));
  }

  /** How many stand before a request that waits; null when it is on the wire, or over. */
  ahead(operationOf: QueuedRequest): number | null {
    const index = this.#waiting.findIndex(({ request }) => request === operationOf);
    return index < 0 ? null : index + 1;
  }

  activity(): EngineActivity {
    return { active: this.#active === null ? null : this.#describe(this.#active), queued_requests: this.#waiting.length };
  }

  #pump(): void {
    while (this.#active === null) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      // Its timer is late, the engine need not be asked any more.
      if (this.#options.clock.now() >= next.deadline) this.#refuse(next, "timed_out", "engine_queue");
      else {
        this.#active = next;
        this.#options.wire.send(next.line);
      }
    }
  }

  #leave(pending: PendingRequest, state: "timed_out" | "cancelled"): void {
    const index = this.#waiting.indexOf(pending);
    if (index >= 0) this.#waiting.splice(index, 1);
    this.#refuse(pending, state, index >= 0 ? "engine_queue" : "engine_request");
    // Nobody wants the answer any more; the wire is free when the engine has said so.
    if (pending === this.#active) this.#options.wire.cancel(pending.id);
  }

  #refuse(pending: PendingRequest, state: "timed_out" | "cancelled", phase: string): void {
    const { operation, timeoutMs } = pending.request;
    pending.reject(state === "cancelled" ? cancelledCall(operation) : timedOut(operation, timeoutMs, phase), state);
  }

  #describe({ id, request, startedAt, state }: PendingRequest): NonNullable<EngineActivity["active"]> {
    return {
      request_id: String(id),
      operation: request.operation,
      elapsed_ms: Math.round(this.#options.clock.now() - startedAt),
      timeout_ms: request.timeoutMs,
      caller_state: state,
    };
  }
}
