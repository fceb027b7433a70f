import { ReaError } from "@rea/core";
import type { BinaryImage } from "@rea/binary";
import { describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import { codeImage, codeRva, dataRva, hex } from "./code-image.js";

const many = 20_000;
/** Items of a table, or bytes of code, that may pass without a question. */
const mostUnasked = 8_192;

async function questions(image: BinaryImage): Promise<number> {
  let asked = 0;
  await analyzeProgram(image, {
    shouldStop: () => {
      asked += 1;
      return false;
    },
  });
  return asked;
}

/** 16 bytes: push rbp; pop rbp; ret; int3 … */
function rows(count: number): Uint8Array {
  const code = new Uint8Array(count * 16).fill(0xcc);
  for (let at = 0; at < code.length; at += 16) code.set([0x55, 0x5d, 0xc3], at);
  return code;
}

const little = codeImage({ code: hex("c3") });

const tables: readonly (readonly [string, () => BinaryImage])[] = [
  ["symbols", () => codeImage({ code: hex("c3"), symbols: Array.from({ length: many }, (_, index) => ({ name: `s${String(index)}`, rva: codeRva })) })],
  ["relocated pointers", () => codeImage({ code: hex("c3"), data: new Uint8Array(many * 8), pointers: Array.from({ length: many }, (_, index) => ({ cell: dataRva(1) + index * 8, target: dataRva(1) })) })],
  ["unwind ranges", () => codeImage({ code: rows(many), entries: [], unwind: Array.from({ length: many }, (_, index) => ({ start: codeRva + index * 16, end: codeRva + index * 16 + 3 })) })],
  ["imports", () => codeImage({ code: hex("c3"), imports: Array.from({ length: many }, (_, index) => ({ name: `i${String(index)}` })) })],
];

describe("the analysis asks whether to stop", () => {
  test.each(tables)("while it reads %s", async (_, make) => {
    const extra = (await questions(make())) - (await questions(little));
    expect(extra).toBeGreaterThanOrEqual(Math.floor(many / mostUnasked));
  });

  test("while it looks for functions in code that nothing leads to", async () => {
    const code = rows(many);
    expect(await questions(codeImage({ code }))).toBeGreaterThanOrEqual(code.length / mostUnasked);
  });

  test("and stops wherever it is told to", async () => {
    const make = (): BinaryImage =>
      codeImage({
        code: rows(1_000),
        symbols: Array.from({ length: 1_000 }, (_, index) => ({ name: `s${String(index)}`, rva: codeRva + index * 16, size: 3 })),
        data: new Uint8Array(8_000),
        pointers: Array.from({ length: 1_000 }, (_, index) => ({ cell: dataRva(61_000) + index * 8, target: codeRva + index * 16 })),
      });
    const all = await questions(make());
    expect(all).toBeGreaterThan(5);
    for (let stop = 1; stop <= all; stop += 1) {
      let asked = 0;
      const stopped = analyzeProgram(make(), { shouldStop: () => (asked += 1) === stop });
      await expect(stopped).rejects.toSatisfy((error) => error instanceof ReaError && error.code === "cancelled");
      expect(asked).toBe(stop);
    }
  });
});
