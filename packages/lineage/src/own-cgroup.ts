import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** A cgroup (version 2) that holds one run and nothing else. */
export interface OwnCgroup {
  readonly path: string;
  /** Runs `start` with ourselves in the cgroup, so that the child is in it from its first instant; then moves back. */
  readonly startInside: <T>(start: () => T) => T;
  /** Pids of all members, those of nested cgroups included. */
  readonly members: () => ReadonlySet<number>;
  readonly isEmpty: () => boolean;
  /** Kills all members at once; does nothing while we are one of them. */
  readonly end: () => void;
  /** Removes the empty directories; false when something is left. */
  readonly remove: () => boolean;
}

export interface CgroupHost {
  readonly proc?: string;
}

/**
 * Makes a cgroup below our own one (Linux `cgroup-v2.rst`: membership is inherited and `cgroup.kill` ends all members).
 * Returns the reason when the host does not let us.
 */
export function createOwnCgroup({ proc = "/proc" }: CgroupHost = {}): OwnCgroup | { readonly refused: string } {
  const parent = ownDirectory(proc);
  if (typeof parent !== "string") return parent;
  // What watches over it reads blank-separated words.
  if (/\s/.test(parent)) return { refused: "the path of our own cgroup holds a blank" };
  const path = join(parent, `rea-${randomBytes(8).toString("hex")}`);
  try {
    accessSync(join(parent, "cgroup.procs"), constants.W_OK);
    mkdirSync(path);
  } catch {
    return { refused: "no cgroup may be made below our own one" };
  }
  if (existsSync(join(path, "cgroup.kill"))) return new DirectoryCgroup(path, parent);
  removeTree(path);
  return { refused: "the kernel has no cgroup.kill" };
}

class DirectoryCgroup implements OwnCgroup {
  readonly path: string;
  readonly #parent: string;

  constructor(path: string, parent: string) {
    this.path = path;
    this.#parent = parent;
  }

  startInside<T>(start: () => T): T {
    writeFileSync(join(this.path, "cgroup.procs"), String(process.pid));
    try {
      return start();
    } finally {
      writeFileSync(join(this.#parent, "cgroup.procs"), String(process.pid));
    }
  }

  members(): ReadonlySet<number> {
    return new Set(directories(this.path).flatMap((directory) => pidsOf(directory)));
  }

  isEmpty(): boolean {
    return /^populated 0$/m.test(readText(join(this.path, "cgroup.events")) ?? "populated 0");
  }

  end(): void {
    if (this.members().has(process.pid)) return;
    try {
      writeFileSync(join(this.path, "cgroup.kill"), "1");
    } catch (error) {
      if (existsSync(this.path)) throw error;
    }
  }

  remove(): boolean {
    return removeTree(this.path);
  }
}

/** The directory of the cgroup we are in (proc(5): `0::PATH`), below the mount that shows it. */
function ownDirectory(proc: string): string | { readonly refused: string } {
  const own = /^0::(.*)$/m.exec(readText(join(proc, "self/cgroup")) ?? "")?.[1];
  if (own === undefined) return { refused: "we are in no cgroup of version 2" };
  for (const line of (readText(join(proc, "self/mountinfo")) ?? "").split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    if (!after.startsWith("cgroup2 ")) continue;
    const [, , , root = "/", mountPoint = ""] = before.split(" ");
    const inside = relative(root, own);
    if (!inside.startsWith("..")) return join(mountPoint, inside);
  }
  return { refused: "no cgroup file system of version 2 is mounted" };
}

/** The directory and all below it, deepest last. */
function directories(path: string): string[] {
  if (!existsSync(path)) return [];
  const inner = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [path, ...inner.flatMap(({ name }) => directories(join(path, name)))];
}

function pidsOf(directory: string): number[] {
  return (readText(join(directory, "cgroup.procs")) ?? "").split("\n").filter((line) => line !== "").map(Number);
}

function removeTree(path: string): boolean {
  try {
    for (const directory of directories(path).reverse()) rmdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
