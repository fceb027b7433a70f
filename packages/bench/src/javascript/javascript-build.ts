import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const packages = join(import.meta.dirname, "..", "..", "..");

/** Bundles what is measured, as the apps are: one script, and one for each kind of thread beside it. Answers the module to run. */
export async function buildMeasured(directory: string): Promise<string> {
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  await build({
    entryPoints: {
      measured: join(packages, "bench", "src", "javascript", "javascript-process.ts"),
      "javascript-worker": join(packages, "javascript", "src", "worker.ts"),
      "reading-worker": join(packages, "artifact", "src", "reading-worker.ts"),
      "document-worker": join(packages, "artifact", "src", "document-worker.ts"),
    },
    outdir: directory,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@rea/source"],
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  return join(directory, "measured.js");
}
