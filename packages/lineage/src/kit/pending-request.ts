import type { JsonValue, ReaError } from "@rea/core";
import type { EngineProgress } from "./engine-protocol.js";

/** A request as its caller makes it. */
export interface QueuedRequest {
  readonly operation: string;
  /** From the moment it is made; time in the queue counts. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The line for the wire; throws what makes the request impossible. */
  readonly encode: (id: number) => string;
  readonly onProgress?: (progress: EngineProgress) => void;
}

/** What became of the caller; the wire may be busy for longer than anybody waits. */
export type CallerState = "waiting" | "timed_out" | "cancelled";

interface Settle {
  readonly resolve: (value: JsonValue) => void;
  readonly reject: (error: ReaError) => void;
}

/** A request from when it is made until the engine has answered it, which may be after its caller has gone. */
export class PendingRequest {
  readonly id: number;
  readonly request: QueuedRequest;
  readonly line: string;
  readonly startedAt: number;
  readonly answer: Promise<JsonValue>;
  #state: CallerState = "waiting";
  #settle: Settle | null = null;
  #release: readonly (() => void)[] = [];

  constructor(id: number, request: QueuedRequest, startedAt: number) {
    this.id = id;
    this.request = request;
    this.line = request.encode(id);
    this.startedAt = startedAt;
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  get state(): CallerState {
    return this.#state;
  }

  /** Somebody still waits for it. */
  get open(): boolean {
    return this.#settle !== null;
  }

  get deadline(): number {
    return this.startedAt + this.request.timeoutMs;
  }

  /** What is to be let go of once nobody waits any more: its timer and its listener. */
  onSettled(release: readonly (() => void)[]): void {
    this.#release = release;
  }

  resolve(value: JsonValue): void {
    const settle = this.#close();
    settle?.resolve(value);
  }

  reject(error: ReaError, state: CallerState = "waiting"): void {
    const settle = this.#close();
    if (settle !== null) this.#state = state;
    settle?.reject(error);
  }

  #close(): Settle | null {
    const settle = this.#settle;
    this.#settle = null;
    for (const release of this.#release) release();
    this.#release = [];
    return settle;
  }
}
