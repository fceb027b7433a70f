import { describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { Program } from "../src/program.js";
import { codeImage, codeRva, dataRva, hex } from "./code-image.js";

function words(...list: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(list).buffer);
}

function entries(program: Program): readonly number[] {
  return program.functions.map((fn) => fn.entry - codeRva);
}

describe("A64 code without unwind tables", () => {
  test("a function whose first byte is zero is found behind padding", async () => {
    // ret; nop; nop; nop; adrp x0, +1 page; ret
    const code = words(0xd65f03c0, 0xd503201f, 0xd503201f, 0xd503201f, 0xb0000000, 0xd65f03c0);
    expect(entries(await analyzeProgram(codeImage({ code, architecture: "arm64" })))).toEqual([0, 16]);
  });

  test("an address is put together across a branch when all ways there agree", async () => {
    // adrp x0, +1 page; cbz x1, +8; nop; ldr w2, [x0, #8]; ret
    const code = words(0xb0000000, 0xb4000041, 0xd503201f, 0xb9400802, 0xd65f03c0);
    const program = await analyzeProgram(codeImage({ code, architecture: "arm64" }));
    expect(program.referencesAt(codeRva + 12)).toMatchObject([{ to: dataRva(20) + 8, kind: "read" }]);
  });

  test("a value that a loop changes is not relied on", async () => {
    // adrp x0, +1 page; ldr w2, [x0, #8]; mov x0, x3; cbnz w2, -8; ret
    const code = words(0xb0000000, 0xb9400802, 0xaa0303e0, 0x35ffffc2, 0xd65f03c0);
    const program = await analyzeProgram(codeImage({ code, architecture: "arm64" }));
    expect(program.referencesAt(codeRva + 4)).toEqual([]);
  });

  test("a function behind one that ends in a call through a pointer is found", async () => {
    // ldr x1, [x0, #16]; br x1; nop; nop; mov w0, #1; ret
    const code = words(0xf9400801, 0xd61f0020, 0xd503201f, 0xd503201f, 0x52800020, 0xd65f03c0);
    expect(entries(await analyzeProgram(codeImage({ code, architecture: "arm64" })))).toEqual([0, 16]);
  });
});

describe("x86 code without unwind tables", () => {
  test("a function right behind a call that never returns is its own, where another such call shows that the compiler knew", async () => {
    // 0: call 0x30; nop …  0x10: (11 nops) call 0x30  0x20: push rbp; pop rbp; ret  0x30: hlt
    const code = new Uint8Array(0x31).fill(0x90);
    code.set(hex("7405 e829000000"), 0);
    code.set(hex("eb02"), 7);
    code.set(hex("e810000000"), 0x1b);
    code.set(hex("eb0e"), 0xb);
    code.set(hex("55 5d c3"), 0x20);
    code.set(hex("f4"), 0x30);
    const program = await analyzeProgram(codeImage({ code, entries: [codeRva, codeRva + 0x30] }));
    expect(program.functionContaining(codeRva + 0x20)?.entry).toBe(codeRva + 0x20);
  });

  test("32-bit code that counts from the program counter refers to data", async () => {
    // call 0x10; add eax, 0x1000; lea ecx, [eax-0x5+8]; ret   0x10: mov eax, [esp]; ret
    const code = new Uint8Array(0x14).fill(0x90);
    code.set(hex("e80b000000 0500100000 8d4803 c3"), 0);
    code.set(hex("8b0424 c3"), 0x10);
    const program = await analyzeProgram(codeImage({ code, architecture: "x86" }));
    expect(program.referencesAt(codeRva + 10)).toMatchObject([{ to: codeRva + 0x1008, kind: "address" }]);
  });

  test("labels that a computed goto selects from are blocks of its function", async () => {
    // lea rdi, [table]; mov rax, [rdi+rax*8]; jmp rax   0x10: nop; mov rax, [rdi+rsi*8]; jmp rax   0x18: ret
    const code = hex("488d3df90f0000 488b04c7 ffe0 0f1f00 90 488b04f7 ffe0 90 c3");
    const cells = [dataRva(code.length), dataRva(code.length) + 8];
    const pointers = [{ cell: cells[0] ?? 0, target: codeRva + 0x10 }, { cell: cells[1] ?? 0, target: codeRva + 0x18 }];
    const program = await analyzeProgram(codeImage({ code, pointers }));
    expect(entries(program)).toEqual([0]);
    expect(program.coverage.unresolvedIndirectJumps).toEqual([]);
    const [first] = program.functions.flatMap((fn) => program.blocks(fn));
    expect(first?.successors).toEqual([0x10, 0x18].map((offset) => ({ target: codeRva + offset, kind: "switch" })));
  });

  test("functions that a table holds stay functions where a jump calls them as its function's last act", async () => {
    const code = new Uint8Array(0x21).fill(0x90);
    code.set(hex("488d3df90f0000 488b04c7 ffe0"));
    code.set(hex("c3"), 0x10);
    code.set(hex("c3"), 0x20);
    const cell = dataRva(code.length);
    const pointers = [{ cell, target: codeRva + 0x10 }, { cell: cell + 8, target: codeRva + 0x20 }];
    expect(entries(await analyzeProgram(codeImage({ code, pointers })))).toEqual([0, 0x10, 0x20]);
  });

  test("a call into the middle of a declared function makes no function there", async () => {
    const code = new Uint8Array(0x23).fill(0x90);
    code.set(hex("e81d000000 c3"));
    code.set(hex("c3"), 0x22);
    const unwind = [{ start: codeRva, end: codeRva + 6 }, { start: codeRva + 0x20, end: codeRva + 0x23 }];
    const program = await analyzeProgram(codeImage({ code, unwind }));
    expect(entries(program)).toEqual([0, 0x20]);
    expect(program.functionContaining(codeRva + 0x22)?.entry).toBe(codeRva + 0x20);
  });

  test("coverage names jumps whose targets are unknown by address, the first twenty", async () => {
    const jumps = Array.from({ length: 22 }, (_, index) => codeRva + index * 16);
    const code = new Uint8Array(22 * 16).fill(0x90);
    for (const jump of jumps) code.set(hex("ffe0"), jump - codeRva);
    const { coverage } = await analyzeProgram(codeImage({ code, entries: jumps }));
    const hint = coverage.omissions.find((one) => one.scope === "indirect_jumps")?.how_to_continue;
    expect(hint).toMatch(/at 0x401000, 0x401010, .*, 0x401130 and 2 more\.$/);
  });
});
