import { createHash } from "node:crypto";
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, realpathSync, type BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { join, relative, resolve } from "node:path";
import { compareCodePoints, sha256Hex, throwIfAborted, type EntryFacts } from "@rea/core";

export interface SnapshotLimits {
  /** Entries of all kinds, of all roots together. */
  readonly files: number;
  /** Of one file that is read. */
  readonly file_bytes: number;
  readonly filesystem_depth: number;
}

export interface SnapshotRequest {
  readonly roots: readonly string[];
  /** Our own directory: never part of what is observed, unless it is a root itself. */
  readonly own: string;
  readonly limits: SnapshotLimits;
  /** The one before: what has not been touched since need not be read again. */
  readonly previous: Snapshot | null;
  readonly signal: AbortSignal;
}

/** An entry with what tells whether it was touched. */
export interface SnapshotEntry {
  readonly facts: EntryFacts;
  /** Device, inode, size, and the times of last write and change; null for what could not be looked at. */
  readonly stamp: string | null;
  /** It was written so shortly before it was read that a later write might not show. */
  readonly fresh: boolean;
}

export interface RootSnapshot {
  readonly state: "complete" | "partial" | "missing" | "unreadable";
  /** By path below the root, `.` for the root itself. */
  readonly entries: ReadonlyMap<string, SnapshotEntry>;
  /** What bounds and refusals left out. */
  readonly missed: { readonly depth: number; readonly files: number; readonly unreadable: number; readonly contents: number };
  /** Paths that could not be looked at, or not everything below; what is not listed there may be there. */
  readonly blind: ReadonlySet<string>;
}

export interface Snapshot {
  readonly roots: readonly RootSnapshot[];
}

/** How long the event loop may be held. */
const sliceMs = 8;
/** The kernel stamps by its timer's tick; what was written this shortly before we read it may be written again unseen. */
const freshMs = 50;
/** More blind spots than this and the whole root counts as one. */
const maximumBlindSpots = 10_000;
const chunk = Buffer.allocUnsafe(256 * 1024);

/** Looks at directories: an lstat walk that follows no link, with digests of files that did not change while they were read. */
export async function takeSnapshot(request: SnapshotRequest): Promise<Snapshot> {
  const budget = { left: request.limits.files };
  const pace = new Pace(request.signal);
  const roots: RootSnapshot[] = [];
  for (const [index, root] of request.roots.entries()) {
    roots.push(await new RootWalk(request, root, { previous: request.previous?.roots[index], budget, pace }).run());
  }
  return { roots };
}

/** Lets others go on between small pieces of work, and hears a cancel. */
class Pace {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async step(): Promise<void> {
    if (performance.now() - this.#since < sliceMs) return;
    await new Promise((go) => setImmediate(go));
    throwIfAborted(this.#signal, "capture_process_scenario");
    this.#since = performance.now();
  }
}

interface WalkState {
  readonly previous: RootSnapshot | undefined;
  readonly budget: { left: number };
  readonly pace: Pace;
}

class RootWalk {
  readonly #request: SnapshotRequest;
  readonly #root: string;
  readonly #state: WalkState;
  readonly #entries = new Map<string, SnapshotEntry>();
  readonly #missed = { depth: 0, files: 0, unreadable: 0, contents: 0 };
  readonly #blind = new Set<string>();

  constructor(request: SnapshotRequest, root: string, state: WalkState) {
    this.#request = request;
    this.#root = resolve(root);
    this.#state = state;
  }

  async run(): Promise<RootSnapshot> {
    const start = statOf(this.#root);
    if (typeof start === "string") {
      if (start !== "ENOENT") this.#blind.add(".");
      return { state: start === "ENOENT" ? "missing" : "unreadable", entries: this.#entries, missed: this.#missed, blind: this.#blind };
    }
    this.#add(".", this.#root, start);
    if (start.isDirectory()) await this.#directory(this.#root, 0);
    const { depth, files, unreadable } = this.#missed;
    return { state: depth + files + unreadable === 0 ? "complete" : "partial", entries: this.#entries, missed: this.#missed, blind: this.#blind };
  }

  async #directory(path: string, depth: number): Promise<void> {
    const names = namesIn(path);
    if (names === null) return this.#miss("unreadable", path);
    if (depth >= this.#request.limits.filesystem_depth && names.length > 0) return this.#miss("depth", path, names.length);
    const below: string[] = [];
    for (const name of names) {
      await this.#state.pace.step();
      const at = join(path, name);
      if (at === this.#request.own) continue;
      const stat = statOf(at);
      if (typeof stat === "string") {
        // What is gone by now was not there.
        if (stat !== "ENOENT") this.#miss("unreadable", at);
        continue;
      }
      if (this.#state.budget.left <= 0) {
        this.#miss("files", path);
        continue;
      }
      this.#add(relative(this.#root, at), at, stat);
      if (stat.isDirectory()) below.push(at);
    }
    for (const at of below) await this.#directory(at, depth + 1);
  }

  #miss(kind: "depth" | "files" | "unreadable", path: string, count = 1): void {
    this.#missed[kind] += count;
    const spot = relative(this.#root, path) || ".";
    if (this.#blind.size < maximumBlindSpots) this.#blind.add(spot);
    else this.#blind.add(".");
  }

  #add(key: string, path: string, stat: BigIntStats): void {
    this.#state.budget.left -= 1;
    const stamp = stampOf(stat);
    const before = this.#state.previous?.entries.get(key);
    const untouched = before !== undefined && before.stamp === stamp && !before.fresh;
    const facts = untouched && before.facts.sha256 !== null ? before.facts : this.#factsOf(path, stat);
    this.#entries.set(key, { facts, stamp, fresh: isFresh(stat) });
  }

  #factsOf(path: string, stat: BigIntStats): EntryFacts {
    const mode = Number(stat.mode & 0o7777n).toString(8).padStart(4, "0");
    if (stat.isDirectory()) return { kind: "directory", bytes: null, mode, sha256: null };
    if (stat.isSymbolicLink()) return this.#linkFacts(path, mode);
    if (!stat.isFile()) return { kind: "special", bytes: null, mode, sha256: null };
    const sha256 = stat.size <= BigInt(this.#request.limits.file_bytes) ? digestOf(path, stat) : null;
    if (sha256 === null) this.#missed.contents += 1;
    return { kind: "file", bytes: safe(stat.size), mode, sha256 };
  }

  #linkFacts(path: string, mode: string): EntryFacts {
    const target = linkText(path);
    const inside = target !== null && isInside(resolve(path, "..", target), this.#root);
    const sha256 = target === null ? null : sha256Hex(Buffer.from(target));
    return { kind: inside ? "symlink" : "outside_link", bytes: null, mode, sha256 };
  }
}

function isInside(path: string, root: string): boolean {
  const from = relative(realOf(root), realOf(path));
  return from === "" || (!from.startsWith("..") && !from.startsWith("/"));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Null when it could not be read, or changed while it was. */
function digestOf(path: string, seen: BigIntStats): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const hash = createHash("sha256");
      let left = seen.size;
      for (let read = readSync(file, chunk, 0, chunk.length, null); read > 0; read = readSync(file, chunk, 0, chunk.length, null)) {
        left -= BigInt(read);
        // It grows as fast as it is read.
        if (left < 0n) return null;
        hash.update(chunk.subarray(0, read));
      }
      return stampOf(fstatSync(file, { bigint: true })) === stampOf(seen) ? hash.digest("hex") : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function stampOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join(":");
}

function isFresh({ ctimeMs }: BigIntStats): boolean {
  return Number(ctimeMs) > Date.now() - freshMs;
}

function safe(size: bigint): number | null {
  return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : null;
}

/** The error's code when it cannot be looked at. */
function statOf(path: string): BigIntStats | string {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
  }
}

/** Null when it cannot be listed; what is gone by now has no names. */
function namesIn(path: string): string[] | null {
  try {
    return readdirSync(path).sort(compareCodePoints);
  } catch {
    return statOf(path) === "ENOENT" ? [] : null;
  }
}

function linkText(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
