import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { expect, test } from "vitest";
import { analyzeProgram, ProgramDecompiler } from "../src/index.js";

const absent = process.arch === "x64" && process.platform === "linux" && spawnSync("gcc", ["--version"]).status === 0 ? "" : " (skipped: no gcc for x86-64 Linux on this host)";

test.skipIf(absent !== "")(`a jump that leads nobody knows where is said to stand as a call, with its place${absent}`, async () => {
  const place = mkdtempSync(join(tmpdir(), "rea-computed-"));
  try {
    const [source, program] = [join(place, "a.c"), join(place, "a")];
    writeFileSync(source, `__attribute__((naked)) void leap(void *to) { __asm__("lea 8(%rdi), %rax\\n jmp *%rax"); }\nint plain(int x) { return x + 1; }\nint main(void) { leap(0); return plain(1); }\n`);
    execFileSync("gcc", ["-w", "-O1", "-fno-inline", "-o", program, source]);
    const analyzed = await analyzeProgram(openImage(memorySource(readFileSync(program))));
    const textOf = (name: string) => ProgramDecompiler.for(analyzed)?.one(analyzed.functions.find((fn) => fn.name === name)?.entry ?? -1);
    const leap = textOf("leap");
    expect(leap?.notes).toEqual([expect.stringContaining("computed address")]);
    const line = leap?.lines.find(({ text }) => text.includes("computed address"));
    expect(line?.at).toHaveLength(1);
    expect(textOf("plain")?.lines.some(({ text }) => text.includes("computed address"))).toBe(false);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
