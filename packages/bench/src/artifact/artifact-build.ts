import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { z } from "@rea/core";

const packages = join(import.meta.dirname, "..", "..", "..");
const scripts = join(packages, "..", "scripts");
const sources = { measured: join(packages, "bench", "src", "artifact", "artifact-run.ts"), "reading-worker": join(packages, "artifact", "src", "reading-worker.ts") };

/**
 * Bundles what is measured, as the apps are: one script, and one for the threads beside it, which start from the machine code that a
 * first run on the apps' own sample compiled. Answers the module to run.
 */
export async function buildMeasured(directory: string): Promise<string> {
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  await build({
    entryPoints: Object.fromEntries(Object.entries(sources).map(([name, path]) => [`${name}.script`, path])),
    outdir: directory,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    conditions: ["@rea/source"],
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "ascii",
    // The loader hands the address of the file in.
    define: { "import.meta.url": "__fileUrl" },
    // The apps leave these out as well: zod's error texts in fifty languages.
    plugins: [{ name: "without-unused", setup: (builder) => builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export { default as en } from "./en.js";' })) }],
    logLevel: "warning",
  });
  const module = join(directory, "measured.js");
  writeFileSync(module, 'import{load}from"./load.js";process.stdout.write(await load("measured").artifactRun(process.argv.slice(2)));\n');
  writeFileSync(join(directory, "reading-worker.js"), 'import{load}from"./load.js";load("reading-worker");\n');
  await keepCode(directory, module);
  return module;
}

const apps = z.object({ sampleArchive: z.function({ input: [], output: z.instanceof(Buffer) }) });

/** The first run, which keeps the code it compiled; the others read it. */
async function keepCode(directory: string, module: string): Promise<void> {
  const loaded: unknown = await import(pathToFileURL(join(scripts, "compile-code.mjs")).href);
  const { sampleArchive } = apps.parse(loaded);
  const archive = join(directory, "sample.tar");
  writeFileSync(archive, sampleArchive());
  copyFileSync(join(scripts, "code-loader.mjs"), join(directory, "code-loader.mjs"));
  copyFileSync(join(scripts, "record-code.mjs"), join(directory, "load.js"));
  const { status, stderr } = spawnSync(process.execPath, [module, "inventory", archive], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The first run failed: ${stderr}`);
  copyFileSync(join(scripts, "code-loader.mjs"), join(directory, "load.js"));
  rmSync(archive);
}
