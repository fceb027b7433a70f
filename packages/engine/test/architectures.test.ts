import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Program } from "../src/program.js";
import { analyzeFile, differences, judge, shareFound } from "./judged-listing.js";
import { isInstalled } from "./listing.js";

const directory = mkdtempSync(join(tmpdir(), "rea-architectures-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const source = `
int ext(const char*); int ext2(int,...);
const char *names[] = {"zero", "one", "two"};
int counter;
__attribute__((noinline)) static int callback(int x) { return x * 3 + counter; }
void *registered(void) { return (void*)callback; }
__attribute__((noinline)) int pick(int x) {
  switch (x) { case 0: return ext("a"); case 1: return ext("bb") + 1; case 2: return ext2(x,"%d"); case 3: return 77;
    case 4: return ext2(3)*5; case 5: return counter++; case 6: return ext2(x,"six %d"); case 7: return 5 + ext(names[1]); }
  return -1;
}
__attribute__((noinline)) static int helper(int a, int b) { counter += a; return a < b ? pick(a) : b * counter; }
int outer(int c) { for (int i = 0; i < c; i++) ext(names[i % 3]); return pick(c) + helper(c, c + 2); }
`;

const tools = ["clang-19", "ld.lld-19", "llvm-objdump-19", "llvm-strip-19"];

interface Build {
  readonly target: string;
  readonly options?: readonly string[];
  /** Bytes from a function's entry to where calls inside a module may enter it. */
  readonly localEntry?: number;
  /** Share of the code that must be found; tables inside functions and fill between them are none of it. */
  readonly share?: number;
}

const builds: readonly Build[] = [
  { target: "armv7-linux-gnueabihf", share: 0.8 },
  { target: "armv7-linux-gnueabihf", options: ["-mthumb"], share: 0.85 },
  { target: "riscv64-linux-gnu" },
  { target: "mips-linux-gnu" },
  { target: "mipsel-linux-gnu" },
  { target: "mips64-linux-gnuabi64" },
  { target: "mips64el-linux-gnuabi64" },
  { target: "powerpc-linux-gnu" },
  { target: "powerpc64-linux-gnu", options: ["-mabi=elfv2"], localEntry: 8, share: 0.85 },
  { target: "powerpc64le-linux-gnu", localEntry: 8, share: 0.85 },
];

/** A shared library with and without its symbol table. */
function build({ target, options = [] }: Build, level: string): { readonly file: string; readonly stripped: string } {
  const name = join(directory, `${target}${options.join("")}${level}`);
  writeFileSync(`${name}.c`, source);
  const flags = [`--target=${target}`, level, "-fPIC", "-ffreestanding", "-funwind-tables", ...options];
  execFileSync("clang-19", [...flags, "-c", "-o", `${name}.o`, `${name}.c`], { stdio: "ignore" });
  execFileSync("ld.lld-19", ["-shared", "-o", `${name}.so`, `${name}.o`], { stdio: "ignore" });
  execFileSync("llvm-strip-19", ["-o", `${name}.stripped`, `${name}.so`]);
  return { file: `${name}.so`, stripped: `${name}.stripped` };
}

/** Functions of the source; the linker's stubs have no names of their own. */
function entriesInText(program: Program): readonly number[] {
  const text = program.image.sections().items.find((section) => section.name === ".text");
  const first = program.toRva(text?.va ?? 0n) ?? 0;
  return program.functions.map(({ entry }) => entry).filter((entry) => entry >= first && entry < first + Number(text?.virtualSize ?? 0n));
}

const cases = builds.flatMap((one) => ["-O0", "-O2"].map((level) => [one.target + (one.options ?? []).join(" "), level, one] as const));

describe("code that clang makes", () => {
  test.for(cases)("for %s at %s is read as llvm-objdump reads it, and the same without symbols", async ([, level, one], ctx) => {
    const missing = tools.find((tool) => !isInstalled(tool));
    if (missing !== undefined) return ctx.skip(`${missing} is not installed`);
    const { file, stripped } = build(one, level);
    const judged = judge(file);
    const same = (actual: number, expected: number) => actual === expected || actual + (one.localEntry ?? 0) === expected;
    const whole = await analyzeFile(file);
    expect(judged.calls.size).toBeGreaterThan(0);
    expect(differences(whole, judged, same)).toEqual([]);
    expect(shareFound(whole, judged)).toBeGreaterThan(one.share ?? 0.93);
    // The judge needs the symbols to tell code from data and one instruction set from the other; the engine must not.
    const bare = await analyzeFile(stripped);
    expect(differences(bare, judged, same)).toEqual([]);
    const named = new Map(whole.functions.map((fn) => [fn.name, fn.entry]));
    for (const name of ["registered", "pick", "helper", "outer"]) expect(entriesInText(bare)).toContain(named.get(name));
  });
});

test("the functions of a real A32 program are read as llvm-objdump reads them", async (ctx) => {
  const file = join(import.meta.dirname, "../../../node_modules/.cache/corpus/7zip-bin@5.2.0/linux/arm/7za");
  if (!existsSync(file)) return ctx.skip("the corpus is not unpacked");
  if (!isInstalled("llvm-objdump-19")) return ctx.skip("llvm-objdump-19 is not installed");
  const program = await analyzeFile(file);
  expect(differences(program, judge(file))).toEqual([]);
  expect(program.functions.length).toBeGreaterThan(3000);
}, 120_000);
