import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deepOperations, silentProgress, type DeepOperationName, type z } from "@rea/core";
import type { AnalysisClient } from "@rea/provider";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { EnginePool } from "../src/engine-pool.js";
import { createNativeProvider } from "../src/native-provider.js";
import { fileTarget } from "./file-target.js";

const program = "/bin/ls";
const state = mkdtempSync(join(tmpdir(), "rea-binutils-"));

describe.skipIf(process.platform !== "linux" || !existsSync(program))("answers about a real program", () => {
  let client: AnalysisClient;

  beforeAll(async () => {
    const options = { stateDirectory: state, clientName: "test", clientVersion: "1", pool: new EnginePool() };
    const provider = createNativeProvider(options);
    const target = fileTarget(program);
    const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
    client = await provider.createClient(target, profile, { runId: "run" });
  });
  afterAll(async () => {
    await client.close();
    rmSync(state, { recursive: true, force: true });
  });

  async function ask<R extends z.ZodType>(operation: DeepOperationName, answer: R, question: object): Promise<z.output<R>> {
    const context = { signal: new AbortController().signal, progress: silentProgress };
    const params = deepOperations[operation].params.parse(question);
    return answer.parse((await client.execute<DeepOperationName>(operation, params, context)).result);
  }

  test("instructions and bytes of procedures are those of objdump", async (context) => {
    const disassembly = objdump(context);
    const { items } = await ask("list_procedures", deepOperations.list_procedures.result, { limit: 500 });
    const local = items.filter(({ procedure }) => !procedure.external && procedure.sources.includes("unwind"));
    expect(local.length).toBeGreaterThan(20);
    for (const { address } of local.slice(0, 60)) {
      const { instructions } = await ask("read_function_instructions", deepOperations.read_function_instructions.result, { procedure: address, limit: 500 });
      const wrong = instructions.items.filter((item) => disassembly.get(item.address) !== item.bytes_hex);
      expect(wrong, address).toEqual([]);
    }
  });

  test("direct calls are those of objdump", async (context) => {
    const calls = directCalls(run(context, "objdump", ["-d", "--no-show-raw-insn", "-w", program]));
    const { items } = await ask("list_procedures", deepOperations.list_procedures.result, { limit: 500 });
    for (const { address } of items.filter(({ procedure }) => !procedure.external).slice(0, 60)) {
      const { references } = await ask("procedure_references", deepOperations.procedure_references.result, { procedure: address, max_instructions: 5000, limit: 500 });
      const found = references.items.filter(({ kind, from }) => kind === "call" && calls.has(from));
      for (const { from, to } of found) expect(to, from).toBe(calls.get(from));
      const { items: callees } = await ask("procedure_callees", deepOperations.procedure_callees.result, { procedure: address, limit: 500 });
      const called = new Set(found.map(({ to }) => to));
      expect([...called].filter((to) => !callees.includes(to)), address).toEqual([]);
    }
  });

  test("bytes are found where the file has them", async () => {
    const file = readFileSync(program);
    const wanted = "f3 0f 1e fa";
    const needle = Buffer.from(wanted.replaceAll(" ", ""), "hex");
    const { items, total } = await ask("search_bytes", deepOperations.search_bytes.result, { pattern: wanted, limit: 500 });
    for (const { file_offset: offset } of items) expect(file.subarray(offset, offset + 4)).toEqual(needle);
    const offsets = new Set<number>();
    for (let at = file.indexOf(needle); at >= 0; at = file.indexOf(needle, at + 1)) offsets.add(at);
    expect(total).toBe(offsets.size);
  });

  test("segments are those of readelf", async (context) => {
    const rows = run(context, "readelf", ["-lW", program]).matchAll(/^ +LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x(\w+) (.{3})/gm);
    const expected = [...rows].map(([, offset = "0", va = "0", fileSize = "0", memorySize = "0", flags = ""]) => ({
      start: `0x${BigInt(`0x${va}`).toString(16)}`,
      end: `0x${(BigInt(`0x${va}`) + BigInt(`0x${memorySize}`)).toString(16)}`,
      permissions: flags.replaceAll(" ", "-").replace("R", "r").replace("W", "w").replace("E", "x"),
      file_offset: Number.parseInt(offset, 16),
      file_size: Number.parseInt(fileSize, 16),
    }));
    expect(expected.length).toBeGreaterThan(1);
    const { items } = await ask("list_segments", deepOperations.list_segments.result, { limit: 500 });
    expect(items.filter(({ start }) => expected.some((row) => row.start === start))).toMatchObject(expected);
  });

  test("imports are those of nm, each with its stub or slot", async (context) => {
    const listed = run(context, "nm", ["-D", "--undefined-only", "--without-symbol-versions", "-j", program]).split("\n");
    const wanted = listed.filter((name) => name !== "" && !name.startsWith("_ITM") && name !== "__gmon_start__");
    const names = new Set<string>();
    for (let offset: number | null = 0; offset !== null; ) {
      const page: z.output<typeof deepOperations.list_names.result> = await ask("list_names", deepOperations.list_names.result, { offset, limit: 500 });
      for (const { value } of page.items) names.add(value);
      offset = page.next_offset;
    }
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });
});

function run(context: TestContext, command: string, parameters: readonly string[]): string {
  try {
    return execFileSync(command, parameters, { encoding: "utf8", maxBuffer: 1 << 28 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return context.skip(`${command} is not installed`);
    throw error;
  }
}

/** Bytes by address of every instruction. */
function objdump(context: TestContext): ReadonlyMap<string, string> {
  const text = run(context, "objdump", ["-d", "-w", program]);
  const lines = text.matchAll(/^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+)/gm);
  return new Map([...lines].map(([, at = "", bytes = ""]) => [`0x${at}`, bytes.replaceAll(" ", "")]));
}

function directCalls(text: string): ReadonlyMap<string, string> {
  const lines = text.matchAll(/^ +([0-9a-f]+):\t(?:\w+ )?(?:call|bl) +([0-9a-f]+) </gm);
  return new Map([...lines].map(([, from = "", to = ""]) => [`0x${from}`, `0x${to}`]));
}
