import { Worker } from "node:worker_threads";
import type { NormalizedOutput, OutputToNormalize } from "../normalize/normalized-view.js";
import type { Redactor } from "../sensitive/redactor.js";
import type { ScreenBeginning, ScreenNews, ScreenTask } from "./screen-messages.js";
import type { Screenshot } from "./screen.js";

export interface ScreenThreadOptions {
  readonly columns: number;
  readonly rows: number;
  readonly scrollback: number;
  readonly redactor: Redactor;
  /** What the terminal answers to questions of the program, as a terminal does. */
  readonly reply: (data: string) => void;
  /** Called when so much output waits that no more should be read, and again when it may. */
  readonly pressure: (high: boolean) => void;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

const highWaterBytes = 4 * 1024 * 1024;
// Beside this module's package root when built, beside the bundle when bundled; a test that runs from the sources uses the last build.
const entry = new URL(entryFrom(import.meta.url), import.meta.url);

/** An emulated terminal in a thread of its own. Close it; until then it keeps the process alive. */
export class ScreenThread {
  /** Settles when the terminal can draw; rejects when the thread cannot start. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #options: ScreenThreadOptions;
  readonly #looks = new Map<number, Waiting<Screenshot>>();
  readonly #views = new Map<number, Waiting<NormalizedOutput>>();
  #started: { readonly resolve: () => void; readonly reject: (error: Error) => void } | null = null;
  #ended: Error | null = null;
  #nextId = 0;
  #waiting = 0;
  #high = false;

  constructor(options: ScreenThreadOptions) {
    const { columns, rows, scrollback, redactor } = options;
    const beginning: ScreenBeginning = { kind: "begin", columns, rows, scrollback, hidden: redactor.values.map(({ alias, bytes }) => ({ alias, bytes: new Uint8Array(bytes) })) };
    this.#options = options;
    this.ready = new Promise((resolve, reject) => (this.#started = { resolve, reject }));
    // It may be given up before anybody waits for it.
    this.ready.catch(() => undefined);
    // What the emulator prints of itself stays in the thread.
    this.#worker = new Worker(entry, { stdout: true, stderr: true, execArgv: [] });
    this.#worker.postMessage(beginning);
    this.#worker.on("message", (news: ScreenNews) => this.#take(news));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("The thread of the screen has ended.")));
  }

  write(bytes: Uint8Array): void {
    const copy = new Uint8Array(bytes);
    this.#waiting += copy.length;
    this.#send({ kind: "write", bytes: copy }, [copy.buffer]);
    if (!this.#high && this.#waiting > highWaterBytes) this.#press(true);
  }

  resize({ columns, rows }: { readonly columns: number; readonly rows: number }): void {
    this.#send({ kind: "resize", columns, rows });
  }

  /** What is shown once everything written so far is drawn; hidden values are covered. Rejects when the thread ends first. */
  look(): Promise<Screenshot> {
    return this.#ask(this.#looks, (id) => ({ kind: "look", id }));
  }

  /** What was written, in the view in which two runs are equal. Rejects when the thread ends first. */
  normalize(output: OutputToNormalize): Promise<NormalizedOutput> {
    return this.#ask(this.#views, (id) => ({ kind: "normalize", id, output }));
  }

  /** Ends the thread at once; safe to call twice. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(news: ScreenNews): void {
    switch (news.kind) {
      case "ready":
        return this.#started?.resolve();
      case "answer":
        return this.#options.reply(news.data);
      case "drawn":
        this.#waiting -= news.bytes;
        if (this.#high && this.#waiting < highWaterBytes / 2) this.#press(false);
        return;
      case "shot":
        this.#looks.get(news.id)?.resolve(news.shot);
        this.#looks.delete(news.id);
        return;
      case "normalized":
        this.#views.get(news.id)?.resolve(news.output);
        this.#views.delete(news.id);
    }
  }

  #ask<T>(asked: Map<number, Waiting<T>>, task: (id: number) => ScreenTask): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(this.#ended);
      this.#nextId += 1;
      asked.set(this.#nextId, { resolve, reject });
      this.#send(task(this.#nextId));
    });
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    this.#started?.reject(this.#ended);
    for (const { reject } of [...this.#looks.values(), ...this.#views.values()]) reject(this.#ended);
    this.#looks.clear();
    this.#views.clear();
    // Nobody draws any more, and a program must not wait for it.
    if (this.#high) this.#press(false);
  }

  #press(high: boolean): void {
    this.#high = high;
    this.#options.pressure(high);
  }

  #send(task: ScreenTask, transfer: ArrayBuffer[] = []): void {
    if (this.#ended === null) this.#worker.postMessage(task, transfer);
  }
}

function entryFrom(own: string): string {
  if (own.endsWith(".ts")) return "../../dist/screen-worker.js";
  return own.endsWith("/terminal/screen-thread.js") ? "../screen-worker.js" : "./screen-worker.js";
}
