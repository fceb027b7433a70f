import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { ProcessTable } from "./process-table.js";
import type { ChildCommand } from "./start-child.js";

/**
 * A random limit on the real-time CPU time of a run's processes (RLIMIT_RTTIME, setrlimit(2)): so high that nobody ever
 * meets it, inherited by every fork, kept by every exec, and lowered but never raised again without privilege. Unlike the
 * run token it is still there when a process has emptied its environment.
 */
export type RunMark = bigint;

/** RLIM_INFINITY. */
export const unlimited = (1n << 64n) - 1n;
/** Marks lie between these: about 100,000 years of microseconds. */
const highestMark = 1n << 62n;
export const lowestMark = 1n << 61n;
/** util-linux puts it there; names are not looked up in PATH. */
const programs = ["/usr/bin/prlimit", "/bin/prlimit"];

/** The program that gives a run its limit, or null. */
export function findPrlimit(): string | null {
  return process.platform === "linux" ? (programs.find((path) => existsSync(path)) ?? null) : null;
}

/**
 * A new mark below our own limit, so that a run inside a run is marked too; null where our limit leaves no room for one.
 * 44 random bits tell runs apart.
 */
export function createRunMark(table: ProcessTable): RunMark | null {
  const own = table.inheritance(process.pid)?.realtimeLimitUs ?? null;
  if (own === null) return null;
  const below = own < highestMark ? own : highestMark;
  const mark = below - 1n - (randomBytes(8).readBigUInt64BE() >> 20n);
  return mark >= lowestMark ? mark : null;
}

/** The command with the mark set on its process before it becomes the program. */
export function markedCommand(command: ChildCommand, prlimit: string, mark: RunMark): ChildCommand {
  const limit = mark.toString();
  return { ...command, file: prlimit, args: [`--rttime=${limit}:${limit}`, "--", command.file, ...command.args] };
}
