import { posix } from "node:path";
import type { SyscallEvent } from "@rea/core";
import type { TraceLine } from "./trace-lines.js";

/** An event with the tracer's pid and clock, its text as the program gave it. */
export type TracedEvent = Omit<SyscallEvent, "at_ms" | "process"> & { readonly timeMs: number };

type Kind = SyscallEvent["kind"];

const kinds: { readonly [call: string]: Kind } = {
  fork: "fork",
  vfork: "fork",
  clone: "fork",
  clone3: "fork",
  execve: "exec",
  execveat: "exec",
  open: "open_write",
  openat: "open_write",
  openat2: "open_write",
  creat: "open_write",
  truncate: "open_write",
  connect: "connect",
  bind: "bind",
  listen: "listen",
  unlink: "unlink",
  unlinkat: "unlink",
  rename: "rename",
  renameat: "rename",
  renameat2: "rename",
  mkdir: "mkdir",
  mkdirat: "mkdir",
  rmdir: "rmdir",
  link: "link",
  linkat: "link",
  symlink: "link",
  symlinkat: "link",
};

/** What the tracer is asked for; `?` lets it pass over calls that the architecture does not have. */
export const tracedCalls = Object.keys(kinds).map((name) => `?${name}`).join(",");

const maximumArguments = 64;

/** What a line says; null for calls that change and reach nothing, such as files opened for reading. */
export function tracedEvent({ pid, timeMs, event }: TraceLine): TracedEvent | null {
  const nothing = { path: null, new_path: null, arguments: null, address: null, child_pid: null, result: null, exit_code: null, signal: null };
  if (event.kind === "exited") return { ...nothing, timeMs, pid, kind: "exit", call: "exited", exit_code: event.code };
  if (event.kind === "killed") return { ...nothing, timeMs, pid, kind: "exit", call: "killed", signal: event.signal };
  const { name, args, result } = event;
  const kind = kinds[name];
  if (kind === undefined || (kind === "open_write" && !opensForWriting(name, args))) return null;
  const outcome = outcomeOf(result);
  const base = { ...nothing, timeMs, pid, kind, call: name, result: outcome };
  switch (kind) {
    case "fork": {
      const child = /^\d+/.exec(result ?? "")?.[0];
      // A thread is no process.
      return child === undefined || /CLONE_THREAD/.test(args) ? null : { ...base, child_pid: Number(child) };
    }
    case "connect":
    case "bind":
      return { ...base, address: socketAddress(args) };
    case "listen":
      return { ...base, address: listeningAddress(args) };
    case "exec":
      return { ...base, path: pathsOf(args)[0] ?? null, arguments: listOf(args) };
    default: {
      const [path = null, newPath = null] = pathsOf(args);
      return { ...base, path, new_path: newPath };
    }
  }
}

function opensForWriting(name: string, args: string): boolean {
  return name === "creat" || name === "truncate" || /\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b/.test(args);
}

/** `ok`, or the error's name; null for a call that had not returned. */
function outcomeOf(result: string | null): string | null {
  if (result === null || result.startsWith("?")) return null;
  return /^-1 (E[A-Z0-9]+)/.exec(result)?.[1] ?? "ok";
}

/** Paths in order; one that is relative is put below the directory that the call names, where it names one. */
function pathsOf(args: string): string[] {
  const paths: string[] = [];
  for (const match of args.matchAll(/(?:(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>, )?"((?:\\x[0-9a-f]{2})*)"/g)) {
    const [, directory, text = ""] = match;
    const path = textOf(text);
    paths.push(directory === undefined || path.startsWith("/") ? path : posix.join(textOf(directory), path));
    if (paths.length === 2) break;
  }
  return paths;
}

function listOf(args: string): string[] | null {
  const list = /\[((?:"(?:\\x[0-9a-f]{2})*"(?:\.\.\.)?(?:, )?|\.\.\.)*)\]/.exec(args)?.[1];
  if (list === undefined) return null;
  return [...list.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].slice(0, maximumArguments).map(([, text = ""]) => textOf(text));
}

function socketAddress(args: string): string | null {
  const port = /sin6?_port=htons\((\d+)\)/.exec(args)?.[1];
  const host = /inet_(?:addr\(|pton\(AF_INET6, )"((?:\\x[0-9a-f]{2})*)"/.exec(args)?.[1];
  if (port !== undefined && host !== undefined) return /sin6_port/.test(args) ? `[${textOf(host)}]:${port}` : `${textOf(host)}:${port}`;
  const unix = /sun_path=@?"((?:\\x[0-9a-f]{2})*)"/.exec(args);
  if (unix !== null) return `unix:${unix[0].startsWith("sun_path=@") ? "@" : ""}${textOf(unix[1] ?? "")}`;
  return /sa_family=(AF_[A-Z0-9]+)/.exec(args)?.[1] ?? null;
}

/** `3<TCP:[127.0.0.1:37293]>`, `4<TCPv6:[[::1]:80]>`. */
function listeningAddress(args: string): string | null {
  const shown = /^\d+<((?:\\x[0-9a-f]{2}|[^>\\])*)>/.exec(args)?.[1];
  return shown === undefined ? null : (/^(?:TCP|TCPv6|UDP|UDPv6):\[(.*)\]$/.exec(textOf(shown))?.[1] ?? null);
}

function textOf(escaped: string): string {
  const bytes = escaped.split(/((?:\\x[0-9a-f]{2})+)/).map((part) => (part.startsWith("\\x") ? Buffer.from(part.replaceAll("\\x", ""), "hex") : Buffer.from(part)));
  return Buffer.concat(bytes).toString("utf8");
}
