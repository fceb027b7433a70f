// Names the code that kept analyses depend on: the engine, the readers of executables, artifacts and JavaScript, what they share,
// and their dependencies.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

const files = ["pnpm-lock.yaml", "tsconfig.base.json", "scripts/bundle.mjs"];
const packages = ["packages/core", "packages/binary", "packages/engine", "packages/artifact", "packages/javascript"];

/** Digest of the contents, the same wherever the sources lie. */
export function engineBuild() {
  const hash = createHash("sha256");
  for (const file of [...files, ...packages.flatMap((member) => [`${member}/package.json`, ...sources(`${member}/src`)])]) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function sources(directory) {
  const entries = readdirSync(join(root, directory), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = `${directory}/${entry.name}`;
      if (entry.isDirectory()) return sources(path);
      return entry.name.endsWith(".test.ts") ? [] : [path];
    })
    .sort();
}
