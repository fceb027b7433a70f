import { closeSync, existsSync, mkdtempSync, openSync, readSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { CorpusPackage } from "@rea/testkit";

import { hasProgram, output } from "./llvm-tools.js";

/** Programs and libraries a Linux host usually has; those that are absent are left out. */
const hostFiles: readonly string[] = [
  ...["bash", "ls", "cat", "tar", "gzip", "sed", "grep", "find", "perl", "openssl", "git", "as", "ld.bfd", "objdump", "gdb"].map(bin),
  ...["ssh", "mount", "su", "passwd", "awk", "diff", "make", "xz", "dpkg", "apt-get", "lto-dump", "strace", "tmux"].map(bin),
  ...["libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libz.so.1", "libcrypto.so.3", "libssl.so.3"].map(lib),
  ...["libpthread.so.0", "ld-linux-x86-64.so.2", "libbfd-2.40-system.so", "libxml2.so.2", "libncursesw.so.6"].map(lib),
  ...["crt1.o", "crti.o", "Scrt1.o", "gcrt1.o"].map(lib),
  ...["libc.so.6", "libm.so.6", "ld-linux-aarch64.so.1", "libasan.so.8", "crt1.o"].map((name) => `/usr/aarch64-linux-gnu/lib/${name}`),
];

function bin(name: string): string {
  return `/usr/bin/${name}`;
}

function lib(name: string): string {
  return `/usr/lib/x86_64-linux-gnu/${name}`;
}

/** The ELF files among them, each real path once. */
export function presentHostFiles(): readonly string[] {
  const present = hostFiles.filter((file) => existsSync(file)).map((file) => realpathSync(file));
  return [...new Set(present)].filter(isElf);
}

function isElf(file: string): boolean {
  const handle = openSync(file, "r");
  const magic = Buffer.alloc(4);
  readSync(handle, magic, 0, 4, 0);
  closeSync(handle);
  return magic.toString("latin1") === "\u007fELF";
}

/** Other processors, built by others. */
export const elfCorpus: readonly (readonly [CorpusPackage, string])[] = [
  ["7zip-bin@5.2.0", "linux/ia32/7za"],
  ["7zip-bin@5.2.0", "linux/arm/7za"],
  ["7zip-bin@5.2.0", "linux/arm64/7za"],
  ["7zip-bin@5.2.0", "linux/x64/7za"],
];

const source = `
extern int outside(int);
extern int data_outside;
__attribute__((weak)) extern int maybe(int);
static int local(int a) { return a + 1; }
int shared = 4;
int (*table[])(int) = { outside, local };
int *inside = &shared;
void *more[40] = { &shared, &table, &inside, &shared, &table, &inside };
__attribute__((constructor)) static void first(void) { shared += 1; }
__attribute__((destructor)) static void last(void) { shared -= 1; }
__attribute__((visibility("hidden"))) int hidden(int a) { return a * 3; }
__thread int per_thread = 5;
int entry(int a) { return outside(a) + local(a) + hidden(a) + table[a & 1](a) + data_outside + (maybe ? maybe(a) : 0) + per_thread; }
void _start(void) { entry(1); }
`;

/** Targets of clang and lld: 32 and 64 bits, both byte orders. */
export const crossTargets: readonly string[] = [
  "x86_64-linux-gnu",
  "i386-linux-gnu",
  "aarch64-linux-gnu",
  "aarch64_be-linux-gnu",
  "armv7-linux-gnueabihf",
  "riscv64-linux-gnu",
  "mips-linux-gnu",
  "mipsel-linux-gnu",
  "mips64-linux-gnuabi64",
  "powerpc-linux-gnu",
  "powerpc64-linux-gnu",
  "powerpc64le-linux-gnu",
];

export interface BuiltElf {
  readonly directory: string;
  readonly files: readonly string[];
  remove(): void;
}

/** Objects and shared libraries for every target, and variants of one library; undefined where clang is absent. */
export function buildElf(): BuiltElf | undefined {
  if (!hasProgram("clang-19") || !hasProgram("ld.lld-19") || !hasProgram("llvm-objcopy-19")) return undefined;
  const directory = mkdtempSync(path.join(tmpdir(), "rea-elf-"));
  const files: string[] = [];
  writeFileSync(path.join(directory, "a.c"), source);
  writeFileSync(path.join(directory, "versions.map"), "V1 { global: entry; };\nV2 { global: shared; } V1;\n");
  const make = (program: string, args: readonly string[], file: string): void => {
    output(program, args, directory);
    files.push(path.join(directory, file));
  };
  for (const target of crossTargets) {
    const object = `${target}.o`;
    make("clang-19", [`--target=${target}`, "-fPIC", "-O1", "-g", "-c", "a.c", "-o", object], object);
    const dynamic = ["-shared", "--eh-frame-hdr", "--build-id", "-soname", `lib-${target}.so`, "--version-script=versions.map", object];
    make("ld.lld-19", [...dynamic, "-o", `${target}.so`], `${target}.so`);
  }
  const object = "x86_64-linux-gnu.o";
  make("ld.lld-19", ["-shared", "--eh-frame-hdr", "-z", "pack-relative-relocs", object, "-o", "relr.so"], "relr.so");
  make("ld.lld-19", ["-shared", "--eh-frame-hdr", "-z", "now", "-z", "relro", "--hash-style=gnu", object, "-o", "now.so"], "now.so");
  make("ld.lld-19", ["-pie", "--unresolved-symbols=ignore-all", "--eh-frame-hdr", "-rpath", "/one:/two", object, "-o", "program"], "program");
  make("ld.lld-19", ["-shared", "--eh-frame-hdr", "--pack-dyn-relocs=android", object, "-o", "android.so"], "android.so");
  return { directory, files, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
