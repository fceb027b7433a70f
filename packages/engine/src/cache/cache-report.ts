import { join } from "node:path";
import { listFiles, refusalOf, removeFile, type Refusal } from "./cache-directory.js";
import { describeCacheFile } from "./cache-file.js";
import { sectionsVersion } from "./program-sections.js";
import { DamagedCache } from "./sections.js";

/** One analysis on disk. */
export interface KeptAnalysis {
  /** Digest of the target; null where the file is damaged. */
  readonly targetSha256: string | null;
  readonly bytes: number;
  /** When it was last written or read. */
  readonly usedAt: Date;
  /** True for an analysis of the given version: another one's is never used, and goes in its turn. */
  readonly current: boolean;
}

export interface CacheReport {
  /** Why the directory is not used; `missing` before anything was kept. */
  readonly refusal: Refusal | undefined;
  /** Last used first. */
  readonly analyses: readonly KeptAnalysis[];
  /** Bytes of all files, those included that writers left unfinished. */
  readonly bytes: number;
}

/** What a cache directory holds. Throws nothing of its own; a directory that is not used is reported empty. */
export function reportCache(directory: string, version: string | undefined): CacheReport {
  const files = listFiles(directory);
  const analyses = files
    .filter(({ temporary }) => !temporary)
    .map(({ name, bytes, usedAt }) => {
      const header = headerOf(join(directory, name));
      const current = version !== undefined && header?.isOf(version, sectionsVersion) === true;
      return { targetSha256: header?.target ?? null, bytes, usedAt, current };
    })
    .sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime());
  return { refusal: refusalOf(directory), analyses, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
}

function headerOf(path: string): ReturnType<typeof describeCacheFile> {
  try {
    return describeCacheFile(path);
  } catch (error) {
    if (error instanceof DamagedCache) return undefined;
    throw error;
  }
}

/** Removes the files of the cache and nothing else, never through a link; the directory stays. */
export function clearCache(directory: string): { readonly refusal: Refusal | undefined; readonly removed: number; readonly freedBytes: number; readonly left: number } {
  const files = listFiles(directory);
  const removed = files.filter((file) => removeFile(directory, file));
  return {
    refusal: refusalOf(directory),
    removed: removed.length,
    freedBytes: removed.reduce((sum, file) => sum + file.bytes, 0),
    left: files.length - removed.length,
  };
}
