import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";

const directory = mkdtempSync(join(tmpdir(), "rea-selectors-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const needed = ["clang-19", "ld64.lld-19", "llvm-nm-19", "llvm-strip-19"];
const missing = needed.find((program) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
});
const run = (program: string, ...args: string[]): string => execFileSync(program, args, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const source = `.globl _main
_main:
  bl "_objc_msgSend$doIt"
  bl "_objc_msgSend$with:other:"
  ret
`;

const library = `--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos ]
install-name: '/usr/lib/libobjc.A.dylib'
exports:
  - targets: [ arm64-macos ]
    symbols: [ _objc_msgSend, dyld_stub_binder ]
...
`;

function built(kind: string): string {
  writeFileSync(join(directory, "program.s"), source);
  writeFileSync(join(directory, "libobjc.tbd"), library);
  run("clang-19", "--target=arm64-apple-macos12", "-c", "program.s", "-o", "program.o");
  run("ld64.lld-19", "-arch", "arm64", "-platform_version", "macos", "12", "12", `-objc_stubs_${kind}`, "program.o", "libobjc.tbd", "-o", kind);
  return join(directory, kind);
}

describe("stubs that send one message", () => {
  for (const kind of ["fast", "small"]) test(`carry the selector in a stripped program with ${kind} ones`, async (context) => {
    if (missing !== undefined) context.skip(`${missing} is not installed`);
    const file = built(kind);
    const truth = [...run("llvm-nm-19", file).matchAll(/^([0-9a-f]+) \w (_objc_msgSend\$.*)$/gm)].map(([, address, name]) => [BigInt(`0x${address ?? ""}`), name]);
    run("llvm-strip-19", file);
    const program = await analyzeProgram(openImage(memorySource(readFileSync(file))));
    const named = program.functions.filter(({ name }) => name.startsWith("_objc_msgSend$"));
    expect(truth).toHaveLength(2);
    expect(named.map(({ entry, name }) => [program.toVa(entry), name])).toEqual(truth);
  });
});
