import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Pids of live processes whose environment or command line holds a text that a test made up. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => !isZombie(name) && (holds(`/proc/${name}/environ`, text) || holds(`/proc/${name}/cmdline`, text)))
    .map(Number);
}

/** Waits until exactly this many are left; returns how many there are in the end. */
export async function countSettlesAt(text: string, count: number, timeMs = 20_000): Promise<number> {
  const deadline = Date.now() + timeMs;
  while (processesWith(text).length !== count && Date.now() < deadline) await sleep(20);
  return processesWith(text).length;
}

/** Waits until at least this many are there. */
export async function countReaches(text: string, count: number, timeMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeMs;
  while (processesWith(text).length < count) {
    if (Date.now() > deadline) throw new Error(`${String(processesWith(text).length)} of ${String(count)} processes came up`);
    await sleep(10);
  }
}

function holds(path: string, text: string): boolean {
  try {
    return readFileSync(path).includes(text);
  } catch {
    return false;
  }
}

function isZombie(pid: string): boolean {
  try {
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}
