import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram, ProgramDecompiler, pseudocodeHeader } from "../src/index.js";

const place = mkdtempSync(join(tmpdir(), "rea-protector-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const absent = process.arch === "x64" && process.platform === "linux" && spawnSync("gcc", ["--version"]).status === 0 ? "" : " (skipped: no gcc for x86-64 Linux on this host)";

const source = `#include <string.h>
int total(const char *text) {
  char copy[32]; int sum = 0;
  strncpy(copy, text, 31); copy[31] = 0;
  for (int i = 0; copy[i]; i++) { if (copy[i] == '!') return -1; sum += copy[i]; }
  return sum;
}
int ask(const char *a, const char *b) { int x = total(a); if (x < 0) return x; return x + total(b); }
`;
const main = `#include <stdio.h>
int ask(const char *, const char *);
int main(void) { printf("%d %d %d\\n", ask("abc", "de"), ask("x!y", "z"), ask("", "0123456789012345678901234567890123456789")); return 0; }
`;

describe.skipIf(absent !== "")(`functions with a guard on their stack${absent}`, () => {
  test.each(["-O0", "-O1", "-O2"])("at %s are written without it, and do the same", async (level) => {
    const [original, text, again] = ["original.c", "text.c", "main.c"].map((name) => join(place, `${level}${name}`));
    if (original === undefined || text === undefined || again === undefined) return;
    writeFileSync(original, source);
    writeFileSync(again, main);
    writeFileSync(join(place, "rea.h"), pseudocodeHeader());
    const guarded = join(place, `${level}guarded`);
    execFileSync("gcc", ["-w", level, "-fstack-protector-all", "-o", guarded, original, again]);
    const found = ProgramDecompiler.for(await analyzeProgram(openImage(memorySource(readFileSync(guarded)))))?.withCallees("ask");
    expect(found?.text).toContain("ask");
    expect(found?.text).not.toMatch(/stack_chk|what was there before/u);
    expect(found?.gotos).toBe(0);
    writeFileSync(text, found?.text ?? "");
    const run = (file: string, name: string): string => {
      const program = join(place, `${level}${name}`);
      execFileSync("gcc", ["-w", "-I", place, "-fno-strict-aliasing", "-o", program, file, again]);
      return execFileSync(program, { encoding: "utf8" });
    };
    expect(run(text, "decompiled")).toBe(run(original, "first"));
  });
});
