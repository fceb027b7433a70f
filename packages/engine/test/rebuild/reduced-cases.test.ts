import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { RebuildRoom } from "./rebuild-room.js";

const room = new RebuildRoom();
afterAll(() => { room.remove(); });

const hasGcc = spawnSync("gcc", ["--version"]).status === 0 && spawnSync("objcopy", ["--version"]).status === 0 && process.arch === "x64";

/** Each was written as C that meant something else, found by random programs; reduced to what went wrong. */
const cases = [
  ["a quotient of signed numbers whose divisor is made of unsigned ones", "int32_t f(int32_t a, uint32_t b, uint16_t c) { return (a ^ 0x7fffffff) / ((int32_t)((b & 1) + (c & 1)) % 2 + 1); }", "int32_t f(int32_t, uint32_t, uint16_t);", ["f(-5, 1, 0)", "f(0x40000000, 3, 1)", "f(-1, 0, 0)"]],
  ["signed numbers of 32 bits compared as 64 bits with unsigned ones", "int32_t f(int32_t a, uint32_t b) { return (int64_t)a < (int64_t)b; }", "int32_t f(int32_t, uint32_t);", ["f(-1, 1)", "f(-5, 0xfffffff0)", "f(7, 3)"]],
  ["a bit that is turned over in a loop", "int32_t f(uint16_t *q, int32_t n) { int32_t sum = 0; for (int32_t i = 9; i > 0; i--) sum += q[i & 3] % (((i - n) & 1) + 1) + ((i + n) & 1) * 3; return sum; }", "int32_t f(uint16_t *, int32_t);\nstatic uint16_t q[4] = {3, 5, 8, 13};", ["f(q, 3)", "f(q, 4)", "f(q, -1)"]],
  ["a product of 32 bits that is shifted by more than 32", "int64_t f(int32_t a, int16_t b) { return (int64_t)(a * b) >> 36; }", "int64_t f(int32_t, int16_t);", ["f(-40000, 30000)", "f(1 << 30, 3)", "f(5, 6)"]],
  ["a constant of 64 bits as the one result", "int32_t g; double f(int32_t a) { for (int32_t i = 0; i < a; i++) g += i; return 143.25 / 2.25; }", "double f(int32_t); extern int32_t g;", ["f(3)", "f(0)"]],
  ["the negative of a bit of an unsigned number", "int64_t f(uint32_t a) { return -(int64_t)(a & 1) * 5 + -(int32_t)((a >> 4) & 1); }", "int64_t f(uint32_t);", ["f(1)", "f(16)", "f(17)", "f(2)"]],
  ["a table of numbers that begins like a text", "int32_t f(int32_t i, int32_t j) { const int32_t t[10] = {0x41424344, 0x45464748, 0, 3, 4, 5, -6, 7, 8, 9}; int32_t copy[10]; for (int k = 0; k < 10; k++) copy[k] = t[(k + j) % 10]; return copy[i & 7] + t[j & 7]; }", "int32_t f(int32_t, int32_t);", ["f(0, 1)", "f(3, 2)", "f(7, 6)"]],
  ["calls that take and give floating numbers", "__attribute__((noinline)) float half(float x, double y, int32_t n) { return x / 2 + (float)y * n; } double f(float a, int32_t n) { return half(a, a + 1.5, n) + half((float)n, 2.0, 3); }", "double f(float, int32_t); float half(float, double, int32_t);", ["f(3.5f, 2)", "f(-1.25f, -7)"]],
] as const;

describe.each([["-O0"], ["-O1"], ["-O2"], ["-O3"]])("at %s", (level) => {
  test.for(cases)("%s", async ([, source, declared, calls], context) => {
    if (!hasGcc) return context.skip("gcc or objcopy for x86-64 is not installed");
    const shown = calls.map((call) => `  printf("%.17g\\n", (double)${call});`).join("\n");
    const driver = `#include <stdint.h>\n#include <stdio.h>\n${declared}\nint main(void) {\n${shown}\n  return 0;\n}\n`;
    const functions = [...source.matchAll(/\b(f|half)\((?:float|u?int)/g)].flatMap(([, name]) => name ?? []);
    expect(await room.judge({ source: `#include <stdint.h>\n${source}\n`, driver, functions: [...new Set(functions)] }, { compiler: "gcc", flags: [level, "-g"] })).toEqual({ kind: "same" });
  });
});
