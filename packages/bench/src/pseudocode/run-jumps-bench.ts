import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { analyzeProgram, ProgramDecompiler } from "@rea/engine";
import { jumpKinds, jumpsOf, type JumpKind } from "./jump-kinds.js";

interface Measured {
  readonly entry: number;
  readonly lines: number;
  readonly jumps: readonly JumpKind[];
  readonly ms: number;
}

/**
 * `pseudocode gotos FILE [--one-in N] [--from K] [--keep DIRECTORY] [--worst N] [--json]`: decompiles every N-th function of a
 * program, beginning with the K-th, and counts `goto`s by what they do. `--keep` leaves the text of each function that has one.
 */
export async function runJumpsBench(args: readonly string[]): Promise<void> {
  const options = {
    "one-in": { type: "string", default: "8" },
    from: { type: "string", default: "0" },
    worst: { type: "string", default: "10" },
    keep: { type: "string" },
    json: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [file] = positionals;
  if (file === undefined) throw new Error("Name the program to count in: pnpm bench pseudocode gotos FILE.");
  const program = await analyzeProgram(openImage(memorySource(readFileSync(resolve(file)))));
  const decompiler = ProgramDecompiler.for(program);
  if (decompiler === undefined) throw new Error("Programs of this architecture are not decompiled.");
  const measured: Measured[] = [];
  const step = Math.max(1, Number(values["one-in"]));
  for (let index = Number(values.from); index < program.functions.length; index += step) {
    const entry = program.functions[index]?.entry ?? -1;
    const start = performance.now();
    const text = decompiler.one(entry)?.lines.map((line) => line.text);
    const ms = performance.now() - start;
    if (text === undefined) continue;
    const jumps = jumpsOf(text);
    measured.push({ entry, lines: text.length, jumps, ms });
    if (values.keep !== undefined && jumps.length > 0) writeFileSync(join(values.keep, `${entry.toString(16)}.c`), `${text.join("\n")}\n`);
  }
  const found = summary(measured);
  console.log(values.json ? JSON.stringify(found, null, 2) : written(found, worst(measured, Number(values.worst))));
}

interface Summary {
  readonly functions: number;
  readonly lines: number;
  readonly gotos: number;
  readonly kinds: Readonly<Record<JumpKind, number>>;
  readonly ms: number;
  readonly longestMs: number;
}

function summary(measured: readonly Measured[]): Summary {
  const all = measured.flatMap(({ jumps }) => jumps);
  const count = (kind: JumpKind): number => all.filter((each) => each === kind).length;
  const kinds = {
    "past outer break": count("past outer break"),
    "out of loop": count("out of loop"),
    "out of switch": count("out of switch"),
    sideways: count("sideways"),
    inward: count("inward"),
    backward: count("backward"),
  };
  const lines = measured.reduce((sum, each) => sum + each.lines, 0);
  const ms = measured.reduce((sum, each) => sum + each.ms, 0);
  return { functions: measured.length, lines, gotos: all.length, kinds, ms, longestMs: measured.reduce((most, each) => Math.max(most, each.ms), 0) };
}

function written({ functions, lines, gotos, kinds, ms, longestMs }: Summary, worstOnes: readonly Measured[]): string {
  const perThousand = ((1000 * gotos) / Math.max(1, lines)).toFixed(2);
  return [
    `${String(functions)} functions  ${String(lines)} lines  ${String(gotos)} gotos  ${perThousand} per 1,000 lines`,
    ...jumpKinds.map((kind) => `  ${kind.padEnd(18)}${String(kinds[kind])}`),
    `${((1000 * functions) / Math.max(1, ms)).toFixed(0)} functions a second, the slowest ${(longestMs / 1000).toFixed(1)} s`,
    ...worstOnes.map((each) => `  0x${each.entry.toString(16)}  ${String(each.jumps.length)} gotos in ${String(each.lines)} lines  ${each.ms.toFixed(0)} ms`),
  ].join("\n");
}

function worst(measured: readonly Measured[], count: number): readonly Measured[] {
  return measured.filter(({ jumps }) => jumps.length > 0).sort((a, b) => b.jumps.length - a.jumps.length || a.entry - b.entry).slice(0, count);
}
