import { createHash } from "node:crypto";
import { closeSync, constants, lstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { packFileName, packHeader, temporaryPackName } from "./pack-names.js";

/** Why a cache directory is not used; `missing` before anything was kept. */
export type ApplicationCacheRefusal = "missing" | "linked" | "not_a_directory" | "foreign" | "writable_by_others";

interface CacheFile {
  readonly name: string;
  readonly bytes: number;
  readonly usedAt: Date;
  readonly isTemporary: boolean;
  /** Written by the given version of the code. */
  readonly isCurrent: boolean;
}

export interface ApplicationCacheReport {
  readonly refusal: ApplicationCacheRefusal | undefined;
  /** Last used first. */
  readonly packs: readonly { readonly bytes: number; readonly usedAt: Date; readonly current: boolean }[];
  readonly bytes: number;
}

/** What is kept of applications. Throws nothing of its own; a directory that is not used is reported empty. */
export function reportApplicationCache(directory: string, version: string | undefined): ApplicationCacheReport {
  const files = ownFiles(directory, version);
  const packs = files.filter(({ isTemporary }) => !isTemporary).map(({ bytes, usedAt, isCurrent }) => ({ bytes, usedAt, current: isCurrent }));
  return { refusal: refusalOf(directory), packs: packs.sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime()), bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Removes our files and nothing else, never through a link; the directory stays. */
export function clearApplicationCache(directory: string): { readonly refusal: ApplicationCacheRefusal | undefined; readonly removed: number; readonly freedBytes: number; readonly left: number } {
  const files = ownFiles(directory, undefined);
  const removed = files.filter(({ name }) => removes(join(directory, name)));
  return { refusal: refusalOf(directory), removed: removed.length, freedBytes: removed.reduce((sum, { bytes }) => sum + bytes, 0), left: files.length - removed.length };
}

function refusalOf(directory: string): ApplicationCacheRefusal | undefined {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) return "missing";
  if (stats.isSymbolicLink() || lstatSync(dirname(directory)).isSymbolicLink()) return "linked";
  if (!stats.isDirectory()) return "not_a_directory";
  if (process.getuid !== undefined && stats.uid !== process.getuid()) return "foreign";
  return process.getuid !== undefined && (stats.mode & 0o022) !== 0 ? "writable_by_others" : undefined;
}

function ownFiles(directory: string, version: string | undefined): readonly CacheFile[] {
  if (refusalOf(directory) !== undefined) return [];
  return readdirSync(directory).flatMap((name) => {
    const isTemporary = temporaryPackName.test(name);
    if (!isTemporary && !packFileName.test(name)) return [];
    const stats = lstatSync(join(directory, name), { throwIfNoEntry: false });
    if (stats?.isFile() !== true || (process.getuid !== undefined && stats.uid !== process.getuid())) return [];
    return [{ name, bytes: stats.size, usedAt: stats.mtime, isTemporary, isCurrent: version !== undefined && beginsWith(join(directory, name), packHeader(createHash("sha256").update(version).digest())) }];
  });
}

function beginsWith(path: string, header: Buffer): boolean {
  try {
    const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const bytes = Buffer.alloc(header.byteLength);
      return readSync(handle, bytes, 0, bytes.byteLength, 0) === bytes.byteLength && bytes.equals(header);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Not to be read: of no version that is used.
    return false;
  }
}

function removes(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    // Said by the count of what is left.
    return false;
  }
}
