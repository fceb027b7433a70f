import type { Worker } from "node:worker_threads";
import { ReaError, reaErrorFromObject, throwIfAborted, toReaError, type OperationContext } from "@rea/core";
import type { ClientActivity } from "@rea/provider";
import { standardHeapMegabytes, startThread, type EngineThread } from "./engine-thread.js";
import { PendingCall, type CallRequest } from "./pending-call.js";
import { workerReplySchema, type WorkerAnswer, type WorkerReply, type WorkerSetup, type WorkerTarget } from "./worker/messages.js";

const maxQueued = 32;

export interface EngineWorkerOptions {
  /** Module of the thread. */
  readonly entry?: URL;
  /** How long a cancelled call may go on before its thread is ended. */
  readonly graceMs?: number;
  /** How long closing waits for an analysis that is being written to the cache. */
  readonly keepMs?: number;
  readonly heapMegabytes?: number;
}

// Beside this module when built or bundled; a test that runs from the sources uses the last build.
const workerModule = new URL(import.meta.url.endsWith(".ts") ? "../dist/worker.js" : "./worker.js", import.meta.url);
const standard = { entry: workerModule, graceMs: 2000, keepMs: 5000, heapMegabytes: standardHeapMegabytes } as const;

/**
 * The worker thread of one target, started on first use and again after it died. Calls run one at a time in order.
 * An idle thread never keeps the process alive.
 */
export class EngineWorker {
  readonly #target: WorkerTarget;
  readonly #options: Required<EngineWorkerOptions>;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #queue: PendingCall[] = [];
  #active: PendingCall | undefined;
  #thread: Worker | undefined;
  #grace: NodeJS.Timeout | undefined;
  #nextId = 1;
  #closed = false;
  #keeping = 0;
  #allKept: (() => void) | undefined;
  #waiting: Promise<void> | undefined;
  #early: EngineThread | undefined;
  /** Told in a sentence what became of the analysis cache. */
  readonly notes = new Set<(text: string) => void>();

  /** `early`: a running thread to begin with. */
  constructor(target: WorkerTarget, options: EngineWorkerOptions = {}, early?: EngineThread) {
    this.#target = target;
    this.#early = early;
    this.#options = { ...standard, ...options };
  }

  /**
   * Runs one call. Throws `cancelled` as soon as the signal aborts, `provider_unavailable` when the queue is full, the
   * thread died or was closed, and whatever typed error the operation throws.
   */
  async call(request: CallRequest, context: OperationContext): Promise<WorkerAnswer> {
    throwIfAborted(context.signal, request.operation);
    if (this.#closed) throw unavailable("closed", "The analysis of this target was closed. Open the target again.");
    if (this.#queue.length >= maxQueued) {
      throw unavailable("queue_full", "Too many calls wait for this target. Call again when some have been answered.");
    }
    const pending = new PendingCall(this.#nextId++, request, context);
    const onAbort = (): void => this.#abort(pending);
    context.signal.addEventListener("abort", onAbort, { once: true });
    this.#queue.push(pending);
    this.#pump();
    try {
      return await pending.answer;
    } finally {
      context.signal.removeEventListener("abort", onAbort);
    }
  }

  /** Starts the thread before the first call, so that it loads its modules while the caller prepares one. */
  warm(): void {
    if (this.#closed || this.#thread !== undefined) return;
    this.#start();
  }

  activity(): ClientActivity {
    return { active: this.#active?.describe() ?? null, queued_requests: this.#queue.length };
  }

  /** Fails what waits, lets an idle thread finish keeping its analysis for a while, and ends it; safe to call twice. */
  async close(): Promise<void> {
    this.#closed = true;
    const idle = this.#active === undefined;
    this.#failAll(unavailable("closed", "The analysis of this target was closed. Open the target again."));
    if (idle) await this.#untilKept();
    const thread = this.#thread ?? this.#early?.worker;
    this.#early = undefined;
    this.#forgetThread();
    await thread?.terminate();
  }

  #pump(): void {
    if (this.#active !== undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) {
      this.#thread?.unref();
      return;
    }
    this.#active = next;
    const thread = this.#thread ?? this.#start();
    thread.ref();
    thread.postMessage(next.message());
  }

  #start(): Worker {
    const early = this.#early?.isRunning() === true ? this.#early : undefined;
    this.#early = undefined;
    const thread = (early ?? startThread(this.#options)).worker;
    const setup: WorkerSetup = { target: this.#target, cancelledCall: this.#cancelled.buffer };
    this.#thread = thread;
    thread.postMessage(setup);
    thread.on("message", (message: unknown) => this.#onMessage(thread, message));
    thread.on("error", (error) => this.#onDeath(thread, died(error)));
    thread.on("exit", () => this.#onDeath(thread, died(undefined)));
    return thread;
  }

  #onMessage(thread: Worker, message: unknown): void {
    const { data: reply } = workerReplySchema.safeParse(message);
    if (reply === undefined) {
      void thread.terminate();
      this.#onDeath(thread, died(undefined));
      return;
    }
    if (thread !== this.#thread) return;
    if (reply.kind === "kept") this.#onKept();
    else if (reply.kind === "note") for (const tell of this.notes) tell(reply.text);
    else this.#onReply(reply);
  }

  #onReply(reply: Exclude<WorkerReply, { kind: "kept" | "note" }>): void {
    if (reply.kind === "answer" && reply.keeping === true) this.#keeping += 1;
    if (reply.id !== this.#active?.id) return;
    if (reply.kind === "progress") this.#active.report(reply.progress);
    else this.#finish(this.#active, reply);
  }

  #finish(call: PendingCall, reply: Extract<WorkerReply, { kind: "answer" | "error" }>): void {
    clearTimeout(this.#grace);
    this.#active = undefined;
    if (reply.kind === "answer") call.resolve(reply.answer);
    else call.reject(reaErrorFromObject(reply.error));
    this.#pump();
  }

  #onKept(): void {
    this.#keeping -= 1;
    if (this.#keeping === 0) this.#allKept?.();
  }

  async #untilKept(): Promise<void> {
    if (this.#keeping === 0) return;
    this.#waiting ??= new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.keepMs);
      this.#allKept = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    await this.#waiting;
  }

  #abort(call: PendingCall): void {
    call.cancel(toReaError(new DOMException("aborted", "AbortError"), call.operation));
    const index = this.#queue.indexOf(call);
    if (index >= 0) this.#queue.splice(index, 1);
    if (call !== this.#active) return;
    Atomics.store(this.#cancelled, 0, call.id);
    this.#grace = setTimeout(() => this.#restart(), this.#options.graceMs).unref();
  }

  /** Work that does not stop ends with its thread; calls that wait go to a fresh one. */
  #restart(): void {
    void this.#thread?.terminate();
    this.#forgetThread();
    this.#active = undefined;
    this.#pump();
  }

  #onDeath(thread: Worker, error: ReaError): void {
    if (thread !== this.#thread) return;
    this.#forgetThread();
    this.#failAll(error);
  }

  #forgetThread(): void {
    clearTimeout(this.#grace);
    this.#thread = undefined;
    this.#keeping = 0;
    this.#allKept?.();
  }

  #failAll(error: ReaError): void {
    this.#active?.reject(error);
    this.#active = undefined;
    for (const call of this.#queue.splice(0)) call.reject(error);
  }
}

function died(error: unknown): ReaError {
  const outOfMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return outOfMemory
    ? unavailable("out_of_memory", "The analysis needed more memory than one target may use and was stopped.")
    : unavailable("worker_exited", "The analysis thread ended unexpectedly. Call again to start a fresh one.");
}

function unavailable(reason: string, message: string): ReaError {
  return new ReaError("provider_unavailable", { message, details: { provider_id: "rea-native", reason } });
}
