import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";

const directory = mkdtempSync(join(tmpdir(), "rea-landing-pads-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const needed = ["clang++-19", "ld64.lld-19", "llvm-nm-19", "llvm-strip-19"];
const missing = needed.find((program) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
});
const run = (program: string, ...args: string[]): string => execFileSync(program, args, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const source = `struct guard { int value; ~guard(); };
int work(int);
int risky(int value) { guard held{value}; return work(value) + held.value; }
int careful(int value) { try { return risky(value); } catch (int caught) { return work(caught); } }
int main() { return careful(3); }
`;

const library = `--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libc++.1.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ ___gxx_personality_v0, ___cxa_begin_catch, ___cxa_end_catch, __Unwind_Resume, __ZTIi, __Z4worki, __ZN5guardD1Ev, dyld_stub_binder ]
...
`;

describe("landing pads of a stripped Mach-O program without a list of its functions", () => {
  for (const machine of ["x86_64", "arm64"]) test(`belong to their functions on ${machine}`, async (context) => {
    if (missing !== undefined) context.skip(`${missing} is not installed`);
    writeFileSync(join(directory, "program.cc"), source);
    writeFileSync(join(directory, "library.tbd"), library);
    run("clang++-19", `--target=${machine}-apple-macos12`, "-O2", "-fno-inline", "-c", "program.cc", "-o", "program.o");
    run("ld64.lld-19", "-arch", machine, "-platform_version", "macos", "12", "12", "-no_function_starts", "program.o", "library.tbd", "-o", machine);
    const truth = [...run("llvm-nm-19", machine).matchAll(/^([0-9a-f]+) [Tt] (?!__mh_)/gm)].map(([, address]) => BigInt(`0x${address ?? ""}`));
    run("llvm-strip-19", machine);
    const program = await analyzeProgram(openImage(memorySource(readFileSync(join(directory, machine)))));
    const text = program.image.sections().items.find(({ name }) => name === "__text");
    const found = program.functions.map(({ entry }) => program.toVa(entry)).filter((va) => text?.va !== undefined && va >= text.va && va < text.va + text.virtualSize);
    expect(found).toEqual([...truth].sort((a, b) => (a < b ? -1 : 1)));
    const resumed = program.functions.find(({ name }) => name === "__Unwind_Resume");
    expect(resumed === undefined ? [] : program.referencesTo(resumed.entry)).not.toEqual([]);
  });
});
