// Rebuilds the bundles when a source changed. The usual case, nothing changed, costs one directory walk.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceStamp } from "./source-stamp.mjs";
import { memberDirectories, root } from "./workspace.mjs";

export async function ensureBundled() {
  const stamp = sourceStamp();
  if (builtStamps().every((built) => built === stamp)) return;
  const [{ say }, { bundleApps }] = await Promise.all([import("./say.mjs"), import("./bundle.mjs")]);
  say("building");
  await bundleApps({ stamp });
}

function builtStamps() {
  return memberDirectories()
    .filter((member) => member.startsWith("apps/"))
    .map((app) => readStamp(join(root, app, "dist", "bundle.stamp")));
}

function readStamp(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
