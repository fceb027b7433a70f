import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { CorpusPackage } from "@rea/testkit";

import { hasProgram, output } from "./llvm-tools.js";

/** Real Mach-O files: Apple's linker of several ages, Go's and Rust's; thin and universal; signed and unsigned. */
export const machoCorpus: readonly (readonly [CorpusPackage, string])[] = [
  ["7zip-bin@5.2.0", "mac/arm64/7za"],
  ["7zip-bin@5.2.0", "mac/x64/7za"],
  ["@esbuild/darwin-arm64@0.28.2", "bin/esbuild"],
  ["fsevents@2.3.3", "fsevents.node"],
  ["@rollup/rollup-darwin-arm64@4.68.8", "rollup.darwin-arm64.node"],
  ["@rollup/rollup-darwin-x64@4.68.8", "rollup.darwin-x64.node"],
];

/** Files that `buildMachO` leaves in its directory. */
export const builtMachO: readonly string[] = [
  "arm64.o",
  "x86_64.o",
  "i386.o",
  "armv7.o",
  "arm64.dylib",
  "x86_64.dylib",
  "arm64-chained",
  "x86_64-chained",
  "arm64-opcodes",
  "x86_64-opcodes",
  "arm64.bundle",
];

const program = `
int helper(int);
extern int ext(int);
extern int optional(int) __attribute__((weak_import));
__attribute__((weak)) int weak(int x) { return x * 2; }
static int local(int a) { return a + 1; }
int (*table[])(int) = { helper, ext, weak, local };
void *inside = (char *)&table + 8;
__attribute__((constructor)) static void first(void) { table[0] = table[1] == ext ? helper : ext; }
__attribute__((noinline)) int helper(int a) {
  char b[64];
  for (int i = 0; i < 64; i++) b[i] = a + i;
  return b[a & 63] + local(a);
}
__thread int perThread = 5;
int main(int c, char **v) { return helper(c) + table[1](c) + weak(c) + ext(c) + perThread + (optional ? optional(c) : 0); }
`;

const library = `
int ext(int a) { return a * 3; }
int optional(int a) { return a + 9; }
int shared = 4;
`;

const system = `--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
current-version: 1311
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ dyld_stub_binder, __tlv_bootstrap, ___stack_chk_fail, ___stack_chk_guard ]
...
`;

export interface BuiltMachO {
  readonly directory: string;
  remove(): void;
}

/** Compiles and links the samples without an SDK; undefined without clang 19 and lld 19. */
export function buildMachO(): BuiltMachO | undefined {
  if (!hasProgram("clang-19") || !hasProgram("ld64.lld-19")) return undefined;
  const directory = mkdtempSync(path.join(tmpdir(), "macho-samples-"));
  const run = (tool: string, ...args: readonly string[]): string => output(tool, args, directory);
  writeFileSync(path.join(directory, "program.c"), program);
  writeFileSync(path.join(directory, "library.c"), library);
  writeFileSync(path.join(directory, "system.tbd"), system);
  const compile = (target: string, source: string, object: string): string =>
    run("clang-19", `--target=${target}`, "-c", "-O1", "-g", "-fstack-protector-all", source, "-o", object);
  for (const architecture of ["arm64", "x86_64"]) {
    const link = (version: string, ...args: readonly string[]): string =>
      run("ld64.lld-19", "-arch", architecture, "-platform_version", "macos", version, version, "system.tbd", ...args);
    compile(`${architecture}-apple-macos11`, "program.c", `${architecture}.o`);
    compile(`${architecture}-apple-macos11`, "library.c", "library.o");
    const dylib = `${architecture}.dylib`;
    link("11.0", "-dylib", "-install_name", "@rpath/libext.1.dylib", "-current_version", "2.3.4", "-compatibility_version", "1.2", "library.o", "-o", dylib);
    link("13.0", "-fixup_chains", `${architecture}.o`, dylib, "-rpath", "@loader_path/lib", "-o", `${architecture}-chained`);
    link("11.0", "-no_fixup_chains", `${architecture}.o`, dylib, "-o", `${architecture}-opcodes`);
  }
  run("ld64.lld-19", "-arch", "arm64", "-platform_version", "macos", "12.0", "12.0", "-bundle", "-undefined", "dynamic_lookup", "arm64.o", "-o", "arm64.bundle");
  compile("i386-apple-macos10.6", "library.c", "i386.o");
  compile("armv7-apple-ios8", "library.c", "armv7.o");
  return {
    directory,
    remove() {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
