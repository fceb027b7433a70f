// A cheap fingerprint of everything the bundles are built from: path, size and modification time, no content is read.
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { memberDirectories, root } from "./workspace.mjs";

const buildFiles = ["pnpm-lock.yaml", "tsconfig.base.json", "scripts/bundle.mjs", "scripts/bundle-catalogue.mjs", "scripts/engine-build.mjs", "scripts/code-loader.mjs"];

export function sourceStamp() {
  const hash = createHash("sha256");
  for (const file of buildFiles) addFile(hash, file);
  for (const member of memberDirectories()) {
    addFile(hash, `${member}/package.json`);
    addTree(hash, `${member}/src`);
    addTree(hash, `${member}/bridge`);
  }
  return hash.digest("hex");
}

function addTree(hash, directory) {
  for (const entry of listDirectory(directory)) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) addTree(hash, path);
    else if (!entry.name.endsWith(".test.ts")) addFile(hash, path);
  }
}

function listDirectory(directory) {
  try {
    return readdirSync(join(root, directory), { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function addFile(hash, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  hash.update(stat ? `${path}\0${stat.size}\0${stat.mtimeMs}\n` : `${path}\0absent\n`);
}
