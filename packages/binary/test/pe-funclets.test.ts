import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { memorySource } from "@rea/core";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi, type TestContext } from "vitest";

import { readPe } from "../src/pe/index.js";
import { hasProgram } from "./llvm-tools.js";
import { readOrRefuse } from "./read-everything.js";

// Compilers are started, and many damaged files are read: the bound is for hangs, not for speed.
vi.setConfig({ testTimeout: 300_000 });

const directory = mkdtempSync(path.join(tmpdir(), "rea-funclets-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const needed = ["clang-19", "lld-link-19", "llvm-nm-19"];
const library = `int __CxxFrameHandler3(void) { return 0; }
void _CxxThrowException(void *a, void *b) { for (;;); }
int _fltused;
int report(int x) { return x; }
int risky(int x) { return x * 2; }
void *type_info_table[2] __asm__("??_7type_info@@6B@") = {0};
`;
const program = `extern "C" int report(int);
extern "C" int risky(int);
volatile int sink;
struct guard { int x; __attribute__((noinline)) ~guard() noexcept { sink += x; } };
__attribute__((noinline)) int one(int x) {
  guard held{x};
  try { return risky(x); } catch (int e) { return report(e) + e; } catch (...) { sink = 7; return -1; }
}
__attribute__((noinline)) int two(int x) {
  int r = 0;
  try { r = risky(x); try { r += risky(r); } catch (int) { r = report(r); throw; } } catch (...) { r += 5; sink = r; }
  return r;
}
extern "C" int start(int x) { return one(x) + two(x); }
`;

const run = (name: string, ...args: readonly string[]): string => execFileSync(name, args, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

function built(context: TestContext, machine: "x86_64" | "aarch64"): string {
  const missing = needed.find((name) => !hasProgram(name));
  if (missing !== undefined) context.skip(`${missing} is not installed`);
  writeFileSync(path.join(directory, "library.c"), library);
  writeFileSync(path.join(directory, "program.cpp"), program);
  const target = `--target=${machine}-pc-windows-msvc`;
  run("clang-19", target, "-O1", "-c", "library.c", "-o", `${machine}-library.o`);
  run("clang-19", target, "-O1", "-fexceptions", "-fcxx-exceptions", "-c", "program.cpp", "-o", `${machine}.o`);
  run("lld-link-19", "/nodefaultlib", "/entry:start", "/subsystem:console", "/debug:symtab", `${machine}.o`, `${machine}-library.o`, `/out:${machine}.exe`);
  return path.join(directory, `${machine}.exe`);
}

const symbolsOf = (file: string): ReadonlyMap<string, string> =>
  new Map([...run("llvm-nm-19", file).matchAll(/^0*([0-9a-f]+) \w (.*)$/gm)].map(([, va = "", name = ""]) => [name, va] as const));

/** A program of one C source. */
function linked(context: TestContext, machine: "x86_64" | "aarch64", source: string, ...flags: readonly string[]): string {
  const missing = needed.find((name) => !hasProgram(name));
  if (missing !== undefined) context.skip(`${missing} is not installed`);
  const name = `${machine}-scopes`;
  writeFileSync(path.join(directory, `${name}.c`), source);
  run("clang-19", `--target=${machine}-pc-windows-msvc`, "-O1", ...flags, "-c", `${name}.c`, "-o", `${name}.o`);
  run("lld-link-19", "/nodefaultlib", "/entry:start", "/subsystem:console", "/debug:symtab", `${name}.o`, `/out:${name}.exe`);
  return path.join(directory, `${name}.exe`);
}

function assembled(context: TestContext, source: string): string {
  const missing = needed.find((name) => !hasProgram(name));
  if (missing !== undefined) context.skip(`${missing} is not installed`);
  writeFileSync(path.join(directory, "tables.s"), source);
  run("clang-19", "--target=x86_64-pc-windows-msvc", "-c", "tables.s", "-o", "tables.o");
  run("lld-link-19", "/nodefaultlib", "/entry:owner", "/subsystem:console", "/debug:symtab", "tables.o", "/out:tables.exe");
  return path.join(directory, "tables.exe");
}

const scopes = `int risky(int);
int report(int);
volatile int sink;
int __C_specific_handler(void) { return 0; }
int chosen(int);
__attribute__((noinline)) int risky(int x) { if (x == 7) sink = *(volatile int *)0; return x; }
__attribute__((noinline)) int report(int x) { sink = x; return x + 1; }
int guarded(int x) {
  __try { x = risky(x); } __finally { sink = report(x); }
  return x;
}
int filtered(int x) {
  __try { x = risky(x); } __except (report(x) == 3) { x = 5; }
  return x;
}
int nested(int x) {
  __try {
    __try { x = risky(x + 1); } __finally { sink = report(x + 2); }
  } __except (report(x + sink) > 3) { x = 6; }
  return x;
}
int start(int x) { return guarded(x) + filtered(x) + nested(x); }
`;

/** `owner` with the tables of __CxxFrameHandler4: a part, a destructor and a catch block; `damage` makes one of them wrong. */
const compressedTables = (damage: "" | "outside" | "unlisted"): string => `
  .text
  .globl owner, caught, cleanup, destructor
  owner:
  .seh_proc owner
  sub $40, %rsp
  .seh_stackalloc 40
  .seh_endprologue
  call destructor
  add $40, %rsp
  ret
  .seh_handler handler, @unwind, @except
  .seh_handlerdata
  .long info@IMGREL
  .text
  .seh_endproc
  ${damage === "unlisted" ? "" : ".seh_proc caught"}
  caught:
  sub $40, %rsp
  ${damage === "unlisted" ? "" : ".seh_stackalloc 40\n.seh_endprologue"}
  lea after(%rip), %rax
  add $40, %rsp
  ret
  ${damage === "unlisted" ? "" : ".seh_endproc"}
  cleanup:
  lea 8(%rdx), %rcx
  jmp destructor
  destructor:
  ret
  handler:
  ret
  after:
  ret
  .section .rdata,"dr"
  info:
  .byte 0x18
  .long unwinds@IMGREL, tries@IMGREL, states@IMGREL
  unwinds:
  .byte 3 << 1
  .byte (0 << 3) | (3 << 1)
  .long ${damage === "outside" ? "info" : "cleanup"}@IMGREL
  .byte (5 << 3) | (1 << 1)
  .long destructor@IMGREL
  .byte 0x21, 3
  .byte 4 << 1
  tries:
  .byte 1 << 1, 0 << 1, 1 << 1, 2 << 1
  .long handlers@IMGREL
  handlers:
  .byte 1 << 1
  .byte 0x17, 8 << 1
  .long info@IMGREL
  .byte 16 << 1
  .long caught@IMGREL
  .byte 9 << 1
  states:
  .byte 0
`;

const partsOf = (bytes: Uint8Array): readonly (readonly [string, string])[] =>
  readPe(memorySource(bytes)).unwindRanges().items.flatMap(({ start, primary }) => (primary === undefined ? [] : [[start.toString(16), primary.toString(16)] as const]));

describe("parts that a compiler makes of catch blocks and clean-up code", () => {
  for (const machine of ["x86_64", "aarch64"] as const) test(`belong to the function that lists them on ${machine}`, (context) => {
    const file = built(context, machine);
    const symbols = new Map([...run("llvm-nm-19", file).matchAll(/^0*([0-9a-f]+) \w (.*)$/gm)].map(([, va = "", name = ""]) => [name, va] as const));
    // Their names hold the name of the function: ?catch$2@?0??one@@YAHH@Z@4HA.
    const truth = [...symbols].flatMap(([name, va]) => {
      const owner = /^\?(?:catch|dtor)\$\d+@\?0\?(.*)@4HA$/.exec(name)?.[1];
      return owner === undefined ? [] : [[va, symbols.get(owner)]];
    });
    expect(truth).toHaveLength(5);
    expect(partsOf(readFileSync(file))).toEqual(truth.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
  });

  for (const machine of ["x86_64", "aarch64"] as const) test(`of __try belong to the function around it on ${machine}`, (context) => {
    const file = linked(context, machine, scopes, "-fms-extensions");
    const symbols = symbolsOf(file);
    // ?filt$0@0@filtered@@, and ?dtor$2@?0?guarded@4HA for what calls the body of __finally.
    const truth = [...symbols].flatMap(([name, va]) => {
      const owner = /^\?filt\$\d+@0@(.*)@@$/.exec(name)?.[1] ?? /^\?dtor\$\d+@\?0\?(.*)@4HA$/.exec(name)?.[1];
      return owner === undefined ? [] : [[va, symbols.get(owner)]];
    });
    expect(truth).toHaveLength(4);
    expect(partsOf(readFileSync(file))).toEqual(truth.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
  });

  test("are found through compressed tables, with and without unwind information of their own; destructors stay functions", (context) => {
    const file = assembled(context, compressedTables(""));
    const symbols = symbolsOf(file);
    const owner = symbols.get("owner");
    expect(partsOf(readFileSync(file))).toEqual([[symbols.get("caught"), owner], [symbols.get("cleanup"), owner]]);
  });

  test("are not believed where a compressed table leads outside the code, or its catch block is not listed", (context) => {
    expect(partsOf(readFileSync(assembled(context, compressedTables("outside"))))).toEqual([]);
    expect(partsOf(readFileSync(assembled(context, compressedTables("unlisted"))))).toEqual([]);
  });

  test("stay functions where the language data is none of C++", (context) => {
    const bytes = readFileSync(built(context, "x86_64"));
    const magic = Buffer.from([0x22, 0x05, 0x93, 0x19]);
    for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic)) bytes[at] = 0x23;
    expect(partsOf(bytes)).toEqual([]);
  });

  test("stay functions where two functions list them", (context) => {
    const bytes = readFileSync(built(context, "x86_64"));
    const magic = Buffer.from([0x22, 0x05, 0x93, 0x19]);
    const first = bytes.indexOf(magic);
    const second = bytes.indexOf(magic, first + 4);
    const before = partsOf(bytes);
    // Counts and tables of the first function's data, in place of the second one's.
    bytes.copy(bytes, second + 4, first + 4, first + 24);
    expect(before).toHaveLength(5);
    expect(partsOf(bytes)).toEqual([]);
  });

  test("are read from damaged files within bounds", (context) => {
    const whole = readFileSync(built(context, "x86_64"));
    const magic = whole.indexOf(Buffer.from([0x22, 0x05, 0x93, 0x19]));
    const flips = fc.array(fc.tuple(fc.nat(0x1c0), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(flips, (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of changes) bytes[magic - 0x3c + at] = (bytes[magic - 0x3c + at] ?? 0) ^ mask;
        expect(readOrRefuse(() => readPe(memorySource(bytes)))).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});
