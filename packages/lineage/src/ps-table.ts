import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";
import type { ProcessRow, ProcessTable } from "./process-table.js";
import { runTokenVariable } from "./run-token.js";

/** Runs `ps` with these arguments and returns what it printed; rejects when it fails. */
export type RunPs = (args: readonly string[]) => Promise<string>;

const program = "/bin/ps";
const runFile = promisify(execFile);
const columns = "pid=,ppid=,pgid=,stat=,lstart=";

/**
 * The table of macOS and the BSDs through `ps`. Start times have a resolution of one second, so that a pid that was given
 * out again within one second cannot be told from its predecessor; whoever reports an identity says so.
 */
export function createPsTable(run: RunPs = runPs): ProcessTable {
  return {
    source: "ps",
    bootId: null,
    resolution: "second",
    unreadable: null,
    async list() {
      const text = await run(["-axo", columns]);
      const rows = text.split("\n").map(parsePsLine).filter((row) => row !== null);
      return { observedAt: new Date().toISOString(), rows: rows.sort((a, b) => a.pid - b.pid), truncated: false };
    },
    read: async (pid) => parsePsLine(await empty(run(["-o", columns, "-p", String(pid)]))),
    async token(pid, token) {
      // -E appends the environment to the command; other users' and protected programs' environments stay hidden.
      const text = (await empty(run(["-wwE", "-o", "command=", "-p", String(pid)]))).trim();
      if (text === "") return "gone";
      if (text.includes(`${runTokenVariable}=${token}`)) return "carried";
      return /\s[A-Za-z_][A-Za-z0-9_]*=/.test(text) ? "absent" : "unreadable";
    },
    lastPid: () => null,
    pidNamespace: () => null,
    descriptors: () => new Map(),
    appearance: () => null,
    inheritance: () => null,
    async command(pid) {
      const path = (await empty(run(["-o", "comm=", "-p", String(pid)]))).trim();
      return path.startsWith("/") ? realpath(path).catch(() => path) : null;
    },
  };
}

/** `  71  1  71 Ss  Mon Nov 30 21:02:11 2026`; null for any other line. */
export function parsePsLine(line: string): ProcessRow | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*\S)\s*$/.exec(line.split("\n")[0] ?? "");
  if (match === null) return null;
  const [, pid, parent, group, state = "", startTime = ""] = match;
  return {
    pid: Number(pid),
    parentPid: Number(parent),
    groupId: Number(group),
    sessionId: null,
    startTime: startTime.replaceAll(/\s+/g, " "),
    zombie: state.startsWith("Z"),
  };
}

async function runPs(args: readonly string[]): Promise<string> {
  const { stdout } = await runFile(program, [...args], { env: { LC_ALL: "C" }, timeout: 5_000, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** `ps -p` fails when there is no such process. */
async function empty(output: Promise<string>): Promise<string> {
  try {
    return await output;
  } catch {
    return "";
  }
}
