import { join } from "node:path";
import { z } from "@rea/core";
import { output } from "../corpus/programs.js";
import { bundleAgainstParser } from "./bundle-against-parser.js";
import { bundlerBuilds } from "./bundler-builds.js";
import { ipcPairs } from "./ipc-corpus.js";
import { JavascriptInputs } from "./javascript-inputs.js";
import { mappedModules } from "./mapped-modules.js";

const runSchema = z.object({ peakMiB: z.number(), seconds: z.number(), cpuSeconds: z.number(), graphId: z.string(), files: z.number(), nodes: z.number(), unreadable: z.number() });

/** `pnpm bench javascript [archive|bundle|builds|ipc|growth]`: what the reader of JavaScript applications takes and finds. */
export async function runJavascriptBench(only: string | undefined): Promise<void> {
  const inputs = new JavascriptInputs();
  const parts: readonly (readonly [string, () => Promise<readonly string[]>])[] = [
    ["archive", () => archive(inputs)],
    ["bundle", () => bundle(inputs)],
    ["builds", () => builds(inputs)],
    ["ipc", () => ipc(inputs)],
    ["growth", () => growth(inputs)],
  ];
  try {
    for (const [name, measure] of parts.filter(([name]) => only === undefined || name === only)) console.log([name, ...(await measure()).map((line) => `  ${line}`)].join("\n"));
  } finally {
    inputs.close();
  }
}

async function archive(inputs: JavascriptInputs): Promise<readonly string[]> {
  const { path, megabytes, scripts, maps } = await inputs.archive(5000, "largest first");
  const cache = join(inputs.directory, "cache");
  const module = await inputs.measured();
  const cold = await run(module, path, cache);
  const warm = await run(module, path, cache);
  const same = cold.graphId === warm.graphId ? "same graph" : "ANOTHER GRAPH";
  return [
    `5,000 files of npm packages, ${megabytes.toFixed(1)} MB, of that ${scripts.toFixed(1)} MB in ${String(cold.files)} scripts and ${maps.toFixed(1)} MB of source maps`,
    `cold: ${told(cold)} (wall ≤ 20 s, memory ≤ 800 MB)`,
    `the same again, from the cache: ${told(warm)}, ${same} (wall ≤ 2 s)`,
  ];
}

async function bundle(inputs: JavascriptInputs): Promise<readonly string[]> {
  const found = await inputs.registryPackage("react-devtools-core@8.0.0");
  if (found === undefined) return ["skipped: the registry cannot be reached"];
  const path = join(found, "dist", "standalone.js");
  const times = await bundleAgainstParser(path);
  const { ppm, sources } = await mappedModules(path);
  return [`react-devtools-core standalone.js, warm: ${times.toFixed(2)} times acorn's own parse (≤ 6)`, `first-party sources tied to a module: ${share(ppm)} of ${String(sources)} (≥ 0.98)`];
}

async function builds(inputs: JavascriptInputs): Promise<readonly string[]> {
  const scores = await bundlerBuilds(join(inputs.directory, "builds"));
  if (scores === undefined) return ["skipped: the registry cannot be reached"];
  return scores.map(({ build, modules, edges }) => `${build.padEnd(16)} modules ${String(modules.truth).padStart(4)}: recall ${share(modules.recallPpm)}, precision ${share(modules.precisionPpm)}; imports ${String(edges.truth).padStart(4)}: recall ${share(edges.recallPpm)}, precision ${share(edges.precisionPpm)}`);
}

async function ipc(inputs: JavascriptInputs): Promise<readonly string[]> {
  const { channels, recallPpm, precisionPpm } = await ipcPairs(join(inputs.directory, "ipc"));
  return [`${String(channels)} literal channels: recall ${share(recallPpm)} (≥ 0.95), precision ${share(precisionPpm)} (1)`];
}

/** The exponent of CPU time over files: one is linear. */
async function growth(inputs: JavascriptInputs): Promise<readonly string[]> {
  const module = await inputs.measured();
  const [small, large] = [await run(module, (await inputs.archive(1000, "by name")).path, ""), await run(module, (await inputs.archive(10_000, "by name")).path, "")];
  const exponent = (before: number, after: number) => (Math.log(large.cpuSeconds / small.cpuSeconds) / Math.log(after / before)).toFixed(2);
  return [`1,000 files: ${told(small)}`, `10,000 files: ${told(large)}`, `exponent of CPU time over syntax nodes ${exponent(small.nodes, large.nodes)}, over scripts ${exponent(small.files, large.files)} (≤ 1.1)`];
}

async function run(module: string, path: string, cache: string): Promise<z.infer<typeof runSchema>> {
  return runSchema.parse(JSON.parse(await output([process.execPath, module, path, cache])));
}

function told({ seconds, cpuSeconds, peakMiB }: z.infer<typeof runSchema>): string {
  return `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ${String(peakMiB)} MiB`;
}

function share(ppm: number): string {
  return (ppm / 1e6).toFixed(3);
}
