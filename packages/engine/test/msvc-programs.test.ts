import { readFileSync } from "node:fs";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { corpusFile } from "@rea/testkit";
import { describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";

const jumpBytes = 5;

describe("a published C++ program linked incrementally by Microsoft's linker", () => {
  test("has a thunk for each jump of its table, and no functions for its catch blocks", { timeout: 600_000 }, async (context) => {
    const file = await corpusFile("node-notifier@10.0.1", "vendor/snoreToast/snoretoast-x64.exe");
    if (file.state === "unavailable") return context.skip(file.reason);
    const bytes = readFileSync(file.path);
    const image = openImage(memorySource(bytes));
    const program = await analyzeProgram(image);

    // The entry is one of the jumps; the table goes on to both sides as long as jumps stand side by side.
    const text = image.sections().items.find(({ name }) => name === ".text");
    const entry = image.entryPoints().items.find(({ kind }) => kind === "entry")?.va ?? 0n;
    const offset = (text?.file?.offset ?? 0) + Number(entry - (text?.va ?? 0n));
    let first = offset;
    while (bytes[first - jumpBytes] === 0xe9) first -= jumpBytes;
    const jumps: { readonly va: bigint; readonly to: bigint }[] = [];
    for (let at = first; bytes[at] === 0xe9; at += jumpBytes) {
      const va = entry + BigInt(at - offset);
      jumps.push({ va, to: va + BigInt(jumpBytes + bytes.readInt32LE(at + 1)) });
    }
    expect(jumps.length).toBeGreaterThan(6000);

    const functions = new Map(program.functions.map((fn) => [program.toVa(fn.entry), fn]));
    const wrong = jumps.filter(({ va, to }) => {
      const target = functions.get(to);
      return target === undefined || functions.get(va)?.thunkTarget !== target.name;
    });
    expect(wrong.map(({ va }) => va.toString(16))).toEqual([]);

    const parts = image.unwindRanges().items.filter(({ primary }) => primary !== undefined);
    expect(parts.length).toBeGreaterThan(400);
    expect(parts.filter(({ start }) => functions.has(start)).map(({ start }) => start.toString(16))).toEqual([]);
    const strays = parts.filter(({ start, primary }) => {
      const owner = functions.get(primary ?? 0n);
      return owner?.ranges.some((range) => start >= program.toVa(range.start) && start < program.toVa(range.end)) !== true;
    });
    expect(strays.map(({ start }) => start.toString(16))).toEqual([]);
  });
});
