import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const packages = join(import.meta.dirname, "..", "..", "..");

/** Bundles what is measured, as the apps are; the script to run, with the thread's module beside it. */
export async function buildMeasured(directory: string): Promise<string> {
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  await build({
    entryPoints: { measured: join(packages, "bench", "src", "artifact", "artifact-process.ts"), "reading-worker": join(packages, "artifact", "src", "reading-worker.ts") },
    outdir: directory,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@rea/source"],
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);' },
    // The apps leave these out as well: zod's error texts in fifty languages.
    plugins: [{ name: "without-unused", setup: (builder) => builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export { default as en } from "./en.js";' })) }],
    logLevel: "warning",
  });
  return join(directory, "measured.js");
}
