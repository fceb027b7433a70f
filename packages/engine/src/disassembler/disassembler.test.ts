import { describe, expect, test } from "vitest";
import { loadDisassembler, supportsArchitecture } from "./load-disassembler.js";

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

describe("shown instructions", () => {
  test("x86-64 operands carry kind and access, addresses are resolved", async () => {
    const x86 = await loadDisassembler("x86_64");
    expect(x86?.format(bytes("488b0510000000"), 0x1000, 0x400000n)).toMatchObject({
      rva: 0x1000,
      length: 7,
      mnemonic: "mov",
      text: "mov rax, qword ptr [0x401017]",
      operands: [
        { text: "rax", kind: "register", access: "write" },
        { text: "qword ptr [0x401017]", kind: "memory", access: "read" },
      ],
      flow: "sequential",
    });
    expect(x86?.format(bytes("e8fb0f0000"), 0x1000, 0x400000n)).toMatchObject({
      text: "call 0x402000",
      operands: [{ text: "0x402000", kind: "target" }],
      flow: "call",
    });
    expect(x86?.format(bytes("06"), 0, 0n)).toBeUndefined();
  });

  test("32-bit x86 reads the same bytes in its own way", async () => {
    const x86 = await loadDisassembler("x86");
    expect(x86?.format(bytes("06"), 0, 0n)).toMatchObject({ mnemonic: "push", length: 1 });
    expect(x86?.format(bytes("8b0510200000"), 0, 0n)?.text).toBe("mov eax, dword ptr [0x2010]");
  });

  test("A64 text comes with operands and the target of branches", async () => {
    const arm64 = await loadDisassembler("arm64");
    await arm64?.prepareText();
    expect(arm64?.format(bytes("400800b4"), 0x1000, 0x400000n)).toMatchObject({
      text: "cbz x0, #0x401108",
      operands: [
        { text: "x0", kind: "register", access: "read" },
        { text: "#0x401108", kind: "target" },
      ],
      flow: "conditional_jump",
    });
    expect(arm64?.format(bytes("1f100071"), 0, 0n)?.operands.map((operand) => operand.access)).toEqual(["read", "read"]);
    expect(arm64?.format(bytes("fd7b"), 0, 0n)).toBeUndefined();
  });
});

test("architectures and byte orders without a decoder are not supported", async () => {
  expect(supportsArchitecture("x86_64", "little")).toBe(true);
  expect(supportsArchitecture("mips", "big")).toBe(true);
  expect(supportsArchitecture("arm64", "big")).toBe(false);
  expect(supportsArchitecture("riscv64", "big")).toBe(false);
  expect(supportsArchitecture(undefined, "little")).toBe(false);
  expect(await loadDisassembler("riscv64", "big")).toBeUndefined();
});
