import { accessSync, constants, lstatSync, mkdirSync, readdirSync, rmSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

/** A file of the cache. */
interface CacheFile {
  /** `<64 hex digits>.program`, or with `.<16 hex digits>.tmp` behind it while it is being written. */
  readonly name: string;
  readonly bytes: number;
  /** When it was last written or read. */
  readonly usedAt: Date;
  readonly temporary: boolean;
}

/** Why a directory is not used as a cache, in fixed words. */
export type Refusal = "missing" | "linked" | "not_a_directory" | "foreign" | "writable_by_others" | "unreadable";

const entryName = /^[0-9a-f]{64}\.program(\.[0-9a-f]{16}\.tmp)?$/;

/** A directory is used when it is one, not through a link, and nobody else can write to it. Undefined when it is fit. */
export function refusalOf(directory: string): Refusal | undefined {
  try {
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    if (stats === undefined) return "missing";
    if (stats.isSymbolicLink() || lstatSync(dirname(directory)).isSymbolicLink()) return "linked";
    if (!stats.isDirectory()) return "not_a_directory";
    if (!isOwn(stats)) return "foreign";
    if (process.getuid !== undefined && (stats.mode & 0o022) !== 0) return "writable_by_others";
    accessSync(directory, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (isSystemError(error)) return "unreadable";
    throw error;
  }
}

/** Makes the directory where it is missing; says why it cannot be used. */
export function prepareDirectory(directory: string): Refusal | undefined {
  const refusal = refusalOf(directory);
  if (refusal !== "missing") return refusal;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (isSystemError(error)) return "unreadable";
    throw error;
  }
  return refusalOf(directory);
}

/** Our regular files of the cache by name; empty where the directory is not fit to be used. */
export function listFiles(directory: string): readonly CacheFile[] {
  if (refusalOf(directory) !== undefined) return [];
  return readdirSync(directory)
    .sort()
    .flatMap((name) => {
      const match = entryName.exec(name);
      const stats = match === null ? undefined : lstatSync(join(directory, name), { throwIfNoEntry: false });
      if (match === null || stats?.isFile() !== true || !isOwn(stats)) return [];
      return [{ name, bytes: stats.size, usedAt: stats.mtime, temporary: match[1] !== undefined }];
    });
}

/** True when the file is gone afterwards. */
export function removeFile(directory: string, { name }: CacheFile): boolean {
  try {
    rmSync(join(directory, name), { force: true });
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

const staleMs = 60 * 60_000;

/** Removes the least recently used until the rest fits, and what interrupted writers left behind. */
export function trim(directory: string, maximumBytes: number, keep: string): void {
  const files = listFiles(directory);
  for (const file of files) if (file.temporary && Date.now() - file.usedAt.getTime() > staleMs) removeFile(directory, file);
  const entries = files.filter(({ temporary }) => !temporary);
  let bytes = entries.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of entries.sort((a, b) => a.usedAt.getTime() - b.usedAt.getTime())) {
    if (bytes <= maximumBytes) return;
    if (file.name !== keep && removeFile(directory, file)) bytes -= file.bytes;
  }
}

export function isOwn({ uid }: Pick<Stats, "uid">): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
}
