import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { escapeBytes, escapeUntrusted, throwIfAborted, type SourceReferenceEntry } from "@rea/core";
import type { SecretPatterns } from "./secret-patterns.js";

export interface SourceLimits {
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly depth: number;
}

export const sourceLimits: SourceLimits = { entries: 50_000, fileBytes: 64 * 1024 ** 2, totalBytes: 2 * 1024 ** 3, depth: 64 };

export interface WalkedFile {
  /** As it is for paths of this platform, `/` between segments. */
  readonly path: string;
  readonly shown: string;
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface SourceWalk {
  readonly root: string;
  readonly secrets: SecretPatterns;
  readonly limits: SourceLimits;
  readonly signal: AbortSignal;
  /** Shown each file while its bytes are at hand. */
  onFile(file: WalkedFile): Promise<void>;
}

export interface WalkedSources {
  readonly others: readonly Exclude<SourceReferenceEntry, { kind: "file" }>[];
  readonly exclusions: readonly { readonly path: string; readonly reason: "secret-pattern" | "version-control" | "dependencies"; readonly pattern: string | null }[];
  readonly left: { readonly entries: number; readonly totalBytes: number; readonly depth: number };
}

const versionControl: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ".jj"]);
const dependencies: ReadonlySet<string> = new Set(["node_modules", "bower_components", "jspm_packages"]);
const slash = Buffer.from("/");

/**
 * Reads every file below a directory once. Links are named and never followed, files that match a secret pattern are not
 * opened, and a directory that turns into a link while it is read counts as unreadable.
 */
export async function walkSources(walk: SourceWalk): Promise<WalkedSources> {
  const walker = new Walker(walk);
  await walker.directory({ place: Buffer.from(walk.root), path: "", shown: "", depth: 0 });
  return walker.found();
}

interface Place {
  /** Bytes of the path: names need not be valid text. */
  readonly place: Buffer;
  readonly path: string;
  readonly shown: string;
  readonly depth: number;
}

class Walker {
  readonly #walk: SourceWalk;
  readonly #others: Exclude<SourceReferenceEntry, { kind: "file" }>[] = [];
  readonly #exclusions: WalkedSources["exclusions"][number][] = [];
  readonly #left = { entries: 0, totalBytes: 0, depth: 0 };
  #entries = 0;
  #bytes = 0;

  constructor(walk: SourceWalk) {
    this.#walk = walk;
  }

  found(): WalkedSources {
    return { others: this.#others, exclusions: this.#exclusions, left: this.#left };
  }

  async directory({ place, path, shown, depth }: Place): Promise<void> {
    const { signal, limits } = this.#walk;
    throwIfAborted(signal, "import_reference_source");
    if (depth > limits.depth) {
      this.#left.depth += 1;
      return;
    }
    const names = this.#names(place);
    if (names === undefined) {
      this.#unreadable(shown, "unreadable");
      return;
    }
    for (const name of names) {
      const text = name.toString("utf8");
      const isText = Buffer.from(text, "utf8").equals(name);
      const own = isText ? escapeUntrusted(text) : escapeBytes(name, "utf-8");
      const below = { place: Buffer.concat([place, slash, name]), path: joined(path, text), shown: joined(shown, own), depth: depth + 1 };
      await this.#entry(below, text);
    }
  }

  /** Sorted by bytes; undefined for a directory that is not there any more, or is reached through a link now. */
  #names(place: Buffer): readonly Buffer[] | undefined {
    try {
      if (!isReal(place)) return undefined;
      const names = readdirSync(place, { encoding: "buffer" }).sort((a, b) => Buffer.compare(a, b));
      return isReal(place) ? names : undefined;
    } catch {
      // Said by the entry: this directory could not be read.
      return undefined;
    }
  }

  async #entry(at: Place, name: string): Promise<void> {
    const { limits, secrets } = this.#walk;
    if (this.#entries >= limits.entries) {
      this.#left.entries += 1;
      return;
    }
    this.#entries += 1;
    const stats = lstatOf(at.place);
    if (stats === undefined) return this.#unreadable(at.shown, "unreadable");
    const pattern = secrets.matching(at.path);
    if (pattern !== undefined) return this.#exclude(at.shown, "secret-pattern", escapeUntrusted(pattern));
    if (stats.isSymbolicLink()) return this.#link(at);
    if (stats.isDirectory()) {
      if (versionControl.has(name)) return this.#exclude(at.shown, "version-control", null);
      if (dependencies.has(name)) return this.#exclude(at.shown, "dependencies", null);
      return this.directory(at);
    }
    if (!stats.isFile()) return this.#unreadable(at.shown, "not_regular");
    return this.#file(at);
  }

  async #file({ place, path, shown }: Place): Promise<void> {
    const { limits, onFile } = this.#walk;
    const read = readOnce(place, limits.fileBytes);
    if (typeof read === "string") return this.#unreadable(shown, read);
    if (this.#bytes + read.byteLength > limits.totalBytes) {
      this.#left.totalBytes += 1;
      return;
    }
    this.#bytes += read.byteLength;
    await onFile({ path, shown, sha256: createHash("sha256").update(read).digest("hex"), bytes: read });
  }

  #link({ place, path, shown }: Place): void {
    const target = linkTarget(place);
    if (target === undefined) this.#unreadable(shown, "unreadable");
    else this.#others.push({ kind: "symlink", path: shown, target: escapeUntrusted(target), leads: leadsInside(path, target) ? "inside" : "outside" });
  }

  #unreadable(path: string, reason: Extract<SourceReferenceEntry, { kind: "unreadable" }>["reason"]): void {
    this.#others.push({ kind: "unreadable", path: path === "" ? "." : path, reason });
  }

  #exclude(path: string, reason: WalkedSources["exclusions"][number]["reason"], pattern: string | null): void {
    this.#exclusions.push({ path, reason, pattern });
  }
}

/** Whether a path leads where it says, through no link. */
function isReal(place: Buffer): boolean {
  const real = realpathSync.native(place, "buffer");
  if (process.platform !== "win32") return real.equals(place);
  const plain = (path: Buffer): string => path.toString("utf8").replaceAll("\\", "/").toLowerCase();
  return plain(real) === plain(place);
}

function joined(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

function lstatOf(place: Buffer) {
  try {
    return lstatSync(place);
  } catch {
    // Gone since the directory was listed, or not to be looked at.
    return undefined;
  }
}

function linkTarget(place: Buffer): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    // No link any more.
    return undefined;
  }
}

/** By the text of the link alone: nothing outside is looked at. */
function leadsInside(path: string, target: string): boolean {
  if (target.startsWith("/") || /^[A-Za-z]:|^\\/u.test(target)) return false;
  let depth = path.split("/").length - 1;
  for (const segment of target.split("/")) {
    if (segment === "..") depth -= 1;
    else if (segment !== "" && segment !== ".") depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

/** All bytes of a regular file, opened without following a link. */
function readOnce(place: Buffer, most: number): Uint8Array<ArrayBuffer> | "unreadable" | "not_regular" | "too_large" | "changed_while_read" {
  let handle: number | undefined;
  try {
    handle = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile()) return "not_regular";
    if (stats.size > most) return "too_large";
    const bytes = new Uint8Array(stats.size);
    let at = 0;
    while (at < bytes.byteLength) {
      const read = readSync(handle, bytes, at, bytes.byteLength - at, at);
      if (read === 0) return "changed_while_read";
      at += read;
    }
    return fstatSync(handle).size === stats.size ? bytes : "changed_while_read";
  } catch {
    // The kind of failure is the answer.
    return "unreadable";
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
