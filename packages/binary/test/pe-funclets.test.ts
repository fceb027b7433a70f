import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { memorySource } from "@rea/core";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi, type TestContext } from "vitest";

import { readPe } from "../src/pe/index.js";
import { hasProgram } from "./llvm-tools.js";
import { readOrRefuse } from "./read-everything.js";

// Compilers are started, and many damaged files are read: the bound is for hangs, not for speed.
vi.setConfig({ testTimeout: 300_000 });

const directory = mkdtempSync(path.join(tmpdir(), "rea-funclets-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const needed = ["clang-19", "lld-link-19", "llvm-nm-19"];
const library = `int __CxxFrameHandler3(void) { return 0; }
void _CxxThrowException(void *a, void *b) { for (;;); }
int _fltused;
int report(int x) { return x; }
int risky(int x) { return x * 2; }
void *type_info_table[2] __asm__("??_7type_info@@6B@") = {0};
`;
const program = `extern "C" int report(int);
extern "C" int risky(int);
volatile int sink;
struct guard { int x; __attribute__((noinline)) ~guard() noexcept { sink += x; } };
__attribute__((noinline)) int one(int x) {
  guard held{x};
  try { return risky(x); } catch (int e) { return report(e) + e; } catch (...) { sink = 7; return -1; }
}
__attribute__((noinline)) int two(int x) {
  int r = 0;
  try { r = risky(x); try { r += risky(r); } catch (int) { r = report(r); throw; } } catch (...) { r += 5; sink = r; }
  return r;
}
extern "C" int start(int x) { return one(x) + two(x); }
`;

const run = (name: string, ...args: readonly string[]): string => execFileSync(name, args, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

function built(context: TestContext, machine: "x86_64" | "aarch64"): string {
  const missing = needed.find((name) => !hasProgram(name));
  if (missing !== undefined) context.skip(`${missing} is not installed`);
  writeFileSync(path.join(directory, "library.c"), library);
  writeFileSync(path.join(directory, "program.cpp"), program);
  const target = `--target=${machine}-pc-windows-msvc`;
  run("clang-19", target, "-O1", "-c", "library.c", "-o", `${machine}-library.o`);
  run("clang-19", target, "-O1", "-fexceptions", "-fcxx-exceptions", "-c", "program.cpp", "-o", `${machine}.o`);
  run("lld-link-19", "/nodefaultlib", "/entry:start", "/subsystem:console", "/debug:symtab", `${machine}.o`, `${machine}-library.o`, `/out:${machine}.exe`);
  return path.join(directory, `${machine}.exe`);
}

const partsOf = (bytes: Uint8Array): readonly (readonly [string, string])[] =>
  readPe(memorySource(bytes)).unwindRanges().items.flatMap(({ start, primary }) => (primary === undefined ? [] : [[start.toString(16), primary.toString(16)] as const]));

describe("parts that a compiler makes of catch blocks and clean-up code", () => {
  for (const machine of ["x86_64", "aarch64"] as const) test(`belong to the function that lists them on ${machine}`, (context) => {
    const file = built(context, machine);
    const symbols = new Map([...run("llvm-nm-19", file).matchAll(/^0*([0-9a-f]+) \w (.*)$/gm)].map(([, va = "", name = ""]) => [name, va] as const));
    // Their names hold the name of the function: ?catch$2@?0??one@@YAHH@Z@4HA.
    const truth = [...symbols].flatMap(([name, va]) => {
      const owner = /^\?(?:catch|dtor)\$\d+@\?0\?(.*)@4HA$/.exec(name)?.[1];
      return owner === undefined ? [] : [[va, symbols.get(owner)]];
    });
    expect(truth).toHaveLength(5);
    expect(partsOf(readFileSync(file))).toEqual(truth.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
  });

  test("stay functions where the language data is none of C++", (context) => {
    const bytes = readFileSync(built(context, "x86_64"));
    const magic = Buffer.from([0x22, 0x05, 0x93, 0x19]);
    for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic)) bytes[at] = 0x23;
    expect(partsOf(bytes)).toEqual([]);
  });

  test("stay functions where two functions list them", (context) => {
    const bytes = readFileSync(built(context, "x86_64"));
    const magic = Buffer.from([0x22, 0x05, 0x93, 0x19]);
    const first = bytes.indexOf(magic);
    const second = bytes.indexOf(magic, first + 4);
    const before = partsOf(bytes);
    // Counts and tables of the first function's data, in place of the second one's.
    bytes.copy(bytes, second + 4, first + 4, first + 24);
    expect(before).toHaveLength(5);
    expect(partsOf(bytes)).toEqual([]);
  });

  test("are read from damaged files within bounds", (context) => {
    const whole = readFileSync(built(context, "x86_64"));
    const magic = whole.indexOf(Buffer.from([0x22, 0x05, 0x93, 0x19]));
    const flips = fc.array(fc.tuple(fc.nat(0x1c0), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(flips, (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of changes) bytes[magic - 0x3c + at] = (bytes[magic - 0x3c + at] ?? 0) ^ mask;
        expect(readOrRefuse(() => readPe(memorySource(bytes)))).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});
