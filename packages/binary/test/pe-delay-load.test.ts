import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { memorySource } from "@rea/core";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

import { readPe } from "../src/pe/index.js";
import { hasProgram } from "./llvm-tools.js";

/** `llvm-dlltool-19`, which has no version to tell, comes with the last of them. */
const needed = ["clang-19", "lld-link-19", "llvm-objdump-19"];
const missing = needed.find((program) => !hasProgram(program));
const directory = mkdtempSync(path.join(tmpdir(), "rea-delay-load-"));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const run = (program: string, ...args: string[]): string => execFileSync(program, args, { cwd: directory, encoding: "utf8" });

const source = `
__declspec(dllimport) int first(int);
__declspec(dllimport) int second(int, int);
int __stdcall __delayLoadHelper2(void *library, void *slot) { return 0; }
int entry(void) { return first(1) + second(2, 3); }
`;

function build(machine: string, library: string): Buffer {
  writeFileSync(path.join(directory, "program.c"), source);
  writeFileSync(path.join(directory, "library.def"), "LIBRARY library.dll\nEXPORTS\nfirst\nsecond\n");
  run("llvm-dlltool-19", "-m", library, "-d", "library.def", "-l", "library.lib");
  run("clang-19", `--target=${machine}-pc-windows-msvc`, "-O1", "-c", "program.c", "-o", "program.o");
  run("lld-link-19", "/nodefaultlib", "/safeseh:no", "/entry:entry", "/subsystem:console", "/delayload:library.dll", "program.o", "library.lib", "/out:program.exe");
  return readFileSync(path.join(directory, "program.exe"));
}

beforeEach((ctx) => {
  if (missing !== undefined) ctx.skip(`${missing} is not installed`);
});

describe("the code that loads a delayed import is a stub of that import", () => {
  test.each([
    ["x86_64", "i386:x86-64", /^ *([0-9a-f]+):.*\tleaq\t.*%rax +# 0x([0-9a-f]+)$/gm],
    ["i686", "i386", /^ *([0-9a-f]+):.*\tmovl\t.*%eax +# imm = 0x([0-9a-f]+)$/gim],
    ["aarch64", "arm64", undefined],
  ])("on %s", (machine, library, loading) => {
    const imports = readPe(memorySource(build(machine, library))).imports().items;
    expect(imports.map(({ name, delayed, stubs }) => [name, delayed, stubs.length])).toEqual([
      ["first", true, 1],
      ["second", true, 1],
    ]);
    if (loading === undefined) return;
    const judged = [...run("llvm-objdump-19", "-d", "program.exe").matchAll(loading)].map(([, stub, slot]) => [stub, slot?.toLowerCase()]);
    expect(imports.map(({ stubs, slots }) => [stubs[0]?.toString(16), slots[0]?.toString(16)])).toEqual(judged);
  });

  test("but not when the slot holds the address of other code", () => {
    const bytes = build("x86_64", "i386:x86-64");
    const before = readPe(memorySource(bytes)).imports().items;
    const held = before[0]?.stubs[0] ?? 0n;
    const at = bytes.indexOf(Buffer.from(new BigUint64Array([held]).buffer));
    bytes.writeBigUInt64LE(before[1]?.stubs[0] ?? 0n, at);
    expect(readPe(memorySource(bytes)).imports().items.map(({ stubs }) => stubs.length)).toEqual([0, 1]);
  });
});
