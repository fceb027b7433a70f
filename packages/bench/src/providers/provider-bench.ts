import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { silentProgress, type JsonObject } from "@rea/core";
import { createLauncher, openEngine, type Engine, type ProcessLauncher } from "@rea/lineage";
import { median } from "../measure.js";
import { echoSpec, writeEchoEngine } from "./echo-engine.js";
import { openRawEngine } from "./raw-socket.js";

const rounds = 15;
const asksInRound = 400;
const queuedInAll = 10_000;
/** As many as may wait, and the one on the wire. */
const atOnce = 33;
const closes = 15;

const params: JsonObject = { procedure: "0x401000", offset: 0, limit: 100, text: "x".repeat(200) };

/** What the engine kit adds to a request and how it behaves under many, against what it should. */
export async function runProviderBench(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "rea-bench-providers-"));
  const launcher = createLauncher();
  try {
    const script = await writeEchoEngine(directory);
    console.log(await requestCost(launcher, script, directory));
    console.log(await manyRequests(launcher, script));
    console.log(await closeTimes(launcher, script));
  } finally {
    await launcher.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Both in turn, so that a busy moment of the machine meets both; the first round warms up. */
async function requestCost(launcher: ProcessLauncher, script: string, directory: string): Promise<string> {
  const raw = await openRawEngine(launcher, script, directory);
  const engine = await open(launcher, script);
  const over: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const plain = await perAsk(() => raw.ask(params));
    const kit = await perAsk(() => ask(engine));
    if (round === 0) continue;
    bare.push(plain);
    over.push(kit - plain);
  }
  await engine.close();
  await raw.close();
  return `kit over the raw socket: median ${ms(median(over))} a request (at most 2.000), raw ${ms(median(bare))}`;
}

async function perAsk(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let each = 0; each < asksInRound; each += 1) await work();
  return (performance.now() - start) / asksInRound;
}

async function manyRequests(launcher: ProcessLauncher, script: string): Promise<string> {
  const engine = await open(launcher, script);
  await burst(engine, 1_000);
  const before = held();
  const start = performance.now();
  await burst(engine, queuedInAll);
  const took = performance.now() - start;
  const after = held();
  const left = engine.activity();
  await engine.close();
  const growth = `heap ${signed(after.heapKiB - before.heapKiB)} KiB, handles ${signed(after.handles - before.handles)}`;
  return `${String(queuedInAll)} requests, ${String(atOnce)} at a time: ${String(Math.round(took))} ms, ${growth}, ${String(left.queued_requests)} left in the queue`;
}

/** Keeps the queue full until all have been answered. */
async function burst(engine: Engine, count: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await ask(engine);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function closeTimes(launcher: ProcessLauncher, script: string): Promise<string> {
  const times: number[] = [];
  for (let each = 0; each < closes; each += 1) {
    const engine = await open(launcher, script);
    await ask(engine);
    const start = performance.now();
    const { state } = await engine.close();
    if (state !== "proven") throw new Error(`an engine was closed as ${state}`);
    times.push(performance.now() - start);
  }
  return `close from idle: median ${String(Math.round(median(times) ?? 0))} ms, highest ${String(Math.round(Math.max(...times)))} ms (at most 1500)`;
}

function open(launcher: ProcessLauncher, script: string): Promise<Engine> {
  return openEngine(launcher, echoSpec(script), { signal: new AbortController().signal, progress: silentProgress });
}

function ask(engine: Engine): Promise<unknown> {
  return engine.call({ operation: "echo", method: "echo", params, timeoutMs: 60_000 }, { signal: new AbortController().signal, progress: silentProgress });
}

function held(): { readonly heapKiB: number; readonly handles: number } {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") Reflect.apply(collect, undefined, []);
  return { heapKiB: Math.round(process.memoryUsage().heapUsed / 1024), handles: process.getActiveResourcesInfo().filter((kind) => kind !== "Timeout").length };
}

function ms(value: number | null): string {
  return `${(value ?? 0).toFixed(3)} ms`;
}

function signed(value: number): string {
  return value > 0 ? `+${String(value)}` : String(value);
}
