import { closeSync, constants, existsSync, openSync, write as writeDescriptor } from "node:fs";
import { createRequire } from "node:module";
import { ReadStream } from "node:tty";
import { ReaError } from "@rea/core";

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A pseudo-terminal of our own: we hold both its ends, the program gets copies of the far one. */
export interface OpenTerminal {
  /** Path of the far end, which descriptors of the program refer to. */
  readonly name: string;
  /** The far end, to be handed to a child; never inherited by accident. */
  readonly farEnd: number;
  /** What is written to the terminal. Ends, or fails, when nobody holds the far end any more. */
  readonly output: ReadStream;
  /** Sends bytes as if they were typed; false when the terminal took none of them any more. Calls are served in order. */
  readonly write: (bytes: Uint8Array) => Promise<boolean>;
  /** Throws when the terminal is gone. */
  readonly resize: (size: TerminalSize) => void;
  /** Takes no more input and closes our copy of the far end, so that the output ends with the last of the others. */
  readonly letGo: () => void;
  /** Closes both ends: who still has the terminal is hung up. */
  readonly close: () => void;
}

/** What node-pty's native part offers beside starting programs, which we do ourselves. */
interface NativeTerminals {
  readonly open: (columns: number, rows: number) => unknown;
  readonly resize: (descriptor: number, columns: number, rows: number) => void;
}

/** Near ends that are open now. The library opens them without close-on-exec; who starts a child covers them. */
const nearEnds = new Set<number>();
let nothing: number | null = null;
let native: NativeTerminals | null = null;

const retryMs = 5;

/** util-linux and busybox put it there; names are not looked up in PATH. */
const setsidPaths = ["/usr/bin/setsid", "/bin/setsid"];

/** The program that makes a terminal the controlling one, or null. */
export function findSetsid(): string | null {
  return process.platform === "linux" ? (setsidPaths.find((path) => existsSync(path)) ?? null) : null;
}

/**
 * For the descriptors from 3 on: what a child must get in place of near ends that it would inherit, and with which it
 * could read and type on terminals of other runs.
 */
export function coveredDescriptors(): ("ignore" | number)[] {
  if (nearEnds.size === 0) return [];
  nothing ??= openSync("/dev/null", constants.O_RDWR);
  const cover = nothing;
  const last = Math.max(...nearEnds);
  return Array.from({ length: last - 2 }, (_, index) => (nearEnds.has(index + 3) ? cover : "ignore"));
}

/** Throws `unsupported_host` where there are no pseudo-terminals. */
export function openTerminal({ columns, rows }: TerminalSize): OpenTerminal {
  const library = nativeTerminals();
  const { master, slave, pty } = endsOf(library.open(columns, rows));
  nearEnds.add(master);
  const far = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
  closeSync(slave);
  const output = new ReadStream(master);
  output.once("close", () => nearEnds.delete(master));
  // The end of a terminal is an error of its near end (EIO).
  output.on("error", () => undefined);
  const writer = new TerminalWriter(master);
  let held = true;
  const closeFarEnd = (): void => {
    if (held) closeSync(far);
    held = false;
  };
  // While we hold the far end the near end stays open, so no write can meet a descriptor that means something else by now.
  const letGo = (): void => void writer.idle().then(closeFarEnd);
  const isOpen = (): boolean => nearEnds.has(master) && !output.destroyed;
  return {
    name: pty,
    farEnd: far,
    output,
    write: (bytes) => writer.write(bytes, isOpen),
    resize: (size) => library.resize(master, size.columns, size.rows),
    letGo,
    close: () =>
      void writer.idle().then(() => {
        output.destroy();
        closeFarEnd();
      }),
  };
}

/**
 * Writes without ever waiting in a system call: a program that does not read its terminal must not stop us. (A stream of
 * Node's on a near end waits.)
 */
class TerminalWriter {
  readonly #descriptor: number;
  #last: Promise<unknown> = Promise.resolve();
  #closing = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(bytes: Uint8Array, isOpen: () => boolean): Promise<boolean> {
    const written = this.#last.then(() => this.#writeAll(bytes, isOpen));
    this.#last = written;
    return written;
  }

  /** Gives up what is still to be written; settles when no write is under way. */
  async idle(): Promise<void> {
    this.#closing = true;
    await this.#last;
  }

  async #writeAll(bytes: Uint8Array, isOpen: () => boolean): Promise<boolean> {
    for (let sent = 0; sent < bytes.length; ) {
      if (this.#closing || !isOpen()) return false;
      const taken = await writeSome(this.#descriptor, bytes.subarray(sent));
      if (taken === null) return false;
      sent += taken;
      if (taken === 0) await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
    return true;
  }
}

/** How many bytes were taken, 0 when there is no room now; null when the terminal is gone. */
function writeSome(descriptor: number, bytes: Uint8Array): Promise<number | null> {
  return new Promise((resolve) => {
    writeDescriptor(descriptor, bytes, (error, taken) => {
      if (error === null) resolve(taken);
      else resolve(error.code === "EAGAIN" ? 0 : null);
    });
  });
}

function nativeTerminals(): NativeTerminals {
  if (process.platform !== "linux" || findSetsid() === null) {
    throw noTerminals(process.platform === "linux" ? "no setsid program" : process.platform);
  }
  native ??= loadNative();
  return native;
}

/** The platform's part of the library belongs to the library, so it is resolved from there. */
function loadNative(): NativeTerminals {
  try {
    const library = createRequire(import.meta.url).resolve("@lydell/node-pty");
    const loaded: unknown = createRequire(library)(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`);
    if (isNative(loaded)) return loaded;
  } catch (error) {
    throw noTerminals(`no terminal library for ${process.platform} ${process.arch}`, error);
  }
  throw noTerminals("a terminal library that is not the expected one");
}

function isNative(loaded: unknown): loaded is NativeTerminals {
  return typeof loaded === "object" && loaded !== null && "open" in loaded && typeof loaded.open === "function" && "resize" in loaded && typeof loaded.resize === "function";
}

function endsOf(opened: unknown): { readonly master: number; readonly slave: number; readonly pty: string } {
  if (typeof opened === "object" && opened !== null && "master" in opened && "slave" in opened && "pty" in opened) {
    const { master, slave, pty } = opened;
    if (typeof master === "number" && typeof slave === "number" && typeof pty === "string") return { master, slave, pty };
  }
  throw noTerminals("a terminal library that is not the expected one");
}

export function noTerminals(actual: string, cause?: unknown): ReaError<"unsupported_host"> {
  return new ReaError("unsupported_host", {
    message: "This host gives no terminal for programs. Run it on Linux with util-linux installed.",
    details: { required: "pseudo-terminals (Linux, setsid of util-linux)", actual },
    cause,
  });
}
