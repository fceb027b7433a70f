import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { CorpusPackage } from "@rea/testkit";

import { hasProgram, output } from "./llvm-tools.js";

/** Real PE files: MSVC, MinGW, Rust, Go and .NET; x86, x64, arm64; signed, delay-loading and stripped ones. */
export const peCorpus: readonly (readonly [CorpusPackage, string])[] = [
  ["7zip-bin@5.2.0", "win/arm64/7za.exe"],
  ["7zip-bin@5.2.0", "win/ia32/7za.exe"],
  ["7zip-bin@5.2.0", "win/x64/7za.exe"],
  ["@electron/windows-sign@1.2.2", "vendor/signtool.exe"],
  ["electron-winstaller@5.4.4", "vendor/7z-arm64.dll"],
  ["electron-winstaller@5.4.4", "vendor/7z-x64.dll"],
  ["electron-winstaller@5.4.4", "vendor/Setup.exe"],
  ["electron-winstaller@5.4.4", "vendor/Squirrel.exe"],
  ["electron-winstaller@5.4.4", "vendor/winterop.dll"],
  ["@rollup/rollup-win32-x64-msvc@4.68.8", "rollup.win32-x64-msvc.node"],
  ["@rollup/rollup-win32-arm64-msvc@4.68.8", "rollup.win32-arm64-msvc.node"],
  ["@rollup/rollup-win32-ia32-msvc@4.68.8", "rollup.win32-ia32-msvc.node"],
  ["@rollup/rollup-win32-x64-gnu@4.68.8", "rollup.win32-x64-gnu.node"],
  ["@esbuild/win32-ia32@0.28.2", "esbuild.exe"],
];

const program = `#include <stdio.h>
__declspec(dllexport) int add(int a, int b) { return a + b; }
__thread int counter = 3;
int main(int c, char **v) { printf("%d", c); return add(c, counter); }
`;

const library = `
__declspec(dllexport) int add(int a, int b) { return a + b; }
int hidden(int a) { return a * 5; }
extern __declspec(dllimport) int imported(int);
__declspec(dllexport) int data = 7;
int *pointer = &data;
int _fltused;
__declspec(dllexport) int use(int a) {
  volatile int big[2000];
  for (int i = 0; i < a; i++) big[i % 2000] = imported(a);
  return big[3] + hidden(a);
}
`;

export interface BuiltFiles {
  readonly directory: string;
  remove(): void;
}

function workDirectory(): BuiltFiles {
  const directory = mkdtempSync(path.join(tmpdir(), "pe-samples-"));
  mkdirSync(directory, { recursive: true });
  return {
    directory,
    remove() {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const mingw = "x86_64-w64-mingw32-gcc";

/** `program.exe` and `library.dll` with COFF symbols and long section names; undefined without MinGW. */
export function buildMingw(): BuiltFiles | undefined {
  if (!hasProgram(mingw)) return undefined;
  const work = workDirectory();
  writeFileSync(path.join(work.directory, "program.c"), program);
  output(mingw, ["-g", "-o", "program.exe", "program.c"], work.directory);
  output(mingw, ["-g", "-shared", "-o", "library.dll", "program.c"], work.directory);
  return work;
}

/** `x86_64.dll` and `aarch64.dll` with a forwarder, a nameless ordinal and a PDB path; undefined without LLVM 19. */
export function buildMsvcStyle(): BuiltFiles | undefined {
  if (!hasProgram("clang-19") || !hasProgram("lld-link-19")) return undefined;
  const work = workDirectory();
  const run = (tool: string, ...args: readonly string[]): string => output(tool, args, work.directory);
  writeFileSync(path.join(work.directory, "library.c"), library);
  writeFileSync(path.join(work.directory, "other.c"), "__declspec(dllexport) int imported(int a) { return a - 1; }\n");
  for (const [target, machine] of [["x86_64", "x64"], ["aarch64", "arm64"]] as const) {
    const compile = (source: string, object: string): string =>
      run("clang-19", `--target=${target}-pc-windows-msvc`, "-c", "-O1", "-mno-stack-arg-probe", source, "-o", object);
    const common = ["/dll", "/noentry", "/nodefaultlib", `/machine:${machine}`];
    compile("other.c", "other.obj");
    run("lld-link-19", ...common, "other.obj", "/out:other.dll", "/implib:other.lib");
    compile("library.c", "library.obj");
    run("lld-link-19", ...common, "library.obj", "other.lib", `/out:${target}.dll`, "/export:fwd=KERNEL32.Sleep", "/export:hidden,@7,NONAME", "/debug", "/pdb:library.pdb");
  }
  return work;
}
