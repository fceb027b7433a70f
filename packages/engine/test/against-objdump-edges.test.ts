import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeFile } from "./judged-listing.js";
import { edgeDifferences, isInstalled, listWith, type Machine } from "./listing.js";

const directory = mkdtempSync(join(tmpdir(), "rea-edges-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const source = join(import.meta.dirname, "fixtures", "edges.c");

interface Build {
  readonly name: string;
  readonly compiler: readonly string[];
  readonly linker: readonly string[];
  readonly strip: string;
  readonly judge: string;
  readonly machine?: Machine | undefined;
  readonly localEntry?: number;
}

const elf = (name: string, compiler: readonly string[], strip: string, judge: string): Build => ({
  name,
  compiler: [...compiler, "-fPIC"],
  linker: [...compiler, "-shared", "-nostdlib", "-o"],
  strip,
  judge,
});
const llvm = (name: string, target: string, machine?: Machine, options: readonly string[] = []): Build => ({
  name,
  machine,
  compiler: ["clang-19", `--target=${target}`, "-fPIC", "-ffreestanding", ...options],
  linker: ["ld.lld-19", "-shared", "-o"],
  strip: "llvm-strip-19",
  judge: "llvm-objdump-19",
});
const apple = (architecture: string): Build => ({
  name: `Mach-O ${architecture}`,
  compiler: ["clang-19", `--target=${architecture}-apple-macos11`],
  linker: ["ld64.lld-19", "-arch", architecture, ..."-platform_version macos 11 11 -undefined dynamic_lookup -dylib -o".split(" ")],
  strip: "llvm-strip-19",
  judge: "llvm-objdump-19",
});
const windows = (name: string, target: string, machine: readonly string[]): Build => ({
  name,
  compiler: ["clang-19", `--target=${target}`],
  linker: ["lld-link-19", "/dll", "/noentry", "/nodefaultlib", "/force:unresolved", "/debug:symtab", ...machine, "/out:"],
  strip: "llvm-strip-19",
  judge: "llvm-objdump-19",
});

const builds: readonly Build[] = [
  elf("gcc x86-64", ["gcc"], "strip", "objdump"),
  elf("clang x86-64", ["clang-19"], "strip", "objdump"),
  elf("gcc A64", ["aarch64-linux-gnu-gcc"], "aarch64-linux-gnu-strip", "llvm-objdump-19"),
  llvm("clang A64", "aarch64-linux-gnu"),
  llvm("clang i386", "i386-linux-gnu"),
  llvm("clang A32", "armv7-linux-gnueabihf", "A32 or T32"),
  llvm("clang T32", "armv7-linux-gnueabihf", "A32 or T32", ["-mthumb"]),
  llvm("clang RISC-V 64", "riscv64-linux-gnu", "RISC-V"),
  llvm("clang MIPS", "mips-linux-gnu", "MIPS"),
  llvm("clang MIPS64 little-endian", "mips64el-linux-gnuabi64", "MIPS"),
  llvm("clang PowerPC", "powerpc-linux-gnu", "PowerPC"),
  { ...llvm("clang PowerPC64 little-endian", "powerpc64le-linux-gnu", "PowerPC"), localEntry: 8 },
  apple("arm64"),
  apple("x86_64"),
  windows("PE x64", "x86_64-pc-windows-msvc", []),
  windows("PE i386", "i386-pc-windows-msvc", ["/safeseh:no"]),
  windows("PE A64", "aarch64-pc-windows-msvc", []),
];

/** The linked program before and after stripping. */
function build({ name, compiler, linker, strip }: Build, options: readonly string[]): { readonly file: string; readonly stripped: string } {
  const base = join(directory, `${name.replaceAll(" ", "-")}${options.join("")}`);
  const run = ([program = "", ...args]: readonly string[]): void => void execFileSync(program, args, { stdio: "ignore" });
  run([...compiler, ...options, "-w", "-c", "-o", `${base}.o`, source]);
  const out = linker.at(-1) ?? "";
  run(out.endsWith(":") ? [...linker.slice(0, -1), `${out}${base}`, `${base}.o`] : [...linker, base, `${base}.o`]);
  run([strip, "-o", `${base}.stripped`, base]);
  return { file: base, stripped: `${base}.stripped` };
}

const levels = [["-O0"], ["-O2"], ["-O3", "-fno-asynchronous-unwind-tables"]] as const;
/** Machines that many programs are made for are looked at more closely. */
const closely = /x86-64|i386|A64|arm64/;
const cases = builds.flatMap((one) => levels.filter((_, index) => index === 1 || closely.test(one.name)).map((options) => [one.name, options.join(" "), one, options] as const));

describe("instructions, direct calls and jumps out of functions are exactly those of the listing", () => {
  test.for(cases)("for %s %s", async ([, , one, options], ctx) => {
    const missing = [one.compiler[0] ?? "", one.linker[0] ?? "", one.strip, one.judge].find((program) => !isInstalled(program));
    if (missing !== undefined) return ctx.skip(`${missing} is not installed`);
    const { file, stripped } = build(one, options);
    const listing = listWith(one.judge, file, one.machine);
    expect(listing.calls.size).toBeGreaterThan(10);
    for (const judged of [file, stripped]) {
      const program = await analyzeFile(judged);
      expect(edgeDifferences(program, listing, { localEntry: one.localEntry })).toEqual([]);
      expect(program.functions.filter(({ external }) => !external).length).toBeGreaterThan(10);
    }
  });

  test.for(["/bin/ls", "/bin/bash", "/usr/bin/objdump"])("of the real program %s", async (file, ctx) => {
    if (!isInstalled("objdump")) return ctx.skip("objdump is not installed");
    if (!existsSync(file)) return ctx.skip(`${file} does not exist`);
    const program = await analyzeFile(file);
    if (program.image.architecture !== "x86_64") return ctx.skip(`${file} is not for x86-64`);
    expect(edgeDifferences(program, listWith("objdump", file))).toEqual([]);
  });
});
