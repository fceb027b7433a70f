import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "@rea/runtime";
import { invoke, type Tool, type ToolExample } from "@rea/tool";
import { tools } from "@rea/tools";
import { z } from "@rea/core";
import { afterAll, expect, test } from "vitest";
import { JsonRpcProcess, textOf } from "@rea/testkit";
import { cliMain, runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-parity-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

/** A program with symbols and calls, built here; without a compiler a program of the host. */
function executable(): string {
  const source = join(place, "program.c");
  const program = join(place, "program");
  writeFileSync(source, '#include <stdio.h>\n#include <stdlib.h>\nstatic int twice(int n){return printf("error %d\\n",n)*2;}\nint main(int c,char**v){if(c>9)exit(3);return twice(c);}\n');
  if (spawnSync("gcc", ["-O1", "-fno-inline", "-o", program, source]).status === 0) return program;
  return ["/bin/ls"].find((path) => existsSync(path)) ?? process.execPath;
}

type Example = ToolExample<Record<string, unknown>>;
const examples = tools.flatMap((tool): [Tool, Example][] => tool.examples.map((example) => [tool, example]));

/** Facts of the process or the moment, which two processes cannot share. */
const momentary: ReadonlySet<string> = new Set(["pid", "server_path", "protocol_version", "package", "client", "sdk", "run_id", "runtime", "combined_sha256"]);

/** Of records that observe a run: its clock, its processes, and all that commits to them. */
const ofOneRun: ReadonlySet<string> = new Set([...momentary, "at_ms", "elapsed_ms", "started_at", "ended_at", "parent_pid", "confirmed", "capture", "journal_sha256", "journal_entries", "frames", "evidence_id"]);

function comparable(value: unknown, varying = momentary): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, varying));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, varying.has(key) ? "…" : comparable(item, varying)]));
}

function flagsOf(input: Record<string, unknown>): string[] {
  return Object.entries(input).flatMap(([field, value]) => {
    const flag = `--${field.replaceAll("_", "-")}`;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.flatMap((item) => [flag, String(item)]);
    if (typeof value === "boolean") return value ? [flag] : [`--no-${flag.slice(2)}`];
    return [flag, typeof value === "string" ? value : JSON.stringify(value)];
  });
}

test("every example of every tool has one outcome, over MCP and on the command line", async () => {
  const program = executable();
  const environment = (name: string) => ({ ...process.env, HOME: join(place, name), REA_LOG_LEVEL: "silent" });
  const server = new JsonRpcProcess([cliMain, "mcp"], { env: environment("mcp-home") });
  await server.initialize();
  const differences: string[] = [];
  for (const [tool, example] of examples) {
    if (example.target === "executable") await server.call("open_binary", { path: program });
    const overMcp = textOf(await server.call(tool.name, example.input));
    await server.call("close_binary");
    const target = example.target === "executable" ? ["--target", program] : [];
    const cli = await runCli(["tool", tool.name, ...target, ...flagsOf(example.input), "--json"], { env: environment("cli-home") });
    const onCommandLine: unknown = cli.stdout === "" ? { printed: cli.stderr } : JSON.parse(cli.stdout);
    try {
      const varying = tool.name === "capture_process_scenario" ? ofOneRun : momentary;
      expect(comparable(onCommandLine, varying)).toEqual(comparable(overMcp, varying));
      expect(cli.status).toBe("error" in overMcp ? 1 : 0);
    } catch (error) {
      differences.push(`${tool.name} (${example.title}): ${error instanceof Error ? error.message.slice(0, 600) : ""}`);
    }
  }
  expect(differences).toEqual([]);
  expect(await server.end()).toBe(0);
}, 600_000);

test("the library route gives the same Evidence id as both", async () => {
  const program = executable();
  const runtime = createRuntime({ env: { HOME: join(place, "library-home") }, identity: { package_name: "x", package_version: "1", server_path: "/x" }, log: { level: "silent" } });
  const call = async (name: string, input: unknown) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(name);
    const reply = await invoke(tool, input, runtime.host, { signal: new AbortController().signal });
    if (!reply.ok) throw new Error(reply.error.message);
    return reply.value;
  };
  await call("open_binary", { path: program });
  const here = await call("binary_overview", {});
  await runtime.close();
  const cli = await runCli(["binary-overview", program, "--json"], { env: { ...process.env, HOME: join(place, "library-home-2") } });
  const there = z.looseObject({ evidence_id: z.string() }).parse(JSON.parse(cli.stdout));
  expect("evidence_id" in here && here.evidence_id).toBe(there.evidence_id);
});
