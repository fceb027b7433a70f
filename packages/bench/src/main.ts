import type { Benchmark } from "./benchmark.js";
import { measure } from "./measure.js";
import { ratioTable } from "./ratio-table.js";
import { startup } from "./startup.js";

const benchmarks: readonly Benchmark[] = [startup];

const wanted = process.argv.slice(2);
for (const benchmark of benchmarks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.log(ratioTable(benchmark.name, await measure(benchmark)));
}
