import { analyze, warmCalls } from "./analysis.js";
import type { Benchmark } from "./benchmark.js";
import { scoreFunctionStarts, startTable } from "./function-starts.js";
import { measure } from "./measure.js";
import { ratioTable } from "./ratio-table.js";
import { ServerProcess } from "./server-process.js";
import { startup } from "./startup.js";

const benchmarks: readonly Benchmark[] = [startup, analyze, warmCalls];

const [first, folder] = process.argv.slice(2);
const wanted = process.argv.slice(2);
for (const benchmark of benchmarks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.log(ratioTable(benchmark.name, await measure(benchmark)));
  await benchmark.close?.();
}
// `engine FOLDER`: judges function starts on stripped programs whose truth is known.
if (first === "engine" && folder !== undefined) console.log(startTable(await scoreFunctionStarts(folder)));
if (wanted.length === 0 || wanted.includes("memory")) console.log(`memory\n  rea-mcp after start  ${await residentAfterStart()}`);

async function residentAfterStart(): Promise<string> {
  const server = new ServerProcess();
  await server.initialize();
  await server.request("tools/list");
  const resident = server.residentMiB();
  await server.end();
  return resident === undefined ? "not told by this host" : `${resident} MiB`;
}
