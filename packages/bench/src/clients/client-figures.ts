import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { cliMain } from "../built-apps.js";
import { childrenCpuMs } from "../children-cpu.js";
import { median } from "../measure.js";
import { ServerProcess } from "../server-process.js";
import { clientHome, writeLargeState } from "./client-home.js";

const rounds = 7;
const calls: readonly (readonly [tool: string, input: object])[] = [
  ["binary_session", {}],
  ["list_architectures", {}],
  ["list_procedures", { limit: 20 }],
  ["search_strings", { query: "error", limit: 5 }],
  ["list_segments", {}],
  ["inspect_binary", { facets: ["header"] }],
  ["list_names", { limit: 20 }],
  ["list_unknowns", {}],
  ["no_such_argument", { wrong: 1 }],
  ["start_job", { tool: "list_architectures" }],
];

/** Setup, doctor and the warm server against their limits, one line each. */
export async function clientFigures(): Promise<string> {
  const home = clientHome();
  try {
    writeLargeState(home.path);
    const node = await timed(["-e", "0"], home.env);
    const plan = await timed([cliMain, "setup", "--all-detected", "--dry-run", "--json"], home.env);
    await run([cliMain, "setup", "--all-detected", "--yes", "--json"], home.env);
    const doctor = await timed([cliMain, "doctor", "--json"], home.env);
    return [
      `${line("setup plan, nine clients, one file of 5 MB", plan.wallMs, 1000, "ms")}${cpuText(plan)}`,
      `${line("doctor", doctor.wallMs, 1500, "ms")}${cpuText(doctor)}`,
      ...(await serverFigures(node.wallMs)),
    ].join("\n");
  } finally {
    home.remove();
  }
}

async function serverFigures(node: number): Promise<string[]> {
  const starts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const server = new ServerProcess();
    await server.initialize();
    starts.push(performance.now() - begun);
    await server.end();
  }
  const server = new ServerProcess();
  await server.initialize();
  await server.request("tools/list");
  const fresh = server.residentMiB() ?? 0;
  await server.call("open_binary", { path: "/bin/ls" });
  for (let count = 0; count < 1000; count += 1) await mixedCall(server, count);
  const warm: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const begun = performance.now();
    await server.call("binary_session", {});
    warm.push(performance.now() - begun);
  }
  const before = server.residentMiB() ?? 0;
  for (let count = 0; count < 1000; count += 1) await mixedCall(server, count);
  const after = server.residentMiB() ?? 0;
  await server.end();
  return [
    line("initialize ÷ node -e 0", (median(starts) ?? 0) / node, 2.5, ""),
    line("memory of the server after start", fresh, 110, "MiB"),
    line("binary_session, warm", median(warm) ?? 0, 15, "ms"),
    line("growth over 1,000 mixed calls, after 1,000", after - before, 20, "MiB"),
  ];
}

async function mixedCall(server: ServerProcess, count: number): Promise<void> {
  const [tool, input] = calls[count % calls.length] ?? ["binary_session", {}];
  await server.call(tool, input);
}

function line(label: string, value: number, limit: number, unit: string): string {
  const shown = unit === "" || unit === "ms" ? value.toFixed(unit === "" ? 2 : 0) : String(Math.round(value));
  return `${label.padEnd(44)} ${`${shown} ${unit}`.trim().padStart(9)}   limit ${String(limit)} ${unit}   ${value <= limit ? "met" : "MISSED"}`;
}

interface Timed {
  readonly wallMs: number;
  /** Of the process itself; null where the host does not tell. */
  readonly cpuMs: number | null;
}

/** Wall times stretch on a busy machine; CPU times hardly do. */
function cpuText({ cpuMs }: Timed): string {
  return cpuMs === null ? "" : `   (CPU ${cpuMs.toFixed(0)} ms)`;
}

async function timed(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Timed> {
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [begun, before] = [performance.now(), childrenCpuMs()];
    await run(args, env);
    const [ended, after] = [performance.now(), childrenCpuMs()];
    if (round === 0) continue;
    times.push(ended - begun);
    if (before !== undefined && after !== undefined) cpuTimes.push(after - before);
  }
  return { wallMs: median(times) ?? 0, cpuMs: median(cpuTimes) };
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    child.once("error", reject);
    child.once("close", () => { resolve(); });
  });
}
