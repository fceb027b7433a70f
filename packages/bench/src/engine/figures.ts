import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { analyzeProgram } from "@rea/engine";
import { cliMain, serverMain } from "../built-apps.js";
import { isInstalled, output } from "../corpus/programs.js";
import { measure } from "../measure.js";
import { ServerProcess } from "../server-process.js";
import { findingsOf } from "./analyse-file.js";
import { disassemblyMs } from "./disassembly-time.js";
import { figure, skipped, type Figure } from "./figure.js";
import { growth } from "./growth.js";

const shell = "/bin/bash";
const mostTimesObjdump = 3;
const mostPeakMiB = 2560;
const mostReopenMs = 500;
const mostPingMs = 50;
const betweenPingsMs = 5;
const mebibyte = 1 << 20;
const largeBytes = 50 * mebibyte;

const groups = { warm: warmAnalysis, large: largeFile, growth, reopen: reopening, ping: pings };

/** Time and memory against what they must not exceed, one after another so that they do not disturb each other. */
export async function measureFigures(progress: (text: string) => void, only = ""): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, measureGroup] of Object.entries(groups).filter(([name]) => new RegExp(only).test(name))) {
    progress(`measuring ${name}`);
    figures.push(...(await measureGroup()));
  }
  return figures;
}

async function warmAnalysis(): Promise<readonly Figure[]> {
  const name = `warm analysis of ${shell} ÷ objdump -d`;
  if (!existsSync(shell)) return [skipped(name, `${shell} does not exist`)];
  if (!isInstalled("objdump")) return [skipped(name, "objdump is not installed")];
  const measurements = await measure({
    name,
    rounds: 7,
    reference: { label: "objdump", run: async () => void (await disassemblyMs("objdump", shell)) },
    contenders: [{ label: "engine", run: async () => void (await analyzeProgram(openImage(memorySource(readFileSync(shell))))) }],
  });
  return [figure(name, measurements[1]?.ratio ?? Infinity, "times", mostTimesObjdump)];
}

/** The runtime this benchmark runs on is a large program itself. */
const large = process.execPath;

function tooSmall(): string | undefined {
  const { size } = statSync(large);
  return size < largeBytes ? `${large} has only ${String(Math.round(size / mebibyte))} MiB` : undefined;
}

async function largeFile(): Promise<readonly Figure[]> {
  const name = "node, analysed in a process of its own";
  const reason = tooSmall();
  if (reason !== undefined) return [skipped(name, reason)];
  const { analysisMs, peakMiB, codeBytes, starts } = await findingsOf({ file: large, runs: 1, references: false });
  const coldMs = analysisMs[0] ?? 0;
  const objdump = isInstalled("objdump") ? await disassemblyMs("objdump", large) : null;
  return [
    figure(`${name}: size`, statSync(large).size / mebibyte, "MiB", null),
    figure(`${name}: code`, codeBytes / mebibyte, "MiB", null),
    figure(`${name}: functions`, starts.length, "", null),
    figure(`${name}: time`, coldMs / 1000, "s", null),
    ...(objdump === null ? [] : [figure(`${name}: time ÷ objdump -d`, coldMs / objdump, "times", null)]),
    figure(`${name}: peak memory`, peakMiB, "MiB", mostPeakMiB),
  ];
}

async function reopening(): Promise<readonly Figure[]> {
  const name = `rea function ${shell} main, kept analysis`;
  if (!existsSync(cliMain)) return [skipped(name, "the command line is not built")];
  if (!existsSync(shell)) return [skipped(name, `${shell} does not exist`)];
  const home = mkdtempSync(join(tmpdir(), "rea-bench-"));
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache"), XDG_STATE_HOME: join(home, "state") };
  const run = async (file: string): Promise<number> => {
    const start = performance.now();
    await output([process.execPath, cliMain, "function", file, "main"], { env });
    return performance.now() - start;
  };
  try {
    const first = await run(shell);
    const again = median([await run(shell), await run(shell), await run(shell), await run(shell), await run(shell)]);
    return [figure(`rea function ${shell} main, first`, first, "ms", null), figure(name, again, "ms", mostReopenMs), ...(await firstAnswers(home))];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The first `analyze_function` of a fresh server: with the analysis kept by an earlier process, and without. */
async function firstAnswers(home: string): Promise<readonly Figure[]> {
  if (!existsSync(serverMain)) return [];
  const answer = async (env: NodeJS.ProcessEnv): Promise<number> => {
    const server = new ServerProcess(env);
    try {
      await server.initialize();
      await server.call("open_binary", { path: shell });
      const start = performance.now();
      await server.call("analyze_function", { procedure: "main" });
      return performance.now() - start;
    } finally {
      await server.end();
    }
  };
  const empty = mkdtempSync(join(tmpdir(), "rea-bench-"));
  try {
    const cold = await answer({ HOME: empty, XDG_CACHE_HOME: join(empty, "cache"), XDG_STATE_HOME: join(empty, "state") });
    const kept = await answer({ HOME: home, XDG_CACHE_HOME: join(home, "cache"), XDG_STATE_HOME: join(home, "state") });
    return [figure(`first analyze_function of ${shell}, server`, cold, "ms", null), figure(`first analyze_function of ${shell}, server, kept analysis`, kept, "ms", null)];
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Infinity;
}

async function pings(): Promise<readonly Figure[]> {
  const name = "worst ping while node is analysed";
  const reason = existsSync(serverMain) ? tooSmall() : "the server is not built";
  if (reason !== undefined) return [skipped(name, reason)];
  // A home of its own: where an analysis is kept, nothing would be analysed.
  const home = mkdtempSync(join(tmpdir(), "rea-bench-"));
  const server = new ServerProcess({ HOME: home });
  try {
    await server.initialize();
    let idlePings = 0;
    const idle = await pingUntil(server, () => (idlePings += 1) > 200);
    const opening = await pingDuring(server, "open_binary", { path: large });
    const times = await pingDuring(server, "binary_overview", {});
    return [
      // What a busy machine costs a server that has nothing to do.
      figure("worst ping of the same server, idle", Math.max(...idle), "ms", null),
      figure("worst ping while the first target is opened", Math.max(...opening), "ms", mostPingMs),
      figure("pings while node is analysed", times.length, "", null),
      figure("median ping while node is analysed", median(times), "ms", null),
      figure(name, Math.max(...times), "ms", mostPingMs),
    ];
  } finally {
    await server.end();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Round trips of pings while the server works on a call. */
async function pingDuring(server: ServerProcess, tool: string, input: object): Promise<readonly number[]> {
  let done = false;
  const call = server.call(tool, input).finally(() => (done = true));
  const times = await pingUntil(server, () => done);
  await call;
  return times;
}

/** Round trips of pings, a few milliseconds apart, in milliseconds. */
async function pingUntil(server: ServerProcess, isDone: () => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  do {
    const start = performance.now();
    await server.request("ping");
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, betweenPingsMs));
  } while (!isDone());
  return times;
}
