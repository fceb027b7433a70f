import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimDirectory, removeTree, sweepOnce } from "@rea/lineage";

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

/** What earlier captures had to leave because they were killed goes before the first one. */
export async function makeOwnedDirectory(): Promise<OwnedDirectory> {
  await sweepOnce(tmpdir());
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rea-capture-")));
  await claimDirectory(root);
  const [home, work, shims, traces] = ["home", "work", "shims", "traces"].map((name) => join(root, name));
  for (const path of [home, work, shims, traces]) if (path !== undefined) mkdirSync(path, { mode: 0o700 });
  return {
    root,
    home: join(root, "home"),
    work: join(root, "work"),
    shims: join(root, "shims"),
    traces: join(root, "traces"),
    remove: () => removeTree(root),
  };
}
