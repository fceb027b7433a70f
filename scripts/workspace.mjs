// Where things are in this workspace, found without starting a package manager.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every member directory, relative to the root, with `/` separators: `packages/core`, `apps/cli`, … */
export function memberDirectories() {
  return ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, group, entry.name, "package.json")))
      .map((entry) => `${group}/${entry.name}`)
      .sort(),
  );
}

export function readManifest(directory) {
  return JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"));
}
