import { existsSync } from "node:fs";
import { opendir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { InFlight } from "./in-flight.js";

const removedAtOnce = 16;

/** Removes an output directory, following no link; what is still there afterwards. */
export async function removeTree(root: string): Promise<readonly string[]> {
  try {
    await removeDirectory(root);
  } catch (error) {
    // What could not be removed is told below, whatever the host called it.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return existsSync(root) ? [root] : [];
}

/** Many files at a time: a host that writes a journal lets each of them wait for the same turn of it. */
async function removeDirectory(path: string): Promise<void> {
  const inside: string[] = [];
  const unlinking = new InFlight(removedAtOnce);
  try {
    for await (const entry of await opendir(path)) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) inside.push(child);
      else await unlinking.start(() => unlink(child));
    }
  } finally {
    await unlinking.settled();
  }
  for (const directory of inside) await removeDirectory(directory);
  await rmdir(path);
}
