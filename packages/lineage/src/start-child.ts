import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { PassThrough, Readable, type Duplex, type Writable } from "node:stream";
import { ReaError } from "@rea/core";
import type { Options } from "execa";
import { coveredDescriptors, type OpenTerminal } from "./open-terminal.js";

/** A command as the system gets it: a program by absolute path and its arguments, never a line for a shell. */
export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  readonly stdin: "closed" | "pipe";
  /** Whether descriptor 3 is a channel to us. */
  readonly control: boolean;
  /** What the three standard descriptors are instead of pipes. */
  readonly terminal?: OpenTerminal;
  /** The child makes a session by itself, in which it must not lead a group before; default false. */
  readonly makesSession?: boolean;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Our direct child, alone in a session and group of its own. */
export interface Child {
  readonly pid: number;
  readonly stdin: Writable | null;
  /** Paused. */
  readonly stdout: Readable;
  /** Paused. */
  readonly stderr: Readable;
  readonly control: Duplex | null;
  /** Null until it ended and was collected: so long its pid cannot be given out again. */
  readonly exit: () => ChildExit | null;
  readonly exited: Promise<ChildExit>;
  /** Both output streams have ended; what inherited them may keep them open after the child. */
  readonly drained: Promise<void>;
  /** Gives up what we ourselves hold of the far ends of the output streams, so that they can end. */
  readonly letGo: () => void;
  /** Whether the child keeps us alive; it does unless told otherwise. */
  readonly keepsAlive: (keeps: boolean) => void;
  /** Ends the child through its handle, which never reaches another process. */
  readonly kill: () => void;
  readonly destroyStreams: () => void;
}

type Execa = (typeof import("execa"))["execa"];
let loading: Promise<Execa> | undefined;

/** Loads what starts processes; done before the last check of a program, so that nothing lies between the two. */
export function loadStarter(): Promise<Execa> {
  loading ??= import("execa").then(({ execa }) => execa);
  return loading;
}

/**
 * Starts a child by `setsid` and `execve` and returns once that succeeded. Throws `provider_unavailable`, reason
 * `start_failed`, with the system's error code.
 */
export function startChild(execa: Execa, command: ChildCommand): Child {
  const stdin = command.stdin === "pipe" ? "pipe" : "ignore";
  const options = {
    cwd: command.workingDirectory,
    env: command.environment,
    extendEnv: false,
    detached: command.makesSession !== true,
    shell: false,
    buffer: false,
    reject: false,
    // Ending children is the owner's work, in its order; not that of an exit handler.
    cleanup: false,
    encoding: "buffer",
    stripFinalNewline: false,
    windowsHide: true,
  } as const;
  const { terminal } = command;
  const far = terminal?.farEnd;
  const [third, ...others] = coveredDescriptors();
  const above = command.control ? ["pipe" as const, ...others] : third === undefined ? [] : [third, ...others];
  const stdio: unknown[] = [far ?? stdin, far ?? "pipe", far ?? "pipe", ...above];
  const subprocess = execa(command.file, command.args, isStdio(stdio) ? { ...options, stdio } : options);
  const child: ChildProcess = subprocess;
  // The outcome is read from the events; the promise only tells why a start failed.
  const { pid } = child;
  const stdout = terminal?.output ?? heldBack(child.stdout);
  // A terminal has one output; the other one is over before it begins.
  const stderr = terminal === undefined ? heldBack(child.stderr) : Readable.from([]);
  if (pid === undefined || stdout === null || stderr === null) throw new FailedStart(subprocess.then(({ cause }) => cause));
  // Nothing is read, and nothing lost, before somebody listens.
  for (const stream of [stdout, stderr]) stream.pause();
  let exit: ChildExit | null = null;
  const exited = new Promise<ChildExit>((resolve) => {
    child.once("exit", (code, signal) => resolve((exit = { code, signal })));
  });
  child.on("error", () => undefined);
  const control = command.control ? duplexOf(child.stdio[3]) : null;
  return {
    pid,
    stdin: child.stdin,
    stdout,
    stderr,
    control,
    exit: () => exit,
    exited,
    drained: Promise.all([ended(stdout), ended(stderr)]).then(() => undefined),
    kill: () => void (exit === null && child.kill("SIGKILL")),
    keepsAlive: (keeps) => {
      for (const held of [child, socketOf(child.stdin), socketOf(child.stdout), socketOf(child.stderr)]) {
        if (keeps) held?.ref();
        else held?.unref();
      }
    },
    letGo: () => terminal?.letGo(),
    destroyStreams: () => {
      terminal?.close();
      if (terminal !== undefined) return void control?.destroy();
      for (const stream of [child.stdin, child.stdout, child.stderr, stdout, stderr, control]) stream?.destroy();
    },
  };
}

/**
 * An output stream that loses nothing before somebody listens: Node reads the streams of a child that has ended to their ends,
 * whoever listens or not (`flushStdio` in its `child_process`).
 */
function heldBack(stream: Readable | null): Readable | null {
  if (stream === null) return null;
  const held = new PassThrough();
  // A stream that breaks has ended.
  stream.once("error", () => held.end());
  stream.once("close", () => held.end());
  return stream.pipe(held);
}

/** A start that the system refused; `startFailure` turns it into the typed error. */
class FailedStart extends Error {
  readonly reported: Promise<unknown>;

  constructor(reported: Promise<unknown>) {
    super("not started");
    this.reported = reported;
  }
}

/** The typed error of a start that the system refused; anything else comes back as it is. */
export async function startFailure(error: unknown): Promise<unknown> {
  if (!(error instanceof FailedStart)) return error;
  const cause = await error.reported;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown";
  return new ReaError("provider_unavailable", {
    message: `The program could not be started (${code}). Check the program, its arguments and the working directory.`,
    details: { reason: "start_failed", errno: code },
    cause,
  });
}

/** Execa hands any descriptor on, its types know those below 10 only. */
function isStdio(stdio: readonly unknown[]): stdio is Exclude<Options["stdio"], string | undefined> {
  return stdio.every((entry) => entry === "pipe" || entry === "ignore" || Number.isSafeInteger(entry));
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once("close", resolve);
    stream.once("end", resolve);
    stream.once("error", () => resolve());
  });
}

function socketOf(stream: unknown): Socket | null {
  return stream instanceof Socket ? stream : null;
}

function duplexOf(stream: ChildProcess["stdio"][3]): Duplex | null {
  return isDuplex(stream) ? stream : null;
}

function isDuplex(stream: unknown): stream is Duplex {
  return typeof stream === "object" && stream !== null && "write" in stream && "read" in stream;
}
