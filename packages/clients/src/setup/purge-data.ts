import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClientHost } from "../table/client-host.js";

/** REA's own data that is there: `~/.rea/cache` and `~/.rea/state`. Never through a link. */
export function purgeable(host: ClientHost): readonly string[] {
  const root = join(host.home, ".rea");
  if (!isOwnDirectory(root)) return [];
  return ["cache", "state"].map((name) => join(root, name)).filter(isOwnDirectory);
}

function isOwnDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Removes the directories; links inside are removed, not followed. */
export function purgeData(paths: readonly string[]): { readonly done: readonly string[]; readonly failed: readonly string[] } {
  const done: string[] = [];
  const failed: string[] = [];
  for (const path of paths) {
    try {
      if (isOwnDirectory(path)) rmSync(path, { recursive: true, force: true });
      done.push(path);
    } catch {
      // Said in the result; the next one is tried.
      failed.push(path);
    }
  }
  return { done, failed };
}
