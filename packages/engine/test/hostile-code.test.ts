import { readFileSync, existsSync } from "node:fs";
import { openImage } from "@rea/binary";
import { memorySource, ReaError } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { Program } from "../src/program.js";
import { codeImage, codeRva, hex } from "./code-image.js";

/** Asks for everything and checks what must hold of any program. */
function examine(program: Program): void {
  const { coverage } = program;
  expect(coverage.examinedCodeBytes).toBeLessThanOrEqual(coverage.codeBytes);
  const left = coverage.omissions.find((one) => one.scope === "code")?.count ?? 0;
  expect(left).toBe(coverage.codeBytes - coverage.examinedCodeBytes);
  for (const fn of program.functions) {
    expect(program.functionAt(fn.entry)).toBe(fn);
    expect(fn.sources.length).toBeGreaterThan(0);
    const starts = program.instructionStarts(fn);
    expect(starts).toContain(fn.entry);
    for (const start of starts) expect(program.decodeAt(start)).toBeDefined();
    const known = new Set(program.blocks(fn).map((block) => block.start));
    const edges = program.blocks(fn).flatMap((block) => block.successors);
    expect(edges.every((edge) => known.has(edge.target))).toBe(true);
    program.callers(fn);
    program.callees(fn);
    program.referencesFrom(fn);
    program.neighbour(fn.entry, "next");
  }
}

describe.each([
  ["x86_64", "little"],
  ["x86", "little"],
  ["arm64", "little"],
  ["riscv64", "little"],
  ["mips", "big"],
  ["mips64", "little"],
  ["arm", "little"],
  ["powerpc", "big"],
  ["powerpc64", "little"],
] as const)("%s, %s-endian", (architecture, endian) => {
  test("random bytes are analysed within bounds", async () => {
    const inputs = fc.record({
      code: fc.uint8Array({ minLength: 1, maxLength: 600 }),
      entries: fc.array(fc.integer({ min: 0, max: 0x2000 }), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(inputs, async ({ code, entries }) => {
        examine(await analyzeProgram(codeImage({ code, architecture, endian, entries: [codeRva, ...entries] })));
      }),
      { numRuns: 60 },
    );
  });
});

describe("x86 code meant to confuse", () => {
  test("a jump into the middle of an instruction is followed and said", async () => {
    // 0x1000: jmp 0x1003 (into mov's constant); 0x1002: mov eax, imm32 = ret nop nop nop, reached by je
    const code = hex("7401 b8 c3909090 c3");
    const program = await analyzeProgram(codeImage({ code }));
    examine(program);
    expect(program.coverage.limitations.some((text) => text.includes("middle of 1 decoded"))).toBe(true);
  });

  test("an entry outside every segment is no function", async () => {
    const program = await analyzeProgram(codeImage({ code: hex("c3"), entries: [codeRva, 0x5000_0000, 0] }));
    expect(program.functions.map((fn) => fn.entry)).toEqual([codeRva]);
  });

  test("code that ends in the middle of an instruction keeps what was whole", async () => {
    const program = await analyzeProgram(codeImage({ code: hex("90 90 b80000") }));
    expect(program.functions).toMatchObject([{ entry: codeRva, size: 2 }]);
    expect(program.coverage.limitations.some((text) => text.includes("no instruction"))).toBe(true);
  });

  test("jumps to far outside the image lead nowhere", async () => {
    const program = await analyzeProgram(codeImage({ code: hex("e9ffffff7f") }));
    expect(program.functions).toHaveLength(1);
    expect(program.functions.flatMap((fn) => program.referencesFrom(fn))).toEqual([]);
  });

  test("thousands of overlapping unwind ranges give each byte to one function", async () => {
    const code = new Uint8Array(4096).fill(0x90);
    const unwind = Array.from({ length: 3000 }, (_, index) => ({ start: codeRva + index, end: codeRva + 4096 }));
    const program = await analyzeProgram(codeImage({ code, unwind }));
    const owned = program.functions.reduce((sum, fn) => sum + fn.size, 0);
    expect(owned).toBeLessThanOrEqual(4096);
  });

  test("a long chain of computed jumps stays cheap", async () => {
    const code = new Uint8Array(100_000);
    for (let at = 0; at + 4 <= code.length; at += 4) code.set([0x74, 0x02, 0xff, 0xe0], at);
    const program = await analyzeProgram(codeImage({ code }));
    expect(program.coverage.unresolvedIndirectJumps.length).toBeGreaterThan(10_000);
  });
});

test("a real program with flipped bytes never breaks the analysis", async (ctx) => {
  if (!existsSync("/bin/true")) return ctx.skip("/bin/true does not exist");
  const original = readFileSync("/bin/true");
  const flips = fc.array(fc.tuple(fc.nat({ max: original.length - 1 }), fc.nat({ max: 7 })), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(flips, async (bits) => {
      const bytes = Uint8Array.from(original);
      for (const [at, bit] of bits) bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      try {
        examine(await analyzeProgram(openImage(memorySource(bytes))));
      } catch (error) {
        expect(error).toBeInstanceOf(ReaError);
      }
    }),
    { numRuns: 10 },
  );
});
