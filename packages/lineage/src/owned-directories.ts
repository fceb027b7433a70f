import { createHash } from "node:crypto";
import { chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { hostTable } from "./host-table.js";
import { isSameProcess, type ProcessTable } from "./process-table.js";

/** Names of the temporary directories that are claimed when they are made. */
const claimed = /^rea-(?:browser|capture|engine)-[A-Za-z0-9]{6}$/;
const ownerFile = "owner";
const maximumOwnerBytes = 256;
const maximumSweepMs = 2_000;
const swept = new Map<string, Promise<number>>();

/** Writes into a fresh directory which process made it, so that a later one can tell whether it is still used. */
export async function claimDirectory(path: string, table: ProcessTable = hostTable()): Promise<void> {
  const row = await table.read(process.pid);
  if (row !== null) writeFileSync(join(path, ownerFile), `${String(row.pid)}\n${row.startTime}\n${scopeOf(table)}\n`, { flag: "wx", mode: 0o600 });
}

/** Removes, once in the life of this process, what killed ones left in a directory for temporary files; never throws. */
export async function sweepOnce(parent: string): Promise<void> {
  const sweeping = swept.get(parent) ?? sweepStale(parent).catch(() => 0);
  swept.set(parent, sweeping);
  await sweeping;
}

/**
 * Removes directories that were claimed by processes that are no more; returns how many. One is removed only when it is
 * ours alone, and its owner ran under this boot, in this pid namespace, and is not listed with its start time any more.
 */
export async function sweepStale(parent: string, table: ProcessTable = hostTable()): Promise<number> {
  if (table.unreadable !== null) return 0;
  const deadline = Date.now() + maximumSweepMs;
  let removed = 0;
  for (const name of (await readdir(parent)).filter((each) => claimed.test(each))) {
    const path = join(parent, name);
    if (Date.now() > deadline) break;
    if (!isOursAlone(path) || !(await isAbandoned(path, table))) continue;
    const gone = await rm(path, { recursive: true, force: true }).then(() => true, () => removeTree(path));
    if (gone) removed += 1;
  }
  return removed;
}

/** Removes a tree, also where programs took the right to change its directories away; false when something is left. */
export function removeTree(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    return true;
  } catch {
    return removeOpened(path);
  }
}

function removeOpened(path: string): boolean {
  try {
    openDirectories(path);
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

function openDirectories(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory()) openDirectories(join(path, entry.name));
}

function isOursAlone(path: string): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() && (stat.mode & 0o077) === 0 && (process.getuid === undefined || stat.uid === process.getuid());
  } catch {
    return false;
  }
}

async function isAbandoned(path: string, table: ProcessTable): Promise<boolean> {
  const [pid = "", startTime = "", scope = ""] = readOwner(join(path, ownerFile)).split("\n");
  if (scope !== scopeOf(table) || !/^[1-9][0-9]{0,9}$/.test(pid)) return false;
  const now = await table.read(Number(pid));
  return now === null || now.zombie || !isSameProcess(now, { pid: Number(pid), startTime });
}

function readOwner(path: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return lstatSync(path).size <= maximumOwnerBytes ? readFileSync(file, "utf8") : "";
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** Where a pid means what it means here: this boot and pid namespace, or this host where there are neither. */
function scopeOf(table: ProcessTable): string {
  const place = [table.bootId ?? hostname(), table.pidNamespace(process.pid) ?? ""];
  return createHash("sha256").update(JSON.stringify(place)).digest("hex").slice(0, 16);
}
