import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { Program } from "../src/program.js";
import { isInstalled, listWith } from "./listing.js";

const directory = mkdtempSync(join(tmpdir(), "rea-engine-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const analyzeFile = (file: string) => analyzeProgram(openImage(memorySource(readFileSync(file))));

/** Everything the program says about instructions and direct calls agrees with the listing. */
function compare(program: Program, tool: string, file: string): void {
  const listing = listWith(tool, file);
  const va = (rva: number) => Number(program.toVa(rva));
  let instructions = 0;
  const wrongStarts: number[] = [];
  const wrongCalls: number[] = [];
  for (const fn of program.functions) {
    const starts = program.instructionStarts(fn);
    instructions += starts.length;
    wrongStarts.push(...starts.map(va).filter((start) => !listing.starts.has(start)));
    const calls = new Map(
      program.referencesFrom(fn).filter((one) => one.kind === "call").map((one) => [va(one.from), va(one.to)]),
    );
    for (const start of starts.map(va)) {
      const expected = listing.calls.get(start);
      if (expected !== undefined && calls.get(start) !== expected) wrongCalls.push(start);
    }
  }
  expect(wrongStarts).toEqual([]);
  expect(wrongCalls).toEqual([]);
  expect(instructions).toBeGreaterThan(0);
  const inside = [...listing.calls.keys()].filter((from) => program.functionContaining(from - Number(program.base)));
  expect(inside.length).toBeGreaterThan(listing.calls.size * 0.95);
}

describe("against objdump", () => {
  test.for(["/bin/ls", "/bin/bash"])("instructions and direct calls of %s are the same", async (file, ctx) => {
    if (!isInstalled("objdump")) return ctx.skip("objdump is not installed");
    if (!existsSync(file)) return ctx.skip(`${file} does not exist`);
    const program = await analyzeFile(file);
    if (program.image.architecture !== "x86_64") return ctx.skip(`${file} is not for x86-64`);
    compare(program, "objdump", file);
    expect(program.coverage.examinedCodeBytes).toBeGreaterThan(program.coverage.codeBytes * 0.9);
  });
});

const source = `
int puts(const char*); int printf(const char*,...); void exit(int) __attribute__((noreturn)); int getchar(void);
const char *names[] = {"zero", "one", "two"};
static int callback(int x) { return x * 3 + getchar(); }
void *registered(void) { return (void*)callback; }
int pick(int x) {
  switch (x) {
    case 0: return puts("a"); case 1: return puts("bb") + 1; case 2: return printf("%d", x); case 3: return 77;
    case 4: exit(3); case 5: return getchar(); case 6: return printf("six %d", x); case 7: return 5 + puts(names[1]);
  }
  return -1;
}
int outer(int c) { for (int i = 0; i < c; i++) puts(names[i % 3]); return pick(c) + 1; }
`;

/** Builds the source as a shared library, so that no C library is needed; undefined without the compiler. */
function build(compiler: string, name: string, options: readonly string[]): string | undefined {
  if (!isInstalled(compiler)) return undefined;
  const input = join(directory, "program.c");
  const output = join(directory, name);
  writeFileSync(input, source);
  execFileSync(compiler, ["-shared", "-nostdlib", "-fPIC", ...options, "-o", output, input], { stdio: "ignore" });
  return output;
}

describe("of programs built here", () => {
  test("A64 instructions and direct calls are those of llvm-objdump", async (ctx) => {
    const file = build("aarch64-linux-gnu-gcc", "arm64.so", ["-O2"]);
    if (file === undefined) return ctx.skip("aarch64-linux-gnu-gcc is not installed");
    if (!isInstalled("llvm-objdump-19")) return ctx.skip("llvm-objdump-19 is not installed");
    compare(await analyzeFile(file), "llvm-objdump-19", file);
  });

  test.for(["-O0", "-O2"])("32-bit x86 instructions and direct calls are those of objdump at %s", async (level, ctx) => {
    if (!isInstalled("objdump")) return ctx.skip("objdump is not installed");
    let file: string | undefined;
    try {
      file = build("gcc", `x86${level}.so`, [level, "-m32"]);
    } catch {
      return ctx.skip("gcc cannot build for 32 bits");
    }
    if (file === undefined) return ctx.skip("gcc is not installed");
    compare(await analyzeFile(file), "objdump", file);
  });

  test.for([
    ["gcc", "-O0"],
    ["gcc", "-O2"],
    ["clang-19", "-O2"],
    ["aarch64-linux-gnu-gcc", "-O2"],
  ] as const)("%s %s: functions found after stripping are those of the symbol table", async ([compiler, level], ctx) => {
    const file = build(compiler, `symbols-${compiler}${level}`, [level]);
    if (file === undefined) return ctx.skip(`${compiler} is not installed`);
    const stripped = build(compiler, `stripped-${compiler}${level}`, [level, "-s"]);
    if (stripped === undefined) return ctx.skip(`${compiler} is not installed`);
    const image = openImage(memorySource(readFileSync(file)));
    const truth = image
      .symbols()
      .items.filter((symbol) => symbol.defined && symbol.type === "function" && symbol.section === ".text")
      .filter((symbol) => !symbol.name.includes(".cold"))
      .map((symbol) => Number(symbol.va));
    const text = image.sections().items.find((section) => section.name === ".text");
    const program = await analyzeFile(stripped);
    const found = program.functions
      .map((fn) => program.toVa(fn.entry))
      .filter((va) => text?.va !== undefined && va >= text.va && va < text.va + text.virtualSize)
      .map(Number);
    expect(found).toEqual([...new Set(truth)].sort((a, b) => a - b));
  });

  test("a function that only a pointer leads to is found without unwind tables", async (ctx) => {
    const file = build("gcc", "no-unwind.so", ["-O2", "-s", "-fno-asynchronous-unwind-tables"]);
    if (file === undefined) return ctx.skip("gcc is not installed");
    const program = await analyzeFile(file);
    const pointed = program.functions.filter((fn) => fn.sources.join() === "pointer");
    expect(pointed).toHaveLength(1);
    expect(program.coverage.unresolvedIndirectJumps).toEqual([]);
  });
});

test("the same file gives the same program twice", async (ctx) => {
  if (!existsSync("/bin/ls")) return ctx.skip("/bin/ls does not exist");
  const [first, second] = [await analyzeFile("/bin/ls"), await analyzeFile("/bin/ls")];
  expect(second.functions).toEqual(first.functions);
  expect(second.coverage).toEqual(first.coverage);
  const references = (program: Program) => program.functions.flatMap((fn) => program.referencesFrom(fn));
  expect(references(second)).toEqual(references(first));
});
