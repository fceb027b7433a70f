import { randomUUID } from "node:crypto";
import { mkdtemp, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReaError } from "@rea/core";
import type { SessionFiles } from "../session-files.js";

/** A picture on disk; `undo` takes it back while nobody was told of it. */
export interface WrittenScreenshot {
  readonly path: string;
  readonly undo: () => Promise<void>;
}

export interface ScreenshotFiles {
  write(png: Uint8Array, sha256: string): Promise<WrittenScreenshot>;
}

/**
 * Keeps pictures in one directory of the session that only this user can read, each named by its digest. They belong to the
 * caller and stay when the session ends.
 */
export function createScreenshotFiles(files: SessionFiles, parent: string = tmpdir()): ScreenshotFiles {
  let directory: Promise<string> | null = null;
  return {
    write: async (png, sha256) => {
      try {
        directory ??= mkdtemp(join(parent, "rea-screenshots-"));
        const path = join(await directory, `${sha256}.png`);
        if (files.wrote(path, sha256)) return { path, undo: () => Promise.resolve() };
        const partial = `${path}.${randomUUID()}`;
        await writeFile(partial, png, { mode: 0o600, flag: "wx" });
        await rename(partial, path);
        files.add(path, sha256);
        return { path, undo: () => takeBack(path, files) };
      } catch (error) {
        directory = null;
        throw new ReaError("execution_failure", {
          message: "The picture could not be written to the directory for temporary files. Make room there, or make it writable.",
          details: { operation: "capture_web_screenshot", reason: "io" },
          action: "Check the directory for temporary files and call again.",
          cause: error,
        });
      }
    },
  };
}

async function takeBack(path: string, files: SessionFiles): Promise<void> {
  files.remove(path);
  await rm(path, { force: true });
  // It stays where other pictures are in it.
  await rmdir(join(path, "..")).catch(() => undefined);
}
