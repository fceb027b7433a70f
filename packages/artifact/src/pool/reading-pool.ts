import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ReadingAnswer, ReadingJob } from "./reading-job.js";
import { runJob } from "./run-job.js";
import { SharedControl } from "./shared-control.js";

export interface PoolOptions {
  /** How many; none does small jobs in the calling thread and leaves large ones to it. */
  readonly threads?: number;
  readonly signal: AbortSignal;
  /** Module of the threads. */
  readonly entry?: URL;
}

// Beside this module's directory when built; a test that runs from the sources uses the last build.
const workerModule = new URL(import.meta.url.endsWith(".ts") ? "../../dist/reading-worker.js" : workerBeside(import.meta.url), import.meta.url);

/** A bundle is one file, and the worker stands beside it. */
function workerBeside(url: string): string {
  return /\/pool\/[^/]+$/u.test(url) ? "../reading-worker.js" : "./reading-worker.js";
}

const mostThreads = 4;
/** Work below this is done before a thread would have started. */
const worthwhileCost = 4 * 1024 * 1024;
/** What the calling thread may do at once. */
const smallCost = 256 * 1024;
/** The same of members of tar, which are done with turns in between. */
const groupCost = 8 * 1024 * 1024;
/** What is long in comparison with handing over another job. */
const longCost = 8 * 1024 * 1024;
/** Jobs given to a thread at once, so that it need not wait for the next. */
const postedAtOnce = 2;
/** The same of members of tar in a thread that has streamed some: the library's code is slow at first. */
const practisedAtOnce = 4;

interface Waiting {
  readonly job: ReadingJob;
  readonly cost: number;
  answer(answer: ReadingAnswer): void;
}

interface Thread {
  readonly worker: Worker;
  /** Jobs it works on, in order. */
  readonly posted: Waiting[];
  isReady: boolean;
  streamsTar: boolean;
}

/** Nothing waits behind what takes long: another thread is done before. */
function mostPosted({ posted }: Thread, atOnce: number): number {
  return posted.some(({ cost }) => cost > longCost) ? 1 : atOnce;
}

/** Threads that read, inflate and hash for one walk; started when there is work enough, ended with `close`. */
export class ReadingPool {
  /** Fewer once one could not be started or died. */
  #most: number;
  readonly #signal: AbortSignal;
  readonly #entry: URL;
  readonly #control = new SharedControl();
  readonly #queue: Waiting[] = [];
  readonly #onAbort = (): void => this.#cancel();
  #threads: Thread[] = [];
  #cost = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor({ threads = Math.min(mostThreads, availableParallelism()), signal, entry = workerModule }: PoolOptions) {
    this.#entry = entry;
    this.#most = Math.max(0, Math.min(mostThreads, Math.trunc(threads)));
    this.#signal = signal;
    if (signal.aborted) this.#cancel();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** False where everything is done in the calling thread. */
  get hasThreads(): boolean {
    return this.#most > 0;
  }

  /** Bytes that all jobs have passed so far. */
  get passedBytes(): number {
    return this.#control.passedBytes;
  }

  /**
   * Does a job, or has it done. `cost` is about the number of bytes it reads. Undefined for one that is too large for the
   * calling thread when there is no other.
   */
  run(job: ReadingJob, cost: number): ReadingAnswer | Promise<ReadingAnswer> | undefined {
    this.#cost += cost;
    if (this.#closed) return { kind: "cancelled" };
    if (this.#cost >= worthwhileCost) this.#startFor(job);
    // Until there are threads that answer, what is small is done here.
    if (!this.#threads.some(({ isReady }) => isReady)) {
      if (this.#isDoneHere(job, cost)) return runJob(job, this.#control);
      if (this.#most === 0) return undefined;
    }
    return new Promise((answer) => {
      this.#queue.push({ job, cost, answer });
      this.#pump();
    });
  }

  /** Members of tar are left to threads that have been started: the library that streams them takes as long to load. */
  #isDoneHere({ kind }: ReadingJob, cost: number): boolean {
    if (kind === "tar" && this.#threads.length > 0) return false;
    return kind === "digest" ? cost <= smallCost : kind !== "tar" || cost <= groupCost;
  }

  /** Ends the threads, after what they are at; open files may be closed then. May be called twice. */
  async close(): Promise<void> {
    this.#cancel();
    this.#signal.removeEventListener("abort", this.#onAbort);
    while (this.#threads.some(({ posted }) => posted.length > 0)) await new Promise<void>((resume) => this.#idle.push(resume));
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  /** What waits is answered at once; what runs ends with its present piece. */
  #cancel(): void {
    this.#closed = true;
    this.#control.cancel();
    for (const { answer } of this.#queue.splice(0)) answer({ kind: "cancelled" });
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const [next] = this.#queue;
      const thread = next === undefined ? undefined : this.#freeThread(next);
      if (next === undefined || thread === undefined) return;
      this.#queue.shift();
      thread.streamsTar ||= next.job.kind === "tar";
      if (thread.posted.length === 0) thread.worker.ref();
      thread.posted.push(next);
      thread.worker.postMessage(next.job);
    }
  }

  /** The thread with the least to do, or one that has practice in a job; none where all have enough. */
  #freeThread({ job }: Waiting): Thread | undefined {
    if (this.#threads.length === 0) this.#startUpTo(this.#most);
    const practised = job.kind === "tar" ? this.#threads.find((thread) => thread.streamsTar && thread.posted.length < mostPosted(thread, practisedAtOnce)) : undefined;
    if (practised !== undefined) return practised;
    const [least] = [...this.#threads].sort((a, b) => a.posted.length - b.posted.length);
    return least !== undefined && least.posted.length < mostPosted(least, postedAtOnce) ? least : undefined;
  }

  /** Whoever has many small files read is as busy with them as the threads are, and needs a processor as well. */
  #startFor({ kind }: ReadingJob): void {
    this.#startUpTo(kind === "files" ? Math.min(this.#most, Math.max(1, availableParallelism() - 1)) : this.#most);
  }

  #startUpTo(count: number): void {
    while (this.#threads.length < count) this.#start();
  }

  #start(): void {
    // stdout belongs to whoever uses the library.
    const worker = new Worker(this.#entry, { workerData: this.#control.memory, stdout: true, execArgv: [] });
    const thread: Thread = { worker, posted: [], isReady: false, streamsTar: false };
    this.#threads.push(thread);
    worker.unref();
    worker.once("online", () => (thread.isReady = true));
    worker.on("message", (answer: ReadingAnswer) => {
      thread.posted.shift()?.answer(answer);
      this.#rest(thread);
      this.#pump();
    });
    worker.on("error", () => this.#lose(thread));
    worker.on("exit", () => this.#lose(thread));
  }

  /** A thread that died did nothing: whoever waits does the work itself, and fails where it must. */
  #lose(thread: Thread): void {
    this.#threads = this.#threads.filter((one) => one !== thread);
    for (const { answer } of thread.posted.splice(0)) answer({ kind: "failed" });
    this.#rest(thread);
    if (this.#closed) return;
    this.#most = this.#threads.length;
    if (this.#most > 0) return;
    for (const { answer } of this.#queue.splice(0)) answer({ kind: "failed" });
  }

  #rest(thread: Thread): void {
    if (thread.posted.length > 0) return;
    // An idle thread does not keep the process alive.
    thread.worker.unref();
    const waiting = this.#idle;
    this.#idle = [];
    for (const resume of waiting) resume();
  }
}
