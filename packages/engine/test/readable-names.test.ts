import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { deepOperations, memorySource, silentProgress, type DeepOperationName, type z } from "@rea/core";
import type { AnalysisClient } from "@rea/provider";
import { corpusFile } from "@rea/testkit";
import { afterAll, afterEach, describe, expect, test, type TestContext } from "vitest";
import { MemoryMap } from "../src/analysis/memory-map.js";
import { mainOfMsvc } from "../src/analysis/msvc-start.js";
import { readPointers } from "../src/analysis/pointers.js";
import { mainBehindStart } from "../src/analysis/start-code.js";
import { EnginePool } from "../src/engine-pool.js";
import { createNativeProvider } from "../src/native-provider.js";
import { fileTarget } from "./file-target.js";

const state = mkdtempSync(join(tmpdir(), "rea-names-"));
const open: AnalysisClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

const { list_procedures, list_names, procedure_info, procedure_address, search_procedures } = deepOperations;

async function asking(path: string) {
  const provider = createNativeProvider({ stateDirectory: state, clientName: "test", clientVersion: "1", pool: new EnginePool() });
  const target = fileTarget(path, { architecture: "x86_64" });
  const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
  const client = await provider.createClient(target, profile, { runId: "run" });
  open.push(client);
  return async <R extends z.ZodType>(operation: DeepOperationName, result: R, question: object): Promise<z.output<R>> => {
    const context = { signal: new AbortController().signal, progress: silentProgress };
    const params = deepOperations[operation].params.parse(question);
    return result.parse((await client.execute<DeepOperationName>(operation, params, context)).result);
  };
}

function build(context: TestContext, program: string, steps: { readonly source: string; readonly text: string; readonly args: readonly string[] }): string {
  writeFileSync(join(state, steps.source), steps.text);
  try {
    execFileSync(program, [...steps.args], { cwd: state, stdio: "pipe" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") context.skip(`${program} is not installed`);
    throw error;
  }
  return join(state, steps.args.includes("-o") ? (steps.args[steps.args.indexOf("-o") + 1] ?? "") : "");
}

const cpp = `namespace ring {
struct buffer { int size; __attribute__((noinline)) int grow(int by); };
int buffer::grow(int by) { return size += by; }
template <typename T> __attribute__((noinline)) T twice(T value) { return value + value; }
}
int main(int argc, char **) { ring::buffer b{argc}; return b.grow(2) + ring::twice<int>(argc); }
`;

describe("readable names of a C++ program", () => {
  test("stand beside the raw name, are searched, and name a procedure", { timeout: 120_000 }, async (context) => {
    const args = ["--target=x86_64-linux-gnu", "-O1", "-o", "ring", "ring.cc"];
    const ask = await asking(build(context, "clang++-19", { source: "ring.cc", text: cpp, args }));
    const raw = "_ZN4ring6buffer4growEi";
    const readable = "ring::buffer::grow(int)";
    const { items } = await ask("list_procedures", list_procedures.result, { limit: 500 });
    const grow = items.find(({ value }) => value === raw);
    expect(grow?.procedure.demangled).toBe(readable);
    expect(items.find(({ value }) => value === "main")?.procedure).not.toHaveProperty("demangled");
    const names = await ask("list_names", list_names.result, { limit: 500 });
    expect(names.items.find(({ value }) => value === raw)?.symbol.demangled).toBe(readable);
    for (const procedure of [raw, readable]) {
      expect(await ask("procedure_address", procedure_address.result, { procedure })).toBe(grow?.address);
    }
    expect(await ask("procedure_info", procedure_info.result, { procedure: raw })).toMatchObject({ name: raw, demangled: readable });
    const found = await ask("search_procedures", search_procedures.result, { pattern: "ring::twice<int>" });
    expect(found.items).toMatchObject([{ value: "_ZN4ring5twiceIiEET_S1_", demangled: "int ring::twice<int>(int)" }]);
  });
});

describe("main of a stripped program", () => {
  const cases = [
    ["position-independent", "-pie"],
    ["fixed", "-no-pie"],
  ] as const;
  for (const [kind, flag] of cases) test(`is found behind the start code of a ${kind} one`, { timeout: 120_000 }, async (context) => {
    const name = `main-${kind}`;
    const whole = build(context, "clang++-19", { source: "ring.cc", text: cpp, args: ["--target=x86_64-linux-gnu", "-O1", flag, "-fPIE", "-o", name, "ring.cc"] });
    const truth = await (await asking(whole))("procedure_address", procedure_address.result, { procedure: "main" });
    const stripped = build(context, "strip", { source: "ring.cc", text: cpp, args: ["-o", `${name}-stripped`, name] });
    const ask = await asking(stripped);
    expect(await ask("procedure_address", procedure_address.result, { procedure: "main" })).toBe(truth);
    const { items } = await ask("list_procedures", list_procedures.result, { limit: 500 });
    expect(items.find(({ address }) => address === truth)).toMatchObject({ value: "main", procedure: { name_source: "generated" } });
    const names = await ask("list_names", list_names.result, { address: truth });
    expect(names.items).toMatchObject([{ value: "main", symbol: { source: "start-code" } }]);
  });
});

describe("main of a published arm64 program", () => {
  test("is found behind its start code", { timeout: 300_000 }, async () => {
    const file = await corpusFile("7zip-bin@5.2.0", "linux/arm64/7za");
    if (file.state === "unavailable") throw new Error(file.reason);
    const image = openImage(memorySource(readFileSync(file.path)));
    const memory = new MemoryMap(image);
    const main = mainBehindStart(image, memory, { pointers: readPointers(image, memory).targets, slots: new Map() });
    // As disassemblers show it: the literal that start code loads into x0.
    expect(main === undefined ? undefined : memory.base + BigInt(main)).toBe(0x4c46d8n);
  });
});

const plain = `int puts(const char *);
int main(int argc, char **argv) { return puts(argv[argc - 1]); }
`;
const wide = `#include <wchar.h>
int wmain(int argc, wchar_t **argv) { return _putws(argv[argc - 1]); }
`;

describe("main of a stripped MinGW program", () => {
  const addressOf = (listing: string, symbol: string): string | undefined => new RegExp(`^0*([0-9a-f]+) T ${symbol}$`, "m").exec(listing)?.[1];
  const mainOf = (path: string): string | undefined => {
    const image = openImage(memorySource(readFileSync(path)));
    const memory = new MemoryMap(image);
    const slots = new Map(image.imports().items.flatMap((item) => item.slots.map((va) => [Number(va - memory.base), item] as const)));
    const main = mainBehindStart(image, memory, { pointers: readPointers(image, memory).targets, slots });
    return main === undefined ? undefined : (memory.base + BigInt(main)).toString(16);
  };

  const machines = [
    ["x86_64", "main"],
    ["i686", "_main"],
  ] as const;
  for (const [machine, symbol] of machines) test(`is found behind the start code on ${machine}`, (context) => {
    const whole = build(context, `${machine}-w64-mingw32-gcc`, { source: "plain.c", text: plain, args: ["-O2", "-o", `${machine}.exe`, "plain.c"] });
    const truth = addressOf(execFileSync(`${machine}-w64-mingw32-nm`, [whole], { encoding: "utf8" }), symbol);
    execFileSync(`${machine}-w64-mingw32-strip`, [whole]);
    expect(truth).toBeDefined();
    expect(mainOf(whole)).toBe(truth);
  });

  test("is not claimed where the start code calls wmain", (context) => {
    const path = build(context, "x86_64-w64-mingw32-gcc", { source: "wide.c", text: wide, args: ["-O2", "-municode", "-s", "-o", "wide.exe", "wide.c"] });
    expect(mainOf(path)).toBeUndefined();
  });
});

describe("the function behind the start code of Microsoft's C library", () => {
  // Addresses as disassemblers show them: the call before the one that asks whether the program is managed.
  const programs = [
    ["electron-winstaller@5.4.4", "vendor/Setup.exe", "WinMain", 0x407326n],
    ["electron-winstaller@5.4.4", "vendor/WriteZipToSetup.exe", "main", 0x401190n],
    ["electron-winstaller@5.4.4", "vendor/rcedit.exe", "main", 0x401110n],
    ["electron-winstaller@5.4.4", "vendor/signtool.exe", "wmain", 0x1006b6dn],
    ["@electron/windows-sign@1.2.2", "vendor/signtool.exe", "wmain", 0x140029ee4n],
    ["node-notifier@10.0.1", "vendor/notifu/notifu.exe", "WinMain", 0x4100d0n],
    ["node-notifier@10.0.1", "vendor/notifu/notifu64.exe", "WinMain", 0x140010d90n],
    ["7zip-bin@5.2.0", "win/ia32/7za.exe", "main", 0x442fban],
    ["7zip-bin@5.2.0", "win/x64/7za.exe", "main", 0x46410cn],
    ["electron-winstaller@5.4.4", "vendor/7z-x64.exe", "main", 0x448220n],
    ["node-notifier@10.0.1", "vendor/snoreToast/snoretoast-x64.exe", "WinMain", 0x140031f10n],
    ["node-notifier@10.0.1", "vendor/snoreToast/snoretoast-x86.exe", "WinMain", 0x42f110n],
  ] as const;
  for (const [specification, path, name, va] of programs) test(`is named in ${path} of ${specification}`, { timeout: 300_000 }, async (context) => {
    const file = await corpusFile(specification, path);
    if (file.state === "unavailable") return context.skip(file.reason);
    const image = openImage(memorySource(readFileSync(file.path)));
    const memory = new MemoryMap(image);
    const slots = new Map(image.imports().items.flatMap((item) => item.slots.map((slot) => [Number(slot - memory.base), item] as const)));
    const entry = image.entryPoints().items.find(({ kind }) => kind === "entry")?.va ?? 0n;
    const found = mainOfMsvc(image, memory, Number(entry - memory.base), slots);
    expect(found && [found.name, memory.base + BigInt(found.rva)]).toEqual([name, va]);
  });

  test("is not looked for in a library, whose entry is another", { timeout: 300_000 }, async (context) => {
    const file = await corpusFile("electron-winstaller@5.4.4", "vendor/winterop.dll");
    if (file.state === "unavailable") return context.skip(file.reason);
    const image = openImage(memorySource(readFileSync(file.path)));
    const memory = new MemoryMap(image);
    const entry = image.entryPoints().items.find(({ kind }) => kind === "entry")?.va ?? 0n;
    expect(mainOfMsvc(image, memory, Number(entry - memory.base), new Map())).toBeUndefined();
  });
});

const go = `package main

//go:noinline
func half(value int) int { return value / 2 }

func main() { println(half(8)) }
`;

describe("names of a stripped Go program", () => {
  test("are those of its line table, and its functions start there", { timeout: 300_000 }, async (context) => {
    writeFileSync(join(state, "go.mod"), "module example.test/half\n");
    const path = build(context, "go", { source: "main.go", text: go, args: ["build", "-ldflags=-s -w", "-o", "half", "main.go"] });
    const ask = await asking(path);
    const { items } = await ask("search_procedures", search_procedures.result, { pattern: "main." });
    expect(items.map(({ value }) => value)).toEqual(expect.arrayContaining(["main.half", "main.main", "runtime.main.func1"]));
    const half = items.find(({ value }) => value === "main.half");
    const names = await ask("list_names", list_names.result, { address: half?.address });
    expect(names.items).toMatchObject([{ value: "main.half", symbol: { kind: "function", source: "go-pclntab" } }]);
    const info = await ask("procedure_info", procedure_info.result, { procedure: "main.main" });
    expect(info.name).toBe("main.main");
    const all = await ask("list_procedures", list_procedures.result, { limit: 500 });
    expect(all.items.filter(({ procedure }) => procedure.sources.includes("function-starts")).length).toBeGreaterThan(400);
  });
});
