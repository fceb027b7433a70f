import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { expect } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { Program } from "../src/program.js";

const call = /^(?:bl|blx|bl(?:eq|ne|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|jal|bal)\s+(?:#)?0x([0-9a-f]+)/;

export interface Judged {
  readonly starts: ReadonlySet<number>;
  readonly calls: ReadonlyMap<number, number>;
}

/** What llvm-objdump says about a file: instruction starts, and direct calls as from → to. */
export function judge(file: string): Judged {
  const text = execFileSync("llvm-objdump-19", ["-d", "-z", "--no-show-raw-insn", file], { maxBuffer: 1 << 30, encoding: "utf8" });
  const starts = new Set<number>();
  const calls = new Map<number, number>();
  for (const line of text.split("\n")) {
    const row = /^\s*([0-9a-f]+):\s+(\S.*)$/.exec(line);
    if (row === null || row[2]?.startsWith(".") === true) continue;
    const at = Number.parseInt(row[1] ?? "", 16);
    starts.add(at);
    const target = call.exec((row[2] ?? "").replaceAll("\t", " "))?.[1];
    if (target !== undefined) calls.set(at, Number.parseInt(target, 16));
  }
  return { starts, calls };
}

/** The analysis of a file. */
export function analyzeFile(file: string): Promise<Program> {
  return analyzeProgram(openImage(memorySource(readFileSync(file))));
}

/** Starts of all instructions of functions that the judge does not know, and calls it shows otherwise. */
export function differences(program: Program, judged: Judged, sameTarget = (a: number, b: number) => a === b): readonly string[] {
  const va = (rva: number) => Number(program.toVa(rva));
  const wrong: string[] = [];
  for (const fn of program.functions) {
    const calls = new Map(program.referencesFrom(fn).filter(({ kind }) => kind === "call").map((one) => [va(one.from), va(one.to)]));
    for (const start of program.instructionStarts(fn).map(va)) {
      if (!judged.starts.has(start)) wrong.push(`instruction ${start.toString(16)} of ${fn.name}`);
      const expected = judged.calls.get(start);
      const actual = calls.get(start);
      if (expected !== undefined && (actual === undefined || !sameTarget(actual, expected))) {
        wrong.push(`call at ${start.toString(16)} to ${actual?.toString(16) ?? "nowhere"} instead of ${expected.toString(16)}`);
      }
    }
  }
  return wrong;
}

/** Share of the judge's instructions in `.text` that belong to functions. */
export function shareFound(program: Program, judged: Judged): number {
  const text = program.image.sections().items.find((section) => section.name === ".text");
  const first = Number(text?.va ?? 0n);
  const inText = [...judged.starts].filter((start) => start >= first && start < first + Number(text?.virtualSize ?? 0n));
  expect(inText.length).toBeGreaterThan(0);
  const own = new Set(program.functions.flatMap((fn) => program.instructionStarts(fn).map((rva) => Number(program.toVa(rva)))));
  return inText.filter((start) => own.has(start)).length / inText.length;
}
