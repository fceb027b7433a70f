import { existsSync } from "node:fs";
import type { Duplex } from "node:stream";
import { ReaError } from "@rea/core";
import type { ProcessRow, ProcessTable } from "./process-table.js";
import type { Child, ChildCommand, ChildExit } from "./start-child.js";
import { within } from "./within.js";

/** Where util-linux puts it; names are not looked up in PATH. */
const unsharePaths = ["/usr/bin/unshare", "/bin/unshare"];

const flags = ["--user", "--map-current-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
const readyMs = 15_000;
const lastWordMs = 300;

/**
 * The first process of the namespace. It starts the target, so that the target is no init (whose default signal actions
 * the kernel ignores) and its exit is told truly, and it ends when our side of descriptor 3 is closed, which also happens
 * when we are killed. With it the kernel ends every process of the namespace (pid_namespaces(7)).
 */
const initScript = `
const { spawn } = require("node:child_process");
const channel = new (require("node:net").Socket)({ fd: 3, readable: true, writable: true });
const say = (message) => channel.write(JSON.stringify(message) + "\\n");
let text = "";
let child = null;
channel.setEncoding("utf8");
channel.on("data", (part) => {
  text += part;
  if (child !== null || !text.includes("\\n")) return;
  const { file, args, cwd, env } = JSON.parse(text);
  child = spawn(file, args, { cwd, env, stdio: "inherit" });
  child.on("spawn", () => say({ started: true }));
  child.on("error", (error) => say({ failed: String(error.code) }));
  child.on("exit", (code, signal) => say({ exit: { code, signal } }));
});
for (const event of ["end", "close", "error"]) channel.on(event, () => process.exit(0));
say({ ready: true });
`;

/** A namespace with only its first process in it, ready for the target. */
export interface PidNamespace {
  /** The first process, as the host sees it. */
  readonly init: ProcessRow;
  /** Whether a process is in the namespace. */
  readonly contains: (pid: number) => boolean;
  /** Starts the target; settles when the system started or refused it. */
  readonly start: (target: ChildCommand) => Promise<void>;
  /** The exit of the target, not of the namespace; both null when the namespace ended before it was told. */
  readonly exited: Promise<ChildExit>;
  /** Lets the first process go, and everything with it, after a moment for it to tell of the target's exit. */
  readonly release: () => Promise<void>;
}

/** The program that makes namespaces, or null. */
export function findUnshare(): string | null {
  return process.platform === "linux" ? (unsharePaths.find((path) => existsSync(path)) ?? null) : null;
}

/** The command that makes the namespace; its environment is not the target's, only its token. */
export function namespaceCommand(unshare: string, environment: ChildCommand["environment"], stdin: ChildCommand["stdin"]): ChildCommand {
  return {
    file: unshare,
    args: [...flags, "--", process.execPath, "-e", initScript],
    environment,
    workingDirectory: "/",
    stdin,
    control: true,
  };
}

/** Waits for the first process of the namespace. Throws `unsupported_host` when the host lets us make none. */
export async function openNamespace(table: ProcessTable, launcher: Child): Promise<PidNamespace> {
  const channel = launcher.control;
  if (channel === null) throw namespaceRefused("no channel");
  const messages = new Messages(channel);
  const first = await Promise.race([messages.next("ready"), launcher.exited.then(() => "ended"), delay(readyMs)]);
  const { rows } = await table.list();
  const init = rows.find((row) => row.parentPid === launcher.pid && !row.zombie);
  const name = init === undefined ? null : table.pidNamespace(init.pid);
  if (typeof first === "string" || init === undefined || name === null || name === table.pidNamespace(process.pid)) {
    channel.destroy();
    throw namespaceRefused("the system refused an unprivileged user and pid namespace");
  }
  const exited = Promise.race([messages.next("exit").then(exitOf), messages.closed.then(() => ({ code: null, signal: null }))]);
  return {
    init,
    contains: (pid) => table.pidNamespace(pid) === name,
    start: async (target) => {
      const { file, args, workingDirectory: cwd, environment: env } = target;
      channel.write(`${JSON.stringify({ file, args, cwd, env })}\n`);
      const failed = await Promise.race([messages.next("failed"), messages.next("started").then(() => null), launcher.exited.then(() => "ended")]);
      if (failed !== null) throw startRefused(typeof failed === "string" ? failed : String(Object.values(failed)[0]));
    },
    exited,
    release: async () => {
      await within(exited, lastWordMs);
      channel.destroy();
    },
  };
}

export function namespaceRefused(actual: string): ReaError<"unsupported_host"> {
  return new ReaError("unsupported_host", {
    message: "This host gives no pid namespace of our own. Ask without isolation, or on a host with unprivileged user namespaces.",
    details: { required: "pid_namespace (Linux, unshare of util-linux, unprivileged user namespaces)", actual },
  });
}

function startRefused(errno: string): ReaError<"provider_unavailable"> {
  return new ReaError("provider_unavailable", {
    message: "The program could not be started in its namespace. Check the program, its arguments and the working directory.",
    details: { reason: "start_failed", errno },
  });
}

type Message = { readonly [key: string]: unknown };

/** One JSON object a line, from the first process only; each kind comes at most once. */
class Messages {
  readonly #waiting = new Map<string, (message: Message) => void>();
  readonly #seen = new Map<string, Message>();
  readonly closed: Promise<void>;
  #text = "";

  constructor(channel: Duplex) {
    this.closed = new Promise((resolve) => channel.once("close", resolve));
    channel.setEncoding("utf8");
    channel.on("data", (part: string) => this.#take(part));
    channel.on("error", () => undefined);
  }

  next(kind: string): Promise<Message> {
    const seen = this.#seen.get(kind);
    return seen === undefined ? new Promise((resolve) => this.#waiting.set(kind, resolve)) : Promise.resolve(seen);
  }

  #take(part: string): void {
    this.#text += part;
    for (let end = this.#text.indexOf("\n"); end >= 0; end = this.#text.indexOf("\n")) {
      const parsed: unknown = JSON.parse(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 1);
      if (isMessage(parsed)) this.#deliver(Object.keys(parsed)[0] ?? "", parsed);
    }
  }

  #deliver(kind: string, message: Message): void {
    this.#seen.set(kind, message);
    this.#waiting.get(kind)?.(message);
  }
}

function exitOf(message: Message): ChildExit {
  const exit = message["exit"];
  if (!isMessage(exit)) return { code: null, signal: null };
  const { code, signal } = exit;
  return { code: typeof code === "number" ? code : null, signal: isSignal(signal) ? signal : null };
}

function isSignal(value: unknown): value is NodeJS.Signals {
  return typeof value === "string" && value.startsWith("SIG");
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null;
}

function delay(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve("late"), ms).unref());
}
