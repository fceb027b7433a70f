import { ReaError } from "@rea/core";
import { describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { Program } from "../src/program.js";
import { codeImage, codeRva, dataRva, hex } from "./code-image.js";

const entries = (program: Program) => program.functions.map((fn) => fn.entry);
const named = (program: Program, name: string) => program.functions.find((fn) => fn.name === name);

describe("finding functions", () => {
  test("a direct call makes its target a function and an edge of the call graph", async () => {
    // call 0x1010; ret; … 0x1010: mov eax, 1; ret
    const code = hex("e80b000000 c3 90909090909090909090 b801000000 c3");
    const program = await analyzeProgram(codeImage({ code }));
    expect(entries(program)).toEqual([0x1000, 0x1010]);
    const [first, second] = program.functions;
    expect(second).toMatchObject({ name: "sub_401010", nameSource: "generated", sources: ["call-target"], size: 6 });
    expect(first === undefined ? [] : program.callees(first)).toEqual([0x1010]);
    expect(second === undefined ? [] : program.callers(second)).toEqual([0x1000]);
    expect(program.referencesTo(0x1010)).toEqual([{ from: 0x1000, to: 0x1010, kind: "call", operandIndex: 0 }]);
  });

  test("padding between functions belongs to none of them", async () => {
    const code = hex("e80b000000 c3 90909090909090909090 b801000000 c3");
    const program = await analyzeProgram(codeImage({ code }));
    expect(program.functionContaining(0x1008)).toBeUndefined();
    expect(program.coverage).toMatchObject({ codeBytes: 22, examinedCodeBytes: 22, omissions: [] });
  });

  test("code behind a call that never returns belongs to nobody", async () => {
    // call 0x1008 (abort's stub); int3; int3; int3; 0x1008: jmp [rip+x]; 
    const code = hex("e803000000 cccccc ff25f20f0000 9090");
    const slot = 0x2000;
    const program = await analyzeProgram(codeImage({ code, imports: [{ name: "abort", stubs: [0x1008], slots: [slot] }] }));
    const main = program.functionAt(0x1000);
    expect(main).toMatchObject({ size: 5, noReturn: true });
    expect(named(program, "abort")).toMatchObject({ external: true, thunk: true, thunkTarget: "abort", nameSource: "import" });
  });

  test("a function that only ever calls a function that never returns never returns either", async () => {
    // 0x1000: call 0x1010; ret   0x1010: jmp 0x1010
    const code = hex("e80b000000 c3 90909090909090909090 ebfe");
    const program = await analyzeProgram(codeImage({ code }));
    expect(program.functions.map((fn) => fn.noReturn)).toEqual([true, true]);
  });

  test("functions that call each other return when one of them has a way out", async () => {
    // 0x1000: test edi,edi; je 0x100c; call 0x1010; nop*3; 0x100c: ret   0x1010: call 0x1000; ret
    const code = hex("85ff 7408 e807000000 909090 c3 909090 e8ebffffff c3");
    const program = await analyzeProgram(codeImage({ code }));
    expect(program.functions.map((fn) => fn.noReturn)).toEqual([false, false]);
    expect(program.functionAt(0x1010)?.size).toBe(6);
  });

  test("a jump to another function's entry is a tail call, not part of the body", async () => {
    // 0x1000: jmp 0x1010   0x1010: ret
    const code = hex("eb0e 9090909090909090909090909090 c3");
    const program = await analyzeProgram(
      codeImage({ code, symbols: [{ name: "a", rva: 0x1000 }, { name: "b", rva: 0x1010 }] }),
    );
    const a = program.functionAt(0x1000);
    expect(a).toMatchObject({ name: "a", size: 2, thunk: true, thunkTarget: "b" });
    expect(a === undefined ? [] : program.callees(a)).toEqual([0x1010]);
  });

  test("an unwind range gives its function everything that decodes in it", async () => {
    // jmp rax; 0x1002: xor eax,eax; ret — nothing leads to 0x1002 but the range
    const code = hex("ffe0 31c0 c3");
    const program = await analyzeProgram(codeImage({ code, unwind: [{ start: 0x1000, end: 0x1005 }] }));
    expect(program.functions).toMatchObject([{ entry: 0x1000, size: 5, sources: ["entry", "unwind"] }]);
    expect(program.coverage.unresolvedIndirectJumps).toEqual([0x1000]);
    expect(program.coverage.omissions).toEqual([
      expect.objectContaining({ scope: "indirect_jumps", reason: "analysis_incomplete", count: 1 }),
    ]);
  });

  test("an unwind part of another function is a second range of it", async () => {
    const code = hex("7407 c3 909090909090 31c0 c3");
    const program = await analyzeProgram(
      codeImage({ code, unwind: [{ start: 0x1000, end: 0x1003 }, { start: 0x1009, end: 0x100c, primary: 0x1000 }] }),
    );
    expect(program.functions).toMatchObject([
      { entry: 0x1000, ranges: [{ start: 0x1000, end: 0x1003 }, { start: 0x1009, end: 0x100c }], size: 6 },
    ]);
    expect(program.functionContaining(0x100a)?.entry).toBe(0x1000);
  });

  test("a global symbol names a function before its local and weak aliases", async () => {
    const program = await analyzeProgram(
      codeImage({
        code: hex("c3"),
        symbols: [
          { name: "alias", rva: codeRva, binding: "weak" },
          { name: "real", rva: codeRva },
          { name: "internal", rva: codeRva, binding: "local" },
        ],
      }),
    );
    expect(program.functions[0]?.name).toBe("real");
    expect(program.namesAt(codeRva).map((name) => name.name)).toEqual(["alias", "internal", "real"]);
  });

  test("a pointer to a cell that relocation fills leads to a table among the code, not to a function", async () => {
    // ret, padding, and a table of two addresses whose bytes would decode.
    const code = hex("c3 cc cc cc cc cc cc cc  c3 c3 00 00 00 00 00 00  c3 c3 00 00 00 00 00 00");
    const cell = dataRva(code.length);
    const pointers = [{ cell, target: 0x1008 }, { cell: 0x1008, target: 0x1000 }, { cell: 0x1010, target: 0x1000 }];
    const program = await analyzeProgram(codeImage({ code, pointers }));
    expect(program.functions.map(({ entry }) => entry)).not.toContain(0x1008);
    const without = await analyzeProgram(codeImage({ code, pointers: pointers.slice(0, 1) }));
    expect(without.functions.map(({ entry }) => entry)).toContain(0x1008);
  });

  test("a relocated pointer to code that nothing calls makes a function and a reference from data", async () => {
    const code = hex("c3 909090909090909090909090909090 31c0 c3");
    const cell = dataRva(code.length);
    const program = await analyzeProgram(codeImage({ code, pointers: [{ cell, target: 0x1010 }] }));
    expect(program.functionAt(0x1010)?.sources).toEqual(["pointer"]);
    expect(program.referencesTo(0x1010)).toEqual([{ from: cell, to: 0x1010, kind: "address", operandIndex: undefined }]);
  });
});

describe("blocks and instructions", () => {
  // 0x1000: test edi,edi; je 0x1009; mov eax,1; 0x1009: ret
  const code = hex("85ff 7405 b801000000 c3");

  test("blocks are cut at jump targets and behind jumps", async () => {
    const program = await analyzeProgram(codeImage({ code }));
    const main = program.functionAt(codeRva);
    expect(main === undefined ? [] : program.blocks(main)).toEqual([
      {
        start: 0x1000,
        end: 0x1004,
        instructionCount: 2,
        successors: [
          { target: 0x1004, kind: "fallthrough" },
          { target: 0x1009, kind: "branch" },
        ],
      },
      { start: 0x1004, end: 0x1009, instructionCount: 1, successors: [{ target: 0x1009, kind: "fallthrough" }] },
      { start: 0x1009, end: 0x100a, instructionCount: 1, successors: [] },
    ]);
    expect(main === undefined ? [] : program.instructionStarts(main)).toEqual([0x1000, 0x1002, 0x1004, 0x1009]);
  });

  test("addresses are told apart by what stands there", async () => {
    const program = await analyzeProgram(codeImage({ code }));
    expect(program.classify(0x1004)).toBe("instruction");
    expect(program.classify(0x1006)).toBe("mid_instruction");
    expect(program.instructionCovering(0x1006)).toBe(0x1004);
    expect(program.classify(dataRva(code.length))).toBe("data");
    expect(program.classify(0x9000_0000)).toBe("outside");
    expect(program.neighbour(0x1000, "next")).toBe(0x1002);
    expect(program.neighbour(0x1009, "previous")).toBe(0x1004);
    expect(program.neighbour(0x1000, "previous")).toBeUndefined();
  });

  test("a bounded jump table gives the function its cases and switch edges", async () => {
    // cmp edi,1; ja 0x1018; mov edi,edi; lea rdx,[rip+table]; movsxd rax,[rdx+rdi*4]; add rax,rdx; jmp rax; 0x1018: ret; 0x1019: ret; 0x101a: ret
    const text = hex("83ff01 7713 89ff 488d15f20f0000 486304ba 4801d0 ffe0 c3 c3 c3".replace(/\s/g, ""));
    const jump = 0x1000 + 3 + 2 + 2 + 7 + 4 + 3;
    const table = dataRva(text.length);
    const data = new Uint8Array(16);
    new DataView(data.buffer).setInt32(0, jump + 3 - table, true);
    new DataView(data.buffer).setInt32(4, jump + 4 - table, true);
    const program = await analyzeProgram(codeImage({ code: text, data }));
    const main = program.functionAt(codeRva);
    expect(program.coverage.unresolvedIndirectJumps).toEqual([]);
    const edges = main === undefined ? [] : program.blocks(main).flatMap((block) => block.successors);
    expect(edges.filter((edge) => edge.kind === "switch").map((edge) => edge.target)).toEqual([jump + 3, jump + 4]);
  });
});

describe("references", () => {
  test("memory operands are told apart as read, write and address", async () => {
    // mov eax,[rip+a]; mov [rip+b],eax; lea rax,[rip+c]; add [rip+d],eax; ret
    const code = hex("8b05fa0f0000 8905fc0f0000 488d05fd0f0000 0105ff0f0000 c3");
    const program = await analyzeProgram(codeImage({ code, data: new Uint8Array(64) }));
    const main = program.functionAt(codeRva);
    const found = main === undefined ? [] : program.referencesFrom(main);
    expect(found.map(({ to, kind, operandIndex }) => [to, kind, operandIndex])).toEqual([
      [0x2000, "read", 1],
      [0x2008, "write", 0],
      [0x2010, "address", 1],
      [0x2018, "read", 0],
      [0x2018, "write", 0],
    ]);
  });

  test("a call through an import's cell is a call of the import", async () => {
    // call [rip+slot]; ret
    const code = hex("ff15fa0f0000 c3");
    const program = await analyzeProgram(codeImage({ code, imports: [{ name: "puts", slots: [0x2000] }] }));
    const main = program.functionAt(codeRva);
    expect(program.referencesAt(codeRva)).toEqual([{ from: 0x1000, to: 0x2000, kind: "call", operandIndex: 0 }]);
    expect(main === undefined ? [] : program.callees(main)).toEqual([0x2000]);
    expect(program.namesAt(0x2000)).toMatchObject([{ name: "puts", source: "import-slot" }]);
  });

  test("a constant is an address only where it lies in the image", async () => {
    // mov edi, 0x402000; mov esi, 5; ret
    const code = hex("bf00204000 be05000000 c3");
    const program = await analyzeProgram(codeImage({ code, data: new Uint8Array(16) }));
    const main = program.functionAt(codeRva);
    expect(main === undefined ? [] : program.referencesFrom(main)).toEqual([
      { from: 0x1000, to: 0x2000, kind: "address", operandIndex: 1 },
    ]);
  });
});

describe("bounds and stops", () => {
  test("a reached bound of instructions shows as incomplete analysis", async () => {
    const code = new Uint8Array(4096).fill(0x90);
    const program = await analyzeProgram(codeImage({ code, entries: [0x1000, 0x1800] }), { limits: { instructions: 100 } });
    expect(program.coverage.omissions).toContainEqual(
      expect.objectContaining({ scope: "instructions", reason: "analysis_incomplete", limit: 100 }),
    );
  });

  test("a function longer than its bound is cut and said to be", async () => {
    const code = new Uint8Array(4096).fill(0x90);
    const program = await analyzeProgram(codeImage({ code }), { limits: { functionInstructions: 10 } });
    expect(program.functions[0]?.size).toBe(10);
    expect(program.coverage.omissions).toContainEqual(
      expect.objectContaining({ scope: "function_instructions", reason: "analysis_incomplete", count: 1, limit: 10 }),
    );
  });

  test("asking it to stop ends the analysis as cancelled", async () => {
    const code = new Uint8Array(100_000).fill(0x90);
    const stopped = analyzeProgram(codeImage({ code }), { shouldStop: () => true });
    await expect(stopped).rejects.toMatchObject({ code: "cancelled" });
  });

  test("an architecture without a decoder is refused by name of the reason", async () => {
    const refused = analyzeProgram(codeImage({ code: hex("c3"), architecture: "arm64", endian: "big" }));
    await expect(refused).rejects.toBeInstanceOf(ReaError);
    await expect(refused).rejects.toMatchObject({ code: "capability_unavailable" });
  });
});

describe("a call that enters a function behind its start", () => {
  test("makes its function a callee and the one it stands in a caller; one's own next instruction is neither", async () => {
    // f: call 0x1014; ret … g: nop ×4; 0x1014: ret … h: call the next instruction; pop rax; ret
    const code = hex("e80f000000 c3 90909090909090909090 90909090 c3 9090909090909090909090 e800000000 58 c3");
    const unwind = [{ start: 0x1000, end: 0x1006 }, { start: 0x1010, end: 0x1015 }, { start: 0x1020, end: 0x1027 }];
    const program = await analyzeProgram(codeImage({ code, entries: [0x1000], unwind }));
    expect(program.functions.map(({ entry }) => entry)).toEqual([0x1000, 0x1010, 0x1020]);
    expect(program.functions.map((fn) => program.callees(fn))).toEqual([[0x1010], [], []]);
    expect(program.functions.map((fn) => program.callers(fn))).toEqual([[], [0x1000], []]);
  });
});
