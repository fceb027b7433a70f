import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom, type RebuiltProgram } from "./rebuild-room.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const missing = ["csmith", "gcc", "objcopy"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
const absent = process.arch !== "x64" ? "this machine is not x86-64" : missing.length > 0 ? `not installed: ${missing.join(", ")}` : undefined;
const runs = Number(process.env["REA_FUZZ_RUNS"] ?? "2");
const start = Number(process.env["REA_FUZZ_SEED"] ?? "1");

/** Integers and arrays only: structures by value are not written as C, and arithmetic wraps by the flags of the build. */
const options = "--no-structs --no-unions --no-bitfields --no-volatiles --no-safe-math --no-divs --max-funcs 4 --max-block-depth 3 --max-expr-complexity 6 --no-argc --no-volatile-pointers --no-packed-struct".split(" ");

/** What programs of csmith ask of its own header, which distributions leave out. */
const header = `#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint64_t crc32_context = 5381;
static void crc32_gentab(void) {}
static void transparent_crc(uint64_t value, const char *name, int flag) { crc32_context = crc32_context * 33 + value; printf("%s %llx\\n", name, (unsigned long long)value); }
static void platform_main_begin(void) {}
static void platform_main_end(uint64_t crc, int flag) { printf("%llx\\n", (unsigned long long)crc); }
`;

/** The program of a seed, its functions and data visible to other files; undefined where csmith made none. */
function programOf(seed: number, folder: string): RebuiltProgram | undefined {
  // It leaves a file where it runs.
  const { status, stdout } = spawnSync("csmith", ["--seed", String(seed), ...options], { cwd: folder, encoding: "utf8", timeout: 30_000, maxBuffer: 1 << 26 });
  if (status !== 0) return undefined;
  const main = stdout.indexOf("int main (");
  const visible = stdout.slice(0, main).replaceAll(/^static (?!long __undefined)/gm, "");
  const functions = [...new Set([...visible.matchAll(/^[^\n;{}]*\b(func_\d+)\(/gm)].flatMap(([, name]) => name ?? []))];
  const globals = visible.split("\n").filter((line) => /^[^\s/#].*\bg_\d+.*=.*;/.test(line)).map((line) => `extern ${line.slice(0, line.indexOf("=")).trim()};`);
  const declared = visible.split("\n").filter((line) => /^[^\s/#].*\bfunc_\d+\(.*\);$/.test(line));
  return { functions, source: visible, driver: ['#include "csmith.h"', ...globals, ...declared, stdout.slice(main)].join("\n") };
}

describe.each(["-O0", "-O1", "-O2", "-O3"])("programs of csmith at %s", (level) => {
  test(`print the same with each function written as C and compiled again (${String(runs)} programs)`, async (context) => {
    if (absent !== undefined) return context.skip(absent);
    writeFileSync(join(room.folder, "csmith.h"), header);
    const wrong: string[] = [];
    for (let seed = start; seed < start + runs; seed += 1) {
      const program = programOf(seed, room.folder);
      if (program === undefined || program.functions.length === 0) continue;
      const found = await room.judge(program, { compiler: "gcc", flags: [level, "-g"] });
      if (found.kind !== "same") wrong.push(`seed ${String(seed)}: ${found.kind === "skipped" ? found.why : `${found.functions.join(", ")}: ${found.detail}`}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000 * runs);
});
