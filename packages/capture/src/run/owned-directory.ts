import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh private directory for one run. */
export interface OwnedDirectory {
  readonly root: string;
  readonly home: string;
  readonly work: string;
  /** Where command shims lie; first in the program's PATH when there are any. */
  readonly shims: string;
  readonly traces: string;
  /** False when something is left of it. Safe to call twice. */
  readonly remove: () => boolean;
}

export function makeOwnedDirectory(): OwnedDirectory {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rea-capture-")));
  const [home, work, shims, traces] = ["home", "work", "shims", "traces"].map((name) => join(root, name));
  for (const path of [home, work, shims, traces]) if (path !== undefined) mkdirSync(path, { mode: 0o700 });
  return {
    root,
    home: join(root, "home"),
    work: join(root, "work"),
    shims: join(root, "shims"),
    traces: join(root, "traces"),
    remove: () => {
      try {
        rmSync(root, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
        return true;
      } catch {
        return false;
      }
    },
  };
}
