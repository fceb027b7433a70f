import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { ReaError, escapeUntrusted, omission, type Omission, type SyscallEvent } from "@rea/core";
import { TraceLines } from "./trace-lines.js";
import { tracedCalls, tracedEvent } from "./trace-events.js";

/** Where distributions put it; names are not looked up in PATH. */
const paths = ["/usr/bin/strace", "/bin/strace", "/usr/local/bin/strace"];

export interface Tracer {
  readonly program: string;
  readonly log: string;
  /** The command that runs a program under the tracer, which stands beside it and not between it and us. */
  readonly arguments: (executable: string, args: readonly string[]) => readonly string[];
}

/** Throws `unsupported_host` where there is no tracer. */
export function findTracer(directory: string): Tracer {
  const program = process.platform === "linux" ? paths.find((path) => existsSync(path)) : undefined;
  if (program === undefined) {
    throw new ReaError("unsupported_host", {
      message: "This host has no strace. Install it, or capture without trace.",
      details: { required: "strace (Linux)", actual: "not found" },
    });
  }
  const log = join(directory, "calls");
  const flags = ["-D", "-f", "-ttt", "-yy", "-xx", "-s", "4096", "-e", "signal=none", "-e", `trace=${tracedCalls}`, "-o", log];
  return { program, log, arguments: (executable, args) => [...flags, "--", executable, ...args] };
}

export interface TraceReaderOptions {
  readonly log: string;
  /** Calendar time of the program's start. */
  readonly startedAt: () => number;
  readonly hide: (text: string) => string;
  readonly numberOf: (pid: number) => number | null;
  readonly onEvent: (event: SyscallEvent) => void;
}

const maximumEvents = 50_000;
const maximumLineLength = 1024 * 1024;

/** Follows the log of a tracer while it grows. */
export class TraceReader {
  readonly #options: TraceReaderOptions;
  readonly #lines = new TraceLines();
  readonly #decoder = new StringDecoder("latin1");
  readonly #chunk = Buffer.alloc(256 * 1024);
  #file: number | null = null;
  #rest = "";
  #events = 0;
  #missed = 0;

  constructor(options: TraceReaderOptions) {
    this.#options = options;
  }

  /** Takes over what the log holds by now. */
  read(): void {
    this.#file ??= existsSync(this.#options.log) ? openSync(this.#options.log, "r") : null;
    if (this.#file === null) return;
    for (let read = readSync(this.#file, this.#chunk); read > 0; read = readSync(this.#file, this.#chunk)) {
      this.#take(this.#decoder.write(this.#chunk.subarray(0, read)));
    }
  }

  /** Takes over the rest; safe to call twice. */
  close(): void {
    if (this.#file === null) return;
    this.read();
    closeSync(this.#file);
    this.#file = null;
  }

  omissions(): Omission[] {
    return [
      ...(this.#missed > 0 ? [omission("syscall events", "limit_items", { count: this.#missed, limit: maximumEvents })] : []),
      ...(this.#lines.strange > 0 ? [omission("syscall events", "malformed", { count: this.#lines.strange })] : []),
    ];
  }

  /** Nothing was traced: the tracer could not attach. */
  get empty(): boolean {
    return this.#events === 0;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, maximumLineLength);
    for (const line of lines) this.#line(line);
  }

  #line(text: string): void {
    const line = this.#lines.take(text);
    const event = line === null ? null : tracedEvent(line);
    if (event === null) return;
    if (this.#events >= maximumEvents) return void (this.#missed += 1);
    this.#events += 1;
    const { startedAt, numberOf, onEvent } = this.#options;
    const { timeMs, pid, kind, call, child_pid, result, exit_code, signal } = event;
    onEvent({
      at_ms: Math.max(0, timeMs - startedAt()),
      pid,
      process: numberOf(pid),
      kind,
      call,
      path: this.#show(event.path),
      new_path: this.#show(event.new_path),
      arguments: event.arguments?.map((argument) => this.#show(argument) ?? "") ?? null,
      address: this.#show(event.address),
      child_pid,
      result,
      exit_code,
      signal,
    });
  }

  #show(text: string | null): string | null {
    return text === null ? null : escapeUntrusted(this.#options.hide(text));
  }
}
