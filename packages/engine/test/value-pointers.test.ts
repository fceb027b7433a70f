import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import { referenceBasis } from "../src/operations/value-basis.js";
import type { Program } from "../src/program.js";
import { codeImage, dataRva, hex } from "./code-image.js";

const words = (...values: readonly bigint[]): Uint8Array => new Uint8Array(BigUint64Array.from(values).buffer);
const text = (value: string): bigint => [...value].reduceRight((word, letter) => (word << 8n) | BigInt(letter.charCodeAt(0)), 0n);

describe("words of data in an image that no loader moves", () => {
  // ret and padding, then `xor eax, eax; ret` at 0x401010.
  const code = hex("c3 909090909090909090909090909090 31c0 c3");
  const data = dataRva(code.length);

  test("are pointers where they hold the address of code, and say that only their value speaks for it", async () => {
    const program = await analyzeProgram(codeImage({ code, data: words(7n, 0x40_1010n) }));
    expect(program.functionAt(0x1010)?.sources).toContain("pointer");
    expect(program.referencesTo(0x1010)).toEqual([{ from: data + 8, to: 0x1010, kind: "address", operandIndex: undefined, byValue: true }]);
    expect(program.coverage.limitations.filter((sentence) => sentence.includes("by their value"))).toHaveLength(1);
  });

  test("are pointers where they lead to other data, but not into the middle of code", async () => {
    const program = await analyzeProgram(codeImage({ code, data: words(0x40_2008n, 0x40_1011n) }));
    expect(program.referencesTo(data + 8)).toMatchObject([{ from: data, byValue: true }]);
    expect(program.referencesTo(0x1011)).toEqual([]);
    expect(program.functionAt(0x1011)).toBeUndefined();
  });

  test("that may be short texts make no function, and count beside a pointer", async () => {
    // Code long enough that three letters lead into it.
    const long = new Uint8Array(0x10_0000).fill(0xcc);
    long[0] = 0xc3;
    const target = Number(text("AAD")) - 0x40_0000;
    long.set(hex("31c0 c3"), target - 0x1000);
    const alone = await analyzeProgram(codeImage({ code: long, data: words(1n, text("AAD"), 1n) }));
    expect(alone.functionAt(target)).toBeUndefined();
    const beside = await analyzeProgram(codeImage({ code: long, data: words(0x40_1000n, text("AAD"), 1n) }));
    expect(beside.functionAt(target)?.sources).toEqual(["pointer"]);
  });

  test("of an image that a loader moves are numbers", async () => {
    const image = codeImage({ code, data: words(0x40_1010n) });
    const moved = await analyzeProgram({ ...image, format: "elf", header: { ...image.header, type: "ET_DYN" } });
    expect(moved.referencesTo(0x1010)).toEqual([]);
  });

  test("make an answer that rests on them inferred, with the words named", async () => {
    const program = await analyzeProgram(codeImage({ code, data: words(0x40_1010n) }));
    const basis = referenceBasis(program, program.referencesTo(0x1010), "derived");
    expect(basis.confidence).toBe("inferred");
    expect(basis.limitations.join()).toContain("0x402000");
    expect(referenceBasis(program, program.referencesTo(0x1000), "derived")).toEqual({ confidence: "derived", limitations: [] });
  });
});

describe("pointers found by value in a linked program", () => {
  const work = mkdtempSync(join(tmpdir(), "rea-value-pointers-"));
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test("are those its relocations tell, with functions that only they lead to", async (context) => {
    const file = join(work, "fixed");
    writeFileSync(`${file}.c`, fixedSource);
    try {
      execFileSync("gcc", ["-O1", "-w", "-no-pie", "-fno-pie", "-fno-asynchronous-unwind-tables", "-Wl,--emit-relocs", "-o", `${file}.full`, `${file}.c`], { stdio: "pipe" });
      execFileSync("strip", ["-o", file, `${file}.full`]);
    } catch {
      return context.skip("gcc does not build fixed programs here");
    }
    const program = await analyzeProgram(openImage(memorySource(readFileSync(file))));
    const truth = dataRelocations(`${file}.full`);
    expect(truth.size).toBeGreaterThan(20);
    expect([...truth].filter(([cell, target]) => !refers(program, cell, target))).toEqual([]);
    const sections = program.image.sections().items.filter(({ name }) => name === ".data" || name === ".rodata");
    const found = sections.flatMap(({ va = 0n, virtualSize }) =>
      Array.from({ length: Number(virtualSize) >> 3 }, (_, index) => va + BigInt(index * 8)).filter((cell) => program.referencesAt(program.toRva(cell) ?? -1).some(({ byValue }) => byValue === true)),
    );
    expect(found.filter((cell) => !truth.has(cell))).toEqual([]);
  });
});

function refers(program: Program, cell: bigint, target: bigint): boolean {
  const from = program.toRva(cell);
  return program.referencesTo(program.toRva(target) ?? -1).some((reference) => reference.from === from);
}

/** Cells of `.data` and `.rodata` and what the linker put there. */
function dataRelocations(file: string): ReadonlyMap<bigint, bigint> {
  const list = execFileSync("readelf", ["-rW", file], { encoding: "utf8" });
  const found = new Map<bigint, bigint>();
  let isData = false;
  for (const line of list.split("\n")) {
    const section = /^Relocation section '(.*?)'/.exec(line)?.[1];
    if (section !== undefined) isData = section === ".rela.data" || section === ".rela.rodata";
    const [, cell, value, addend] = /^([0-9a-f]+)\s+[0-9a-f]+ R_X86_64_64\s+([0-9a-f]+) .*? \+ ([0-9a-f]+)$/.exec(line) ?? [];
    if (isData && cell !== undefined) found.set(BigInt(`0x${cell}`), BigInt(`0x${value ?? ""}`) + BigInt(`0x${addend ?? ""}`));
  }
  return found;
}

const fixedSource = `
#include <stdio.h>
static int one(int x) { return x + 1; } static int two(int x) { return x * 2; } static int three(int x) { return x ^ 3; }
struct entry { const char *name; int (*run)(int); struct entry *next; };
static struct entry last = { "last entry", three, 0 };
static struct entry table[] = { { "first entry", one, &last }, { "second entry", two, &table[0] }, { "third entry", three, &table[1] } };
static const char *const names[] = { "red", "green", "blue", "a longer name", "x" };
static int kind(int n) { switch (n) { case 0: return puts("zero"); case 1: return puts("one"); case 2: return puts("two"); case 3: return puts("three"); case 4: return putchar('4'); case 5: return puts("five"); } return n; }
volatile int which;
int main(int count, char **list) { struct entry *at = &table[count % 3]; puts(names[which]); puts(at->name); return at->run(count) + at->next->run(kind(which)); }
`;
