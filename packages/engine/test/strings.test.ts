import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import { afterAll, describe, expect, test, vi, type TestContext } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import { stringAt } from "../src/operations/string-places.js";
import { stringOmissions } from "../src/operations/string-coverage.js";
import type { Program, StringRecord } from "../src/program.js";

vi.setConfig({ testTimeout: 180_000 });

const work = mkdtempSync(join(tmpdir(), "rea-strings-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

function run(context: TestContext, program: string, args: readonly string[]): void {
  try {
    execFileSync(program, [...args], { cwd: work, stdio: "pipe" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") context.skip(`${program} is not installed`);
    throw error;
  }
}

function write(name: string, text: string): void {
  writeFileSync(join(work, name), text);
}

function analyse(path: string, bytes = readFileSync(path)): Promise<Program> {
  return analyzeProgram(openImage(memorySource(bytes)));
}

function named(program: Program, text: string): readonly StringRecord[] {
  return program.strings.filter((record) => record.text() === text);
}

/** True when an instruction refers to the string's first byte. */
function isUsed(program: Program, { rva }: StringRecord): boolean {
  return program.referencesTo(rva).some(({ operandIndex }) => operandIndex !== undefined);
}

describe("strings of a program that counts lengths", () => {
  const marker = "/rustc/0000/library/core/src/lib.rs";
  // As rustc lays them out: texts side by side, a slice in data, lengths in the argument registers and in a stored pair.
  const assembly = `
    .globl _start
    _start:
      leaq texts(%rip), %rdi
      movl $7, %esi
      callq use
      movl $6, %edx
      leaq texts+7(%rip), %rsi
      callq use
      leaq texts+13(%rip), %rax
      movq %rax, 8(%rsp)
      movq $3, 16(%rsp)
      callq use
      leaq table(%rip), %rdi
      callq use
      leaq plain(%rip), %rdi
      movl $3, %esi
      callq use
      ret
    .globl use
    use: ret
    .section .rodata,"a",@progbits
    texts: .ascii "openingclosedGETslice texthéllo"
    .byte 0
    plain: .asciz "a text of C"
    .ascii "${marker}"
    .section .data.rel.ro,"aw",@progbits
    .p2align 3
    table: .quad texts+16, 10
  `;

  test("stand alone where code or data gives address and length", async (context) => {
    write("counted.s", assembly);
    run(context, "clang-19", ["--target=x86_64-linux-gnu", "-c", "counted.s", "-o", "counted.o"]);
    run(context, "ld.lld-19", ["-pie", "-o", "counted", "counted.o"]);
    const program = await analyse(join(work, "counted"));
    for (const text of ["opening", "closed", "GET", "slice text", "héllo"]) {
      const [record, ...others] = named(program, text);
      expect(record, text).toMatchObject({ byteLength: Buffer.byteLength(text), terminated: text === "héllo" });
      expect(others).toEqual([]);
    }
    expect(named(program, "opening").every((record) => isUsed(program, record))).toBe(true);
    expect(program.strings.map(({ rva }) => rva)).toEqual(program.strings.map(({ rva }) => rva).sort((a, b) => a - b));
  });

  test("end where a length that Rust passes doubled and with a tag says so", async (context) => {
    write("tagged.s", `
      .globl _start
      _start:
        leaq texts(%rip), %rdi
        movl $33, %esi
        callq use
        leaq texts+16(%rip), %rdi
        movl $41, %esi
        callq use
        leaq distances(%rip), %rax
        movslq (%rax,%rcx,4), %rdx
        ret
      .globl use
      use: ret
      .section .rodata,"a",@progbits
      .p2align 2
      distances: .long words-distances, words+8-distances, words+16-distances
      .long 0
      words: .ascii "beta-twoDeadlockTimedOut"
      .byte 1
      texts: .ascii "no message left!out of memory at all"
      .ascii "${marker}"
    `);
    run(context, "clang-19", ["--target=x86_64-linux-gnu", "-c", "tagged.s", "-o", "tagged.o"]);
    run(context, "ld.lld-19", ["-pie", "-o", "tagged", "tagged.o"]);
    const program = await analyse(join(work, "tagged"));
    expect(named(program, "no message left!")).toMatchObject([{ byteLength: 16 }]);
    expect(program.strings.filter((record) => record.text().startsWith("no message left!"))).toHaveLength(1);
    // A table of distances leads to these.
    for (const text of ["beta-two", "Deadlock", "TimedOut"]) expect(named(program, text), text).toHaveLength(1);
  });

  test("leave a text that ends in NUL whole, whatever number stands beside its address", async (context) => {
    write("counted.s", assembly);
    run(context, "clang-19", ["--target=x86_64-linux-gnu", "-c", "counted.s", "-o", "counted.o"]);
    run(context, "ld.lld-19", ["-pie", "-o", "counted", "counted.o"]);
    const program = await analyse(join(work, "counted"));
    expect(named(program, "a text of C")).toHaveLength(1);
    expect(named(program, "a t")).toEqual([]);
  });

  test("are those of the source of a Rust program", async (context) => {
    write("words.rs", `
      use std::io::Write;
      #[inline(never)] fn kind(n: usize) -> &'static str { if n > 2 { "rather many" } else { "hardly any" } }
      static WORDS: [&str; 3] = ["alphabet", "betting", "gamma rays"];
      fn main() {
        let n = std::env::args().count();
        let mut out = std::io::stdout();
        out.write_all(kind(n).as_bytes()).expect("cannot write the kind");
        out.write_all(WORDS[n % 3].as_bytes()).expect("cannot write the word");
        println!("there are {} arguments in total", n);
      }`);
    run(context, "rustc", ["-O", "-C", "strip=symbols", "-o", "words", "words.rs"]);
    const program = await analyse(join(work, "words"));
    const wanted = ["rather many", "hardly any", "alphabet", "betting", "gamma rays", "cannot write the kind", "cannot write the word", "words.rs"];
    expect(wanted.filter((text) => named(program, text).length === 0)).toEqual([]);
    const glued = program.strings.map((record) => record.text()).filter((text) => /rather many.|cannot write the kind.|^there is no guard page./.test(text));
    expect(glued).toEqual([]);
    expect(named(program, "cannot write the kind").some((record) => isUsed(program, record))).toBe(true);
  });

  test("are those of a Go program, its type names without the lengths before them", async (context) => {
    const corpus = await corpusFile("@esbuild/linux-x64@0.28.2", "bin/esbuild");
    if (corpus.state === "unavailable") return context.skip(corpus.reason);
    const program = await analyse(corpus.path);
    const texts = new Set(program.strings.map((record) => record.text()));
    const wanted = ["Unexpected expression of type %T", "parse", "AudioDestinationNode", "crypto/sha1", "tinyAllocCount", "*cli_helpers.ErrorWithNote"];
    expect(wanted.filter((text) => !texts.has(text))).toEqual([]);
    const used = program.strings.filter((record) => isUsed(program, record));
    expect(used.length).toBeGreaterThan(4000);
    // The low bytes of the word behind a name are no part of it, and the line table's counters are no text.
    expect(texts.has("*fmt.scanError")).toBe(true);
    expect([...texts].filter((text) => /^\*[\w.]+@[\w@]*$/.test(text))).toEqual([]);
    const tables = program.image.sections().items.filter(({ name }) => name === ".gopclntab");
    const rows = program.strings.filter((record) => tables.some(({ va = 0n, virtualSize }) => program.toVa(record.rva) >= va && program.toVa(record.rva) < va + virtualSize));
    expect(rows.length).toBeGreaterThan(10_000);
    expect(rows.filter((record) => /[\t\n\r]/.test(record.text()))).toEqual([]);
  });
});

describe("strings of other programs", () => {
  test("the end of a longer text that code uses is a string of its own", async (context) => {
    write("tail.c", 'int puts(const char *); void _start(void) { puts("a shared ending"); puts("ending"); }');
    run(context, "clang-19", ["--target=x86_64-linux-gnu", "-O2", "-fPIC", "-c", "tail.c", "-o", "tail.o"]);
    run(context, "ld.lld-19", ["-shared", "-O2", "-o", "tail.so", "tail.o"]);
    const program = await analyse(join(work, "tail.so"));
    const [whole] = named(program, "a shared ending");
    const [end] = named(program, "ending");
    expect(end).toMatchObject({ rva: (whole?.rva ?? 0) + 9, byteLength: 6, terminated: true });
    expect(end !== undefined && isUsed(program, end)).toBe(true);
    expect(stringAt(program, end?.rva ?? 0)).toBe("ending");
  });

  test("constant CFStrings and selectors have their text where code refers to them, and nothing between", async (context) => {
    write("literals.s", `
      .section __TEXT,__text,regular,pure_instructions
      .globl _main
      .p2align 2
      _main:
        adrp x0, _ascii@PAGE
        add x0, x0, _ascii@PAGEOFF
        adrp x8, _selector@PAGE
        ldr x1, [x8, _selector@PAGEOFF]
        adrp x2, _wide@PAGE
        add x2, x2, _wide@PAGEOFF
        ret
      .section __TEXT,__cstring,cstring_literals
      l_text: .asciz "Settings window"
      .section __TEXT,__ustring
      .p2align 1
      l_units: .short 0x47, 0x72, 0xfc, 0xdf, 0x65, 0
      .section __TEXT,__objc_methname,cstring_literals
      l_name: .asciz "setTitle:forState:"
      .section __DATA,__objc_selrefs,literal_pointers,no_dead_strip
      .p2align 3
      _selector: .quad l_name
      .section __DATA,__cfstring
      .p2align 3
      _ascii: .quad _isa, 0x7c8, l_text, 15
      _wide: .quad _isa, 0x7d0, l_units, 5
      _broken: .quad _isa, 0x7c8, l_text, 0x7fffffffffff
      .section __DATA,__data
      _isa: .quad 0
    `);
    run(context, "clang-19", ["--target=arm64-apple-macos11", "-c", "literals.s", "-o", "literals.o"]);
    run(context, "ld64.lld-19", ["-arch", "arm64", "-platform_version", "macos", "11", "11", "-e", "_main", "-o", "literals", "literals.o"]);
    const program = await analyse(join(work, "literals"));
    const used = program.strings.filter((record) => isUsed(program, record));
    expect(used.map((record) => [record.text(), record.encoding, record.byteLength, record.terminated])).toEqual([
      ["Settings window", "ascii", 15, true],
      ["Grüße", "utf-16le", 10, true],
      ["setTitle:forState:", "ascii", 18, true],
    ]);
    const [first] = used;
    expect(stringAt(program, first?.rva ?? 0)).toBe("Settings window");
    expect(stringAt(program, (first?.rva ?? 0) + 8)).toBeUndefined();
  });

  test("unwind tables of Windows programs are not searched, and what is found holds no control characters", async (context) => {
    const corpus = await corpusFile("@rollup/rollup-win32-x64-gnu@4.68.8", "rollup.win32-x64-gnu.node");
    if (corpus.state === "unavailable") return context.skip(corpus.reason);
    const program = await analyse(corpus.path);
    expect(program.strings.length).toBeGreaterThan(2000);
    const tables = program.image.sections().items.filter(({ name }) => /^\.(xdata|pdata|reloc|eh_fram)/.test(name));
    const inTables = program.strings.filter((record) =>
      tables.some(({ va = 0n, virtualSize }) => program.toVa(record.rva) >= va && program.toVa(record.rva) < va + virtualSize),
    );
    expect(inTables).toEqual([]);
    expect(program.strings.filter((record) => /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]/.test(record.text()))).toEqual([]);
  });

  test("a Windows program that lost the names of its debug sections has the same strings and says that something is missing", async (context) => {
    write("long.c", 'int puts(const char *); int main(void) { return puts("a text of the program"); }');
    run(context, "x86_64-w64-mingw32-gcc", ["-g", "-O1", "long.c", "-o", "long.exe"]);
    const bytes = readFileSync(join(work, "long.exe"));
    const whole = await analyse("", bytes);
    const places = (program: Program): readonly number[] => program.strings.map(({ rva }) => rva);
    expect(named(whole, "a text of the program")).toHaveLength(1);
    expect(stringOmissions(whole)).toEqual([]);
    // Long names stand in the string table, behind the symbols.
    const tables = bytes.readUInt32LE(bytes.readUInt32LE(0x3c) + 12);
    const nameless = await analyse("", bytes.subarray(0, tables));
    expect(places(nameless)).toEqual(places(whole));
    expect(stringOmissions(nameless)).toMatchObject([{ scope: "sections", reason: "malformed" }]);
  });

  test("a program cut short says that its strings are not all there", async (context) => {
    write("tail.c", 'int puts(const char *); void _start(void) { puts("a shared ending"); puts("ending"); }');
    run(context, "clang-19", ["--target=x86_64-linux-gnu", "-O2", "-fPIC", "-c", "tail.c", "-o", "tail.o"]);
    run(context, "ld.lld-19", ["-shared", "-O2", "-o", "tail.so", "tail.o"]);
    const bytes = readFileSync(join(work, "tail.so"));
    expect(stringOmissions(await analyse("", bytes))).toEqual([]);
    const [omission] = stringOmissions(await analyse("", bytes.subarray(0, 0x300)));
    expect(omission).toMatchObject({ reason: "malformed" });
    expect(omission?.how_to_continue).toContain("0x");
  });
});

describe("a C string that begins with a control character", () => {
  const source = `#include <stdio.h>
int main(int argc, char **argv) { fputs("plain words here", stdout); fputs("\\001answer of the peer", stdout); return 0; }
`;

  test("starts where the reference leads, and others where their text does", async (context) => {
    write("control.c", source);
    run(context, "gcc", ["-O1", "-s", "-o", "control", "control.c"]);
    const program = await analyse(join(work, "control"));
    const [answer] = named(program, "\u0001answer of the peer");
    expect(answer && isUsed(program, answer)).toBe(true);
    expect(answer?.byteLength).toBe(19);
    expect(named(program, "answer of the peer")).toEqual([]);
    expect(named(program, "plain words here")).toHaveLength(1);
  });
});
