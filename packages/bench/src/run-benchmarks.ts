import { analyze, warmCalls } from "./analysis.js";
import type { Benchmark } from "./benchmark.js";
import { measure } from "./measure.js";
import { ratioTable } from "./ratio-table.js";
import { ServerProcess } from "./server-process.js";
import { startup } from "./startup.js";

const benchmarks: readonly Benchmark[] = [startup, analyze, warmCalls];

/** Runs the benchmarks of the wanted names, all when none is named. */
export async function runBenchmarks(wanted: readonly string[]): Promise<void> {
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
