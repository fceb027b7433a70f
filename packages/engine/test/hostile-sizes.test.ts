import { address, memorySource } from "@rea/core";
import { openImage } from "@rea/binary";
import { describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { Program } from "../src/program.js";
import { codeImage, codeRva, dataRva, hex } from "./code-image.js";
import { elfCodeOffset, elfFile, peBase, peCodeRva, peFile } from "./hostile-images.js";

const base = 0x40_0000;
const codeVa = base + elfCodeOffset;

function open(bytes: Uint8Array): Promise<Program> {
  return analyzeProgram(openImage(memorySource(bytes)));
}

/** No byte belongs to two functions, and what was looked at is no more than there is. */
function expectSound(program: Program): void {
  const ranges = program.functions.flatMap((fn) => fn.ranges).sort((a, b) => a.start - b.start);
  ranges.forEach((range, index) => {
    expect(range.start).toBeGreaterThanOrEqual(ranges[index - 1]?.end ?? 0);
  });
  expect(program.coverage.examinedCodeBytes).toBeLessThanOrEqual(program.coverage.codeBytes);
}

describe("jump tables that lie", () => {
  /** cmp edi, last; ja end; lea rax, [rip+table]; movsxd rdx, [rax+rdi*4]; add rdx, rax; jmp rdx; end: ret; then the table */
  const head = hex("83ff03 770f 488d050a000000 486314b8 4801c2 ffe2 c3 90");
  const tableAt = codeRva + head.length;

  function withTable(entries: readonly number[], last = 3): Uint8Array {
    const code = new Uint8Array(head.length + entries.length * 4);
    code.set(head);
    code[2] = last;
    entries.forEach((entry, index) => {
      new DataView(code.buffer).setInt32(head.length + index * 4, entry, true);
    });
    return code;
  }

  test("a table whose entries point into the table itself ends", async () => {
    const program = await analyzeProgram(codeImage({ code: withTable([0, 4, 8, 12]) }));
    expectSound(program);
    expect(program.functions.map((fn) => fn.entry)).toContain(codeRva);
  });

  test("a table that leads to the jump that reads it ends", async () => {
    const program = await analyzeProgram(codeImage({ code: withTable([-4, -4, -4, -4]) }));
    expectSound(program);
    expect(program.functionAt(codeRva)?.ranges[0]).toMatchObject({ start: codeRva });
  });

  test("a table with an entry outside the image is not believed, and the jump is named unresolved", async () => {
    const program = await analyzeProgram(codeImage({ code: withTable([-5, 0x7000_0000, -5, -5]) }));
    expect(program.coverage.unresolvedIndirectJumps).toHaveLength(1);
    expect(program.coverage.omissions.map((one) => one.scope)).toContain("indirect_jumps");
  });

  test("a table that leads to every byte gives each byte to one function", async () => {
    const entries = Array.from({ length: 120 }, (_, index) => index - (tableAt - codeRva));
    const program = await analyzeProgram(codeImage({ code: withTable(entries, 119) }));
    expectSound(program);
  });
});

describe("sizes meant to exhaust", () => {
  test("a function of more than a million instructions is cut, and the cut is said", async () => {
    const code = new Uint8Array(1_000_100).fill(0x50);
    code[code.length - 1] = 0xc3;
    const program = await analyzeProgram(codeImage({ code }));
    expect(program.functions[0]?.size).toBe(1_000_000);
    expect(program.coverage.omissions).toContainEqual(expect.objectContaining({ scope: "function_instructions", reason: "analysis_incomplete", count: 1 }));
  });

  test("a chain of 200,000 functions, each calling the next and the last the first, needs no stack of its own", { timeout: 300_000 }, async () => {
    const count = 200_000;
    const code = new Uint8Array(count * 6);
    const view = new DataView(code.buffer);
    for (let index = 0; index < count; index += 1) {
      code[index * 6] = 0xe8;
      view.setInt32(index * 6 + 1, index === count - 1 ? -(index * 6 + 5) : 1, true);
      code[index * 6 + 5] = 0xc3;
    }
    const program = await analyzeProgram(codeImage({ code }));
    expect(program.functions).toHaveLength(count);
  });

  test("a million symbols at one address are one function", async () => {
    const plain = codeImage({ code: hex("c3"), symbols: [{ name: "f", rva: codeRva, size: 1 }] });
    const [symbol] = plain.symbols().items;
    if (symbol === undefined) throw new Error("the image has its symbol");
    const items = Array.from({ length: 1_000_000 }, (_, index) => (index === 500_000 ? { ...symbol, name: "g" } : symbol));
    const program = await analyzeProgram({ ...plain, symbols: () => ({ items, omissions: [] }) });
    expect(program.functions).toHaveLength(1);
    expect(program.namesAt(codeRva).map(({ name }) => name)).toEqual(["f", "g"]);
  });

  test("pointers that lead round in circles are references and no functions", async () => {
    const cell = dataRva(16);
    const pointers = Array.from({ length: 1000 }, (_, index) => ({ cell: cell + index * 8, target: cell + ((index + 1) % 1000) * 8 }));
    const program = await analyzeProgram(codeImage({ code: hex("c3"), data: new Uint8Array(8000), pointers }));
    expect(program.functions.map((fn) => fn.entry)).toEqual([codeRva]);
    expect(program.referencesTo(cell)).toMatchObject([{ from: cell + 999 * 8, kind: "address" }]);
  });
});

describe("headers that contradict each other", () => {
  const code = new Uint8Array(256).fill(0x90);
  code.set(hex("e80a000000 c3"), 0);
  code.set(hex("55 5d c3"), 15);
  const whole = { va: base, offset: 0, size: elfCodeOffset + code.length };

  test("sections that overlap give each byte to one function", async () => {
    const sections = Array.from({ length: 200 }, (_, index) => ({ va: codeVa + index, offset: elfCodeOffset + index, size: 56 }));
    const program = await open(elfFile({ entry: codeVa, code, segments: [whole], sections }));
    expectSound(program);
    expect(program.functions.map((fn) => fn.entry)).toEqual(expect.arrayContaining([elfCodeOffset, elfCodeOffset + 15]));
  });

  test("sections at addresses that no segment maps do not move the code that is mapped", async () => {
    const sections = [{ va: 0x7000_0000, offset: elfCodeOffset, size: code.length }];
    const program = await open(elfFile({ entry: codeVa, code, segments: [whole], sections }));
    expectSound(program);
    expect(program.functions.map((fn) => fn.entry)).toContain(elfCodeOffset);
  });

  test("65,535 sections are read in one pass", async () => {
    const sections = Array.from({ length: 65_535 }, (_, index) => ({ va: codeVa + (index % 256), offset: elfCodeOffset + (index % 256), size: 1 }));
    const program = await open(elfFile({ entry: codeVa, code, segments: [whole], sections }));
    expectSound(program);
    expect(program.coverage.codeBytes).toBe(code.length);
  });

  test("an entry outside every segment starts no function", async () => {
    const program = await open(elfFile({ entry: 0x9000_0000, code, segments: [whole], sections: [] }));
    expect(program.functions).toEqual([]);
  });

  test("96 sections of a PE that lie over each other give each byte to one function", async () => {
    const program = await open(peFile(code, 96, 0x10));
    expectSound(program);
    expect(program.toVa(program.functions[0]?.entry ?? 0)).toBe(address(peBase + BigInt(peCodeRva)));
  });
});
