import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram, ProgramDecompiler, pseudocodeHeader } from "../src/index.js";

const compiler = "aarch64-linux-gnu-gcc";
const emulator = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"] as const;
const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const absent = !isThere(compiler) ? " (skipped: no cross compiler for ARM64)" : !isThere(emulator[0]) ? " (skipped: qemu-aarch64-static is not installed)" : "";
const linker = "/usr/bin/ld64.lld-19";
const absentApple = isThere("clang-19") && existsSync(linker) ? "" : " (skipped: clang-19 or its Mach-O linker is not installed)";

const place = mkdtempSync(join(tmpdir(), "rea-arm64-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

const source = `#include <stdio.h>
#include <string.h>
struct wide { long a, b, c; double d; };
__attribute__((noinline)) struct wide made(long a, double d) { struct wide w = { a, a * 3, a ^ 0x55, d / 3 }; return w; }
__attribute__((noinline)) long spread(long a, long b, long c, long d, long e, long f, long g, long h, int i, signed char j) { return a - b * 2 + c - d + e * f - g + h + i * 7 - j; }
__attribute__((noinline)) int chosen(int x, int y) { switch (x) { case 0: return y + 1; case 1: return y * y; case 2: return y >> 1; case 3: return -y; case 4: return y % 7; case 5: return y ^ 3; case 6: return y | 64; case 8: return y & 9; default: return x - y; } }
__attribute__((noinline)) char *filled(char *to, int n) { for (int i = 0; i < n; i++) to[i] = 'a' + i % 26; to[n] = 0; return to; }
__attribute__((noinline)) int vectors(const unsigned char *p, int n, short *out) { int sum = 0; for (int i = 0; i < n; i++) { sum += p[i]; out[i] = p[i] * 3 - 100; } return sum; }
__attribute__((noinline)) float floats(const float *p, int n, float least) { float most = least; for (int i = 0; i < n; i++) if (p[i] > most) most = p[i]; return most; }
__attribute__((noinline)) unsigned halves(unsigned a, unsigned long b) { return __builtin_clz(a | 1) + __builtin_popcountl(b) + __builtin_bswap32(a) % 1000 + (unsigned)(b * (unsigned __int128)a >> 64); }
__attribute__((noinline)) long counted(long *at, long by) { __atomic_fetch_add(at, by, __ATOMIC_SEQ_CST); long old = 5; __atomic_compare_exchange_n(at, &old, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); return *at + old; }
__attribute__((noinline)) int called(int (*f)(int, int), int x) { return f(x, x + 1) + 1; }
__attribute__((noinline)) int varying(int n) { volatile int room[n + 1]; for (int i = 0; i <= n; i++) room[i] = i * n; return room[n / 2] + room[n]; }
int ask(int seed) {
  struct wide w = made(seed, seed * 0.5);
  char text[64]; unsigned char bytes[40]; short wide[40]; float numbers[9];
  long total = spread(1, 2, 3, 4, 5, 6, 7, 8, seed, -3);
  for (int i = -1; i < 10; i++) total = total * 3 + chosen(i, seed + i);
  for (int i = 0; i < 40; i++) bytes[i] = seed * i + 7;
  for (int i = 0; i < 9; i++) numbers[i] = (seed ^ i * 5) * 0.25f;
  int sum = vectors(bytes, 40, wide);
  for (int i = 0; i < 40; i++) sum = sum * 5 + wide[i];
  long cell = seed;
  printf("%ld %ld %ld %.4f %ld %s %d\\n", w.a, w.b, w.c, w.d, total, filled(text, 10 + seed % 40), sum);
  printf("%.3f %u %ld %d %ld\\n", floats(numbers, 9, -1.5f), halves(seed * 77, seed * 123456789L), counted(&cell, 2), called(chosen, seed % 9), cell);
  return (seed & 3) + varying(seed);
}
`;
const main = `int ask(int);
int main(void) { int sum = 0; for (int i = 1; i < 60; i += 7) sum += ask(i); return sum == 0; }
`;

describe.skipIf(absent !== "")(`functions of ARM64 programs${absent}`, () => {
  test.each(["-O0", "-O1", "-O2", "-O3"])(
    "compiled at %s, written as C and compiled again, do the same",
    async (level) => {
      const at = (name: string): string => join(place, `${level}${name}`);
      writeFileSync(at("original.c"), source);
      writeFileSync(at("main.c"), main);
      writeFileSync(join(place, "rea.h"), pseudocodeHeader());
      execFileSync(compiler, ["-w", level, "-o", at("original"), at("original.c"), at("main.c")]);
      const found = ProgramDecompiler.for(await analyzeProgram(openImage(memorySource(readFileSync(at("original"))))))?.withCallees("ask");
      expect(found?.functions).toBeGreaterThan(8);
      writeFileSync(at("text.c"), found?.text ?? "");
      execFileSync(compiler, ["-w", "-std=gnu11", "-I", place, "-o", at("again"), at("text.c"), at("main.c"), "-lm"]);
      const run = (name: string): string => execFileSync(emulator[0], [...emulator.slice(1), at(name)], { encoding: "utf8", timeout: 60_000 });
      expect(run("again")).toBe(run("original"));
    },
    120_000,
  );
});

const appleSource = `int printf(const char *, ...);
unsigned long strlen(const char *);
__attribute__((noinline)) int weight(const char *s) { int sum = 0; for (unsigned long i = 0; i < strlen(s); i++) sum += s[i] * 3; return sum; }
int report(int n, const char *name) { return printf("%d %s %f\\n", weight(name) + n, name, n * 0.5); }
int main(int n, char **names) { return report(n, names[0]); }
`;
const library = "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\ninstall-name: /usr/lib/libSystem.B.dylib\nexports:\n  - targets: [ arm64-macos ]\n    symbols: [ _printf, _strlen, dyld_stub_binder ]\n...\n";

describe.skipIf(absentApple !== "")(`functions of ARM64 Mach-O programs${absentApple}`, () => {
  test("call imports by the names C has, with variable arguments from the stack", async () => {
    const at = (name: string): string => join(place, name);
    writeFileSync(at("apple.c"), appleSource);
    writeFileSync(at("libSystem.tbd"), library);
    execFileSync("clang-19", ["--target=arm64-apple-macos11", "-O1", "-c", at("apple.c"), "-o", at("apple.o")]);
    execFileSync(linker, ["-arch", "arm64", "-platform_version", "macos", "11.0", "11.0", "-e", "_main", "-o", at("apple"), at("apple.o"), at("libSystem.tbd")]);
    const found = ProgramDecompiler.for(await analyzeProgram(openImage(memorySource(readFileSync(at("apple"))))))?.withCallees("_report");
    expect(found?.text).toContain("strlen(arg1)");
    expect(found?.text).toMatch(/printf\("%d %s %f\\n", .*weight|printf\("%d %s %f\\n", v\d+ \+ arg1, arg2, \(double\)arg1 \* 0\.5\)/u);
  });
});
