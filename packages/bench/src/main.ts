import { analyze, warmCalls } from "./analysis.js";
import type { Benchmark } from "./benchmark.js";
import { analyseCommand, analyseFile } from "./engine/analyse-file.js";
import { runEngineBench } from "./engine/run-engine-bench.js";
import { measure } from "./measure.js";
import { ratioTable } from "./ratio-table.js";
import { ServerProcess } from "./server-process.js";
import { startup } from "./startup.js";

const benchmarks: readonly Benchmark[] = [startup, analyze, warmCalls];

const [first, ...rest] = process.argv.slice(2);
if (first === analyseCommand) process.stdout.write(await analyseFile(rest));
else if (first === "engine") await runEngineBench(rest);
else await runBenchmarks(process.argv.slice(2));

async function runBenchmarks(wanted: readonly string[]): Promise<void> {
  for (const benchmark of benchmarks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    console.log(ratioTable(benchmark.name, await measure(benchmark)));
    await benchmark.close?.();
  }
  if (wanted.length === 0 || wanted.includes("memory")) console.log(`memory\n  rea-mcp after start  ${await residentAfterStart()}`);
}

async function residentAfterStart(): Promise<string> {
  const server = new ServerProcess();
  await server.initialize();
  await server.request("tools/list");
  const resident = server.residentMiB();
  await server.end();
  return resident === undefined ? "not told by this host" : `${resident} MiB`;
}
