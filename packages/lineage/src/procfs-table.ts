import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { appearanceBytes, type ProcessAppearance, type ProcessInheritance, type ProcessRow, type ProcessTable, type TableSnapshot, type TokenReading } from "./process-table.js";
import { unlimited } from "./run-mark.js";
import { carriesToken } from "./run-token.js";

export interface ProcfsOptions {
  /** Default `/proc`; a directory laid out like it in tests. */
  readonly root?: string;
}

const maximumRows = 100_000;
const maximumEnvironmentBytes = 4 * 1024 * 1024;
const rowsBetweenPauses = 1_000;

/** The table of Linux: `/proc/<pid>/stat` (proc(5)), whose field 22 counts the clock ticks between boot and start. */
export function createProcfsTable({ root = "/proc" }: ProcfsOptions = {}): ProcessTable {
  const bootId = readTrimmed(join(root, "sys/kernel/random/boot_id"));
  return {
    source: "procfs",
    bootId,
    resolution: "tick",
    unreadable: bootId === null ? "the boot id under /proc cannot be read" : null,
    list: (passOver) => listRows(root, passOver),
    lastPid: () => readLastPid(root),
    // Read and returned within one turn of the event loop, so that nothing lies between a look and the signal after it.
    read: (pid) => Promise.resolve(readRow(root, pid)),
    token: (pid, token) => Promise.resolve(readToken(join(root, String(pid), "environ"), token)),
    pidNamespace: (pid) => readLink(join(root, String(pid), "ns/pid")),
    descriptors: (pid) => readDescriptors(join(root, String(pid), "fd")),
    appearance: (pid) => readAppearance(join(root, String(pid))),
    inheritance: (pid) => readInheritance(join(root, String(pid))),
    command: (pid) => Promise.resolve(readLink(join(root, String(pid), "exe"))),
  };
}

async function listRows(root: string, passOver: (pid: number) => boolean = () => false): Promise<TableSnapshot> {
  const pids = readdirSync(root)
    .filter((name) => /^[1-9][0-9]{0,9}$/.test(name))
    .map(Number)
    .filter((pid) => !passOver(pid))
    .sort((a, b) => a - b);
  const rows: ProcessRow[] = [];
  for (const [index, pid] of pids.slice(0, maximumRows).entries()) {
    if (index % rowsBetweenPauses === rowsBetweenPauses - 1) await new Promise((resolve) => setImmediate(resolve));
    const row = readRow(root, pid);
    if (row !== null) rows.push(row);
  }
  return { observedAt: new Date().toISOString(), rows, truncated: pids.length > maximumRows };
}

/** A line of `stat` is far shorter: the command has at most 64 characters, each number at most 20. */
const statLine = Buffer.alloc(4_096);

function readRow(root: string, pid: number): ProcessRow | null {
  try {
    const file = openSync(`${root}/${String(pid)}/stat`, "r");
    try {
      return parseStat(statLine.toString("latin1", 0, readSync(file, statLine, 0, statLine.length, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** The fifth field of `loadavg` (proc(5)). */
function readLastPid(root: string): number | null {
  const last = Number(readTrimmed(join(root, "loadavg"))?.split(" ")[4]);
  return Number.isSafeInteger(last) && last > 0 ? last : null;
}

/** Null for anything that is not a line of `stat`. The command in parentheses may hold blanks and parentheses. */
export function parseStat(text: string): ProcessRow | null {
  const end = text.lastIndexOf(")");
  const pid = Number.parseInt(text, 10);
  // After the command: state 3, parent 4, group 5, session 6, …, threads 20, start 22.
  const fields = text.slice(end + 1).trim().split(" ");
  const [state, parent, group, session] = fields;
  const threads = fields[17];
  const startTime = fields[19];
  if (end < 0 || state === undefined || threads === undefined || startTime === undefined || !/^[0-9]+$/.test(startTime)) return null;
  const numbers = [pid, Number(parent), Number(group), Number(session)];
  const [own = 0, parentPid = 0, groupId = 0, sessionId = 0] = numbers;
  if (!numbers.every((number) => Number.isSafeInteger(number))) return null;
  return { pid: own, parentPid, groupId, sessionId, startTime, zombie: isZombie(state, threads) };
}

/** A process whose first thread ended while others run shows `Z` and is alive. */
function isZombie(state: string, threads: string): boolean {
  return state === "X" || state === "x" || (state === "Z" && Number(threads) <= 1);
}

function readToken(path: string, token: string): TokenReading {
  try {
    return carriesToken(readStart(path, maximumEnvironmentBytes), token) ? "carried" : "absent";
  } catch (error) {
    return isGone(error) ? "gone" : "unreadable";
  }
}

/** Files of /proc report no size; their content ends where a read returns nothing. */
function readStart(path: string, maximum: number): Buffer {
  const file = openSync(path, "r");
  try {
    const parts: Buffer[] = [];
    for (let total = 0; total < maximum; ) {
      const part = Buffer.alloc(Math.min(65_536, maximum - total));
      const read = readSync(file, part, 0, part.length, null);
      if (read === 0) break;
      parts.push(part.subarray(0, read));
      total += read;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(file);
  }
}

/** `cmdline` holds the arguments, each with a NUL behind it; `NSpid` the pids from ours to the innermost (proc(5)). */
function readAppearance(directory: string): ProcessAppearance | null {
  try {
    const text = readStart(join(directory, "cmdline"), appearanceBytes).toString("utf8");
    const pids = /^NSpid:\s*(.*)$/m.exec(readTrimmed(join(directory, "status")) ?? "")?.[1]?.split(/\s+/) ?? [];
    const innerPid = Number(pids.at(-1));
    if (text === "" || !Number.isSafeInteger(innerPid)) return null;
    return { arguments: text.replace(/\0$/, "").split("\0"), innerPid };
  } catch {
    return null;
  }
}

/** Of `limits`, the hard limit stands second; of the users in `status`, the real one first (proc(5)). */
function readInheritance(directory: string): ProcessInheritance | null {
  const limit = /^Max realtime timeout\s+\S+\s+(\d+|unlimited)\s/m.exec(readTrimmed(join(directory, "limits")) ?? "")?.[1];
  const user = /^Uid:\s+(\d+)/m.exec(readTrimmed(join(directory, "status")) ?? "")?.[1];
  if (limit === undefined || user === undefined) return null;
  return { userId: Number(user), realtimeLimitUs: limit === "unlimited" ? unlimited : BigInt(limit) };
}

function readDescriptors(path: string): ReadonlyMap<number, string> {
  try {
    const links = readdirSync(path).map((name): [number, string] => [Number(name), readLink(join(path, name)) ?? ""]);
    return new Map(links);
  } catch {
    return new Map();
  }
}

function readTrimmed(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function isGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ESRCH";
}
