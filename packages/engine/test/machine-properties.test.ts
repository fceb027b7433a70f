import { address } from "@rea/core";
import { expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { Program } from "../src/program.js";
import { codeImage, codeRva, hex } from "./code-image.js";

const references = (program: Program, rva: number) => program.referencesAt(rva).map(({ to, kind }) => [kind, to]);

test("a MIPS call stands at its branch and control returns behind the delay slot", async () => {
  // 0x1000: jal 0x401014; li a0, 1; jr ra; nop; (fill) 0x1014: jr ra; addiu v0, a0, 1
  const code = hex("0c100405 24040001 03e00008 00000000 00000000 03e00008 24820001");
  const program = await analyzeProgram(codeImage({ code, architecture: "mips", endian: "big" }));
  expect(program.functions.map((fn) => [fn.entry, fn.size, fn.noReturn])).toEqual([
    [codeRva, 16, false],
    [0x1014, 8, false],
  ]);
  expect(references(program, codeRva)).toEqual([["call", 0x1014]]);
  expect(references(program, codeRva + 4)).toEqual([]);
  expect(program.decodeAt(codeRva)).toMatchObject({ text: "jal 0x401014", flow: "call" });
  expect(program.decodeAt(codeRva + 4)).toMatchObject({ flow: "sequential" });
});

test("blx changes the instruction set and constants beside the code are data", async () => {
  // A32: push {r4, lr}; ldr r0, [pc, #4]; blx 0x1014; pop {r4, pc}; .word 7; T32: bx lr
  const code = hex("10402de9 04009fe5 010000fa 1080bde8 07000000 7047 0000");
  const program = await analyzeProgram(codeImage({ code, architecture: "arm" }));
  expect(program.functions.map((fn) => [fn.entry, fn.size])).toEqual([
    [codeRva, 16],
    [0x1014, 2],
  ]);
  expect(program.decodeAt(0x1014)).toMatchObject({ text: "bx lr", length: 2, flow: "return" });
  expect(program.classify(0x1010)).toBe("data");
});

test("a conditional return ends its block but not the function", async () => {
  // cmpwi r3, 0; beqlr; li r3, 1; blr
  const code = hex("2c030000 4d820020 38600001 4e800020");
  const program = await analyzeProgram(codeImage({ code, architecture: "powerpc", endian: "big" }));
  expect(program.functions).toMatchObject([{ entry: codeRva, size: 16, noReturn: false }]);
  const [fn] = program.functions;
  expect(fn === undefined ? [] : program.blocks(fn).map((block) => block.start)).toEqual([codeRva, codeRva + 8]);
});

test("a far RISC-V call made of two instructions is a direct call", async () => {
  // auipc ra, 0; jalr ra, 12(ra); ret (c.jr ra); c.nop; 0x100c: lui a0, 0x401; addi a0, a0, 8; ret
  const code = hex("97000000 e780c000 8280 0100 37154000 13058500 8280");
  const program = await analyzeProgram(codeImage({ code, architecture: "riscv64" }));
  expect(references(program, codeRva + 4)).toEqual([["call", 0x100c]]);
  expect(references(program, 0x1010)).toEqual([["address", 0x1008]]);
});

test("code too far from the lowest address is said", async () => {
  const image = codeImage({ code: hex("c3") });
  const far = { name: "far", va: address(1n << 60n), virtualSize: 16n, file: { offset: 0, size: 1 }, readable: true, writable: false, executable: true, flags: [] };
  const segments = () => ({ items: [...image.segments().items, far], omissions: [] });
  const program = await analyzeProgram({ ...image, segments });
  expect(program.coverage.omissions).toContainEqual(expect.objectContaining({ scope: "distant_code", reason: "not_examined", count: 1 }));
});
