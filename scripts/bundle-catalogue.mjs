// Computes the tool catalogue at build time: what `tools/list` answers, without loading the tools.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./workspace.mjs";

// docgen depends on both packages, so their names resolve from there.
const resolveFrom = join(root, "packages", "docgen");

/** Returns the catalogue as JSON text, or undefined while no tool is defined. */
export async function buildCatalogue() {
  if (!isDefined()) return undefined;
  const result = await build({
    stdin: {
      contents: 'import{tools}from"@rea/tools";import{toCatalogue}from"@rea/tool";export default toCatalogue(tools);',
      resolveDir: resolveFrom,
    },
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@rea/source"],
    logLevel: "warning",
  });
  const directory = mkdtempSync(join(resolveFrom, "node_modules", ".catalogue-"));
  try {
    const file = join(directory, "catalogue.mjs");
    writeFileSync(file, result.outputFiles[0].contents);
    const { default: catalogue } = await import(pathToFileURL(file).href);
    return JSON.stringify(catalogue);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function isDefined() {
  return mentions("packages/tools/src/index.ts", /\btools\b/) && mentions("packages/tool/src/index.ts", /\btoCatalogue\b/);
}

function mentions(file, pattern) {
  const path = join(root, file);
  return existsSync(path) && pattern.test(readFileSync(path, "utf8"));
}
