import { memorySource } from "@rea/core";
import { openImage } from "@rea/binary";
import { expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";

const base = 0x40_0000;
const codeOffset = 0x1000;
const sectionHeader = 64;

/** A little-endian x86-64 ELF whose code is cut into sections of `size` bytes; its entry is the first byte. */
function elf(code: Uint8Array, size: number): Uint8Array {
  const count = Math.ceil(code.length / size);
  const names = new TextEncoder().encode("\0.t\0");
  const headers = codeOffset + code.length + names.length;
  const bytes = new Uint8Array(headers + (count + 2) * sectionHeader);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  const put16 = (at: number, value: number) => { view.setUint16(at, value, true); };
  const put64 = (at: number, value: number) => { view.setBigUint64(at, BigInt(value), true); };
  for (const [at, value] of [[16, 2], [18, 62], [52, 64], [54, 56], [56, 1], [58, sectionHeader], [60, count + 2], [62, count + 1]] as const) put16(at, value);
  for (const [at, value] of [[24, base + codeOffset], [32, 64], [40, headers]] as const) put64(at, value);
  view.setUint32(20, 1, true);
  view.setUint32(64, 1, true);
  view.setUint32(68, 5, true);
  for (const [at, value] of [[80, base], [88, base], [96, headers], [104, headers], [112, 0x1000]] as const) put64(at, value);
  bytes.set(code, codeOffset);
  bytes.set(names, codeOffset + code.length);
  const section = (index: number, type: number, flags: number, offset: number, length: number) => {
    const at = headers + index * sectionHeader;
    view.setUint32(at, 1, true);
    view.setUint32(at + 4, type, true);
    for (const [field, value] of [[8, flags], [16, flags === 0 ? 0 : base + offset], [24, offset], [32, length], [48, 1]] as const) put64(at + field, value);
  };
  for (let index = 0; index < count; index += 1) section(index + 1, 1, 6, codeOffset + index * size, Math.min(size, code.length - index * size));
  section(count + 1, 3, 0, codeOffset + code.length, names.length);
  return bytes;
}

function repeated(piece: readonly number[], times: number): Uint8Array {
  return Uint8Array.from({ length: piece.length * times }, (_, index) => piece[index % piece.length] ?? 0);
}

const nop = 0x90;

test("10,000 tiny sections of code are analysed", async () => {
  const code = repeated([0xc3, ...Array.from({ length: 15 }, () => nop)], 10_000);
  const program = await analyzeProgram(openImage(memorySource(elf(code, 16))), {});
  expect(program.coverage.codeBytes).toBe(160_000);
  expect(program.functions.map(({ entry }) => entry)).toContain(codeOffset);
});

test("a long row of functions that nothing refers to is found whole, marked as guessed", async () => {
  // push rbp; pop rbp; ret; int3 …
  const code = repeated([0x55, 0x5d, 0xc3, ...Array.from({ length: 13 }, () => 0xcc)], 8_000);
  const program = await analyzeProgram(openImage(memorySource(elf(code, code.length))), {});
  expect(program.functions).toHaveLength(8_000);
  expect(program.functions.at(-1)?.sources).toEqual(["prologue"]);
  expect(program.coverage.codeBytes - program.coverage.examinedCodeBytes).toBe(0);
});
