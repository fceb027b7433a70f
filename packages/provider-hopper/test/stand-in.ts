import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentProgress, type DeepOperationName, type OperationContext, deepOperations } from "@rea/core";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import type { AnalysisClient, AnalysisProvider, ClientAnswer, Target } from "@rea/provider";
import { programTarget } from "@rea/testkit";
import { afterAll } from "vitest";
import { createHopperProvider, type HopperProviderOptions } from "../src/index.js";

/** How the stand-in behaves; without settings as Hopper does when all is well. */
export interface StandInSettings {
  /** Milliseconds that the analysis goes on for. */
  readonly analysis_ms?: number;
  readonly document_path?: string;
  readonly document_name?: string;
  readonly database?: string;
  /** Of the file behind a database. */
  readonly executable?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly strings?: readonly string[];
  /** Marked as UTF-16. */
  readonly wide_strings?: readonly string[];
  readonly exit?: number;
  readonly stderr?: string;
  /** Never runs the script. */
  readonly silent?: boolean;
  readonly windows?: readonly { readonly width: number; readonly height: number; readonly title: string; readonly kind?: string; readonly pid?: number }[];
  /** A file for what it was started with. */
  readonly log?: string;
  /** A file for how often the loop of the user interface came round. */
  readonly beat?: string;
}

const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((path) => existsSync(path));
const programs = ["/usr/bin/gcc", "/usr/bin/objdump", "/usr/bin/Xvfb"].filter((path) => !existsSync(path));

/** Why the stand-in cannot run on this machine, or undefined. */
export const standInAbsent = ((): string | undefined => {
  if (process.platform !== "linux" || process.arch !== "x64") return "the stand-in of Hopper opens programs of Linux on x86-64";
  if (python === undefined) return "python3 is not installed";
  return programs.length > 0 ? `${programs.join(" and ")} is not installed` : undefined;
})();

const directories: string[] = [];
const launchers: ProcessLauncher[] = [];
afterAll(async () => {
  await Promise.all(launchers.splice(0).map((launcher) => launcher.close()));
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

export function temporaryDirectory(name = "place"): string {
  const root = mkdtempSync(join(tmpdir(), "rea-hopper-"));
  directories.push(root);
  return mkdtempSync(join(root, name));
}

export function newLauncher(): ProcessLauncher {
  const launcher = createLauncher();
  launchers.push(launcher);
  return launcher;
}

const parts = fileURLToPath(new URL("./stand-in/launcher.py", import.meta.url));

/** Writes an executable that stands in for Hopper's launcher; returns its path. */
export function writeStandIn(directory: string, settings: StandInSettings = {}, name = "Hopper"): string {
  const told = join(directory, `${name}.json`);
  writeFileSync(told, JSON.stringify(settings));
  const path = join(directory, name);
  const script = `#!${python ?? "/usr/bin/python3"} -B
import runpy, sys
sys.argv[1:1] = [${JSON.stringify(told)}]
runpy.run_path(${JSON.stringify(parts)}, run_name="__main__")
`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

/** A small program with symbols, built once for all tests of a file. */
export const sampleProgram = ((): (() => string) => {
  let built: string | undefined;
  return () => (built ??= compile("sample"));
})();

function compile(name: string): string {
  const source = fileURLToPath(new URL(`./programs/${name}.c`, import.meta.url));
  const path = join(temporaryDirectory("program"), name);
  execFileSync("/usr/bin/gcc", ["-O1", "-g0", "-fno-pie", "-no-pie", "-o", path, source]);
  return path;
}

export function targetOf(path: string, more: Partial<Target> = {}): Target {
  const bytes = readFileSync(path);
  return programTarget({ path, name: "target", sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length, ...more });
}

export function standInProvider(settings: StandInSettings = {}, options: Partial<HopperProviderOptions> = {}): AnalysisProvider {
  const path = writeStandIn(temporaryDirectory(), settings);
  return createHopperProvider({ launcher: newLauncher(), ...options, env: { HOPPER_LAUNCHER_PATH: path, PATH: "/usr/bin:/bin", HOME: temporaryDirectory("home"), ...options.env } });
}

export async function clientOf(provider: AnalysisProvider, target: Target): Promise<AnalysisClient> {
  const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
  return provider.createClient(target, profile, { runId: "test-run" });
}

export function ask(client: AnalysisClient, operation: DeepOperationName, params: object = {}, context: Partial<OperationContext> = {}): Promise<ClientAnswer> {
  const parsed = deepOperations[operation].params.parse(params);
  return client.execute(operation, parsed, { signal: new AbortController().signal, progress: silentProgress, ...context });
}

/** Addresses of a program's symbols, as binutils' `nm` tells them. */
export function symbolsOf(path: string): ReadonlyMap<string, string> {
  const lines = execFileSync("/usr/bin/nm", [path], { encoding: "utf8" }).trim().split("\n");
  return new Map(lines.map((line) => [line.split(" ").at(-1) ?? "", `0x${BigInt(`0x${line.slice(0, 16).trim() || "0"}`).toString(16)}`]));
}
