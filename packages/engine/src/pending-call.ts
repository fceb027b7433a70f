import type { OperationContext, ReaError } from "@rea/core";
import type { ClientActivity } from "@rea/provider";
import type { WorkerAnswer, WorkerCall, WorkerProgress } from "./worker/messages.js";

/** A call as its caller makes it. */
export interface CallRequest {
  readonly operation: string;
  /** Built when the call is sent, after the calls before it have been answered. */
  readonly build: () => Omit<WorkerCall, "id" | "operation">;
  /** Told of the answer before the next call is sent; not when the caller gave up. */
  readonly accept?: (answer: WorkerAnswer) => void;
}

/** A call from when it is made until its thread has answered, which may be after its caller gave up. */
export class PendingCall {
  readonly id: number;
  readonly operation: string;
  readonly answer: Promise<WorkerAnswer>;
  readonly #request: CallRequest;
  readonly #context: OperationContext;
  readonly #startedAt = performance.now();
  #settle: { resolve: (answer: WorkerAnswer) => void; reject: (error: ReaError) => void } | undefined;
  #cancelled = false;
  #completed = 0;

  constructor(id: number, request: CallRequest, context: OperationContext) {
    this.id = id;
    this.operation = request.operation;
    this.#request = request;
    this.#context = context;
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  message(): WorkerCall {
    return { id: this.id, operation: this.operation, ...this.#request.build() };
  }

  resolve(answer: WorkerAnswer): void {
    if (this.#settle !== undefined) this.#request.accept?.(answer);
    this.#settle?.resolve(answer);
    this.#settle = undefined;
  }

  reject(error: ReaError): void {
    this.#settle?.reject(error);
    this.#settle = undefined;
  }

  cancel(error: ReaError): void {
    this.#cancelled = true;
    this.reject(error);
  }

  /** Passes progress on while somebody waits. Phases count on their own; over the call it only rises. */
  report({ phase, completed, total, message }: WorkerProgress): void {
    if (this.#settle === undefined) return;
    this.#completed = Math.max(this.#completed, completed);
    const known = total !== null && total >= this.#completed;
    const update = { phase, completed: this.#completed, message };
    this.#context.progress.report(known ? { ...update, total } : update);
  }

  describe(): NonNullable<ClientActivity["active"]> {
    return {
      request_id: String(this.id),
      operation: this.operation,
      elapsed_ms: Math.round(performance.now() - this.#startedAt),
      timeout_ms: null,
      caller_state: this.#cancelled ? "cancelled" : "waiting",
    };
  }
}
