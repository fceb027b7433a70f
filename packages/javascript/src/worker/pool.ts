import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { ReaError } from "@rea/core";
import { standardEntry } from "./entry.js";
import type { Answer, Job, JobMessage, ReplyMessage } from "./jobs.js";

/** Threads that read texts. Idle threads never keep the process alive. */
export interface WorkerPool {
  /**
   * Rejects with `cancelled` as soon as the signal aborts, with `JobFailed` when the job took too long, used up its thread's
   * memory or broke. The thread is then replaced; other jobs go on. Buffers of `transfer` are the thread's from then on.
   */
  run(job: Job, signal?: AbortSignal, transfer?: readonly ArrayBuffer[]): Promise<Answer>;
  /** Ends all threads; jobs that are not done are rejected. Safe to call twice. */
  close(): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly threads?: number;
  /** Module of the threads. */
  readonly entry?: URL;
  /** A job that takes longer is given up. */
  readonly jobMs?: number;
  /** JavaScript heap of one thread. */
  readonly heapMegabytes?: number;
}

/** One text could not be read for a reason of its own. The message is in fixed words. */
export class JobFailed extends Error {
  override readonly name = "JobFailed";
}

const mostThreads = 4;
/** A syntax tree lives as long as its file is read: with room for most trees whole, fewer of them are copied. */
const youngMegabytes = 96;

export function workerPool(options: WorkerPoolOptions = {}): WorkerPool {
  return new ThreadPool({ threads: Math.min(availableParallelism(), mostThreads), entry: standardEntry(), jobMs: 60_000, heapMegabytes: 1024, ...options });
}

interface Pending {
  readonly id: number;
  readonly job: Job;
  readonly signal: AbortSignal | undefined;
  readonly transfer: readonly ArrayBuffer[];
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  active: Pending | undefined;
  timer: NodeJS.Timeout | undefined;
}

class ThreadPool implements WorkerPool {
  readonly #options: Required<WorkerPoolOptions>;
  readonly #threads: Thread[] = [];
  readonly #queue: Pending[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: Required<WorkerPoolOptions>) {
    this.#options = options;
  }

  async run(job: Job, signal?: AbortSignal, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    if (this.#isClosed) throw new JobFailed("The reader was closed.");
    if (signal?.aborted === true) throw cancelled();
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const pending: Pending = { id: this.#nextId++, job, signal, transfer, resolve, reject };
        onAbort = () => this.#abort(pending);
        signal?.addEventListener("abort", onAbort, { once: true });
        this.#queue.push(pending);
        this.#pump();
      });
    } finally {
      if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const pending of this.#queue.splice(0)) pending.reject(new JobFailed("The reader was closed."));
    await Promise.all([...this.#threads].map((thread) => this.#drop(thread, "The reader was closed.")));
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const thread = this.#threads.find(({ active }) => active === undefined) ?? this.#start();
      if (thread === undefined) return;
      const next = this.#queue.shift();
      if (next === undefined) return;
      thread.active = next;
      thread.timer = setTimeout(() => void this.#drop(thread, "Reading the text took too long and was given up."), this.#options.jobMs);
      thread.worker.ref();
      const message: JobMessage = { id: next.id, job: next.job };
      thread.worker.postMessage(message, [...next.transfer]);
    }
  }

  #start(): Thread | undefined {
    if (this.#threads.length >= this.#options.threads) return undefined;
    // stdout belongs to the protocol: whatever a library prints stays in the thread.
    const worker = new Worker(this.#options.entry, { stdout: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes } });
    const thread: Thread = { worker, active: undefined, timer: undefined };
    worker.on("message", (reply: ReplyMessage) => this.#settle(thread, reply));
    worker.on("error", () => void this.#drop(thread, "Reading the text needed more memory than a reader has."));
    worker.on("exit", () => void this.#drop(thread, "The thread that read the text ended."));
    worker.unref();
    this.#threads.push(thread);
    return thread;
  }

  #settle(thread: Thread, reply: ReplyMessage): void {
    const { active } = thread;
    if (active?.id !== reply.id) return;
    this.#release(thread);
    if ("answer" in reply) active.resolve(reply.answer);
    else active.reject(new JobFailed(reply.error));
    this.#pump();
  }

  #abort(pending: Pending): void {
    const queued = this.#queue.indexOf(pending);
    if (queued >= 0) this.#queue.splice(queued, 1);
    pending.reject(cancelled());
    const thread = this.#threads.find(({ active }) => active === pending);
    if (thread !== undefined) void this.#drop(thread, "The reading was cancelled.");
  }

  /** Ends a thread; its job fails, the rest goes on in others. */
  async #drop(thread: Thread, reason: string): Promise<void> {
    const at = this.#threads.indexOf(thread);
    if (at < 0) return;
    this.#threads.splice(at, 1);
    const { active } = thread;
    this.#release(thread);
    active?.reject(new JobFailed(reason));
    const ended = thread.worker.terminate();
    if (!this.#isClosed) this.#pump();
    await ended;
  }

  #release(thread: Thread): void {
    clearTimeout(thread.timer);
    thread.active = undefined;
    thread.timer = undefined;
    thread.worker.unref();
  }
}

function cancelled(): ReaError {
  return new ReaError("cancelled", { message: "Reading the application was cancelled.", details: { operation: "read_script", cleanup: "complete" } });
}
