import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { analyzeProgram, ProgramDecompiler, pseudocodeHeader } from "@rea/engine";
import { compile, judge, type Outcome } from "./build-and-run.js";
import { toolchainFor, type Toolchain } from "./toolchain.js";
import { includesOf, readSamples, type Sample } from "./samples.js";

const levels = ["-O0", "-O1", "-O2", "-O3"] as const;

interface Row {
  readonly level: string;
  readonly samples: number;
  readonly passed: number;
  readonly compiles: number;
  readonly functions: number;
  readonly lines: number;
  readonly gotos: number;
  /** Time of decompiling alone. */
  readonly ms: number;
  readonly failed: readonly string[];
}

/**
 * `pseudocode FOLDER [--compiler gcc|clang] [--machine x86_64|arm64] [--judge MACHINE] [--keep DIRECTORY] [--json]`:
 * compiles each sample at four levels, decompiles its function, compiles the text with gcc in place of it, for the same
 * machine or the one that `--judge` names, and runs the sample's assertions. `--keep` leaves the texts of those that fail.
 */
export async function runPseudocodeBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { compiler: { type: "string", default: "gcc" }, machine: { type: "string", default: "x86_64" }, judge: { type: "string" }, keep: { type: "string" }, json: { type: "boolean", default: false } } });
  const [folder] = positionals;
  if (folder === undefined || !existsSync(join(folder, "samples.json"))) throw new Error("Name the folder that holds samples.json: pnpm bench pseudocode FOLDER.");
  const work = mkdtempSync(join(tmpdir(), "rea-pseudocode-"));
  try {
    writeFileSync(join(work, "rea.h"), pseudocodeHeader());
    const samples = readSamples(resolve(folder));
    const rows: Row[] = [];
    const built = toolchainFor(values.compiler, values.machine);
    const judging = toolchainFor("gcc", values.judge ?? values.machine);
    for (const level of levels) rows.push(await levelRow(samples, { level, built, judging, work, kept: values.keep }));
    console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Setting {
  readonly level: string;
  readonly built: Toolchain;
  readonly judging: Toolchain;
  readonly work: string;
  readonly kept: string | undefined;
}

async function levelRow(samples: readonly Sample[], setting: Setting): Promise<Row> {
  const row = { passed: 0, compiles: 0, functions: 0, lines: 0, gotos: 0, ms: 0 };
  const failed: string[] = [];
  let count = 0;
  for (const sample of samples) {
    process.stderr.write(`${setting.built.compiler.join(" ")} ${setting.level} ${String(sample.task_id)}\n`);
    const found = await sampleOutcome(sample, setting, row);
    if (found === undefined) continue;
    count += 1;
    if (found === "passed") row.passed += 1;
    else failed.push(`${String(sample.task_id)} ${found}`);
    if (found !== "does not compile") row.compiles += 1;
  }
  return { level: setting.level, samples: count, ...row, failed };
}

/** Undefined for a sample that the compiler itself refuses. */
async function sampleOutcome(sample: Sample, { level, built, judging, work, kept }: Setting, sums: { functions: number; lines: number; gotos: number; ms: number }): Promise<Outcome | undefined> {
  const target = join(work, "original");
  const source = join(work, "original.c");
  writeFileSync(source, `${sample.c_func}\n${sample.c_test}\n`);
  if (!compile(built, [level], { source, target })) return undefined;
  const program = await analyzeProgram(openImage(memorySource(readFileSync(target))));
  const start = performance.now();
  const found = ProgramDecompiler.for(program)?.withCallees("func0");
  sums.ms += performance.now() - start;
  if (found === undefined) return "does not compile";
  sums.functions += found.functions;
  sums.lines += found.lines;
  sums.gotos += found.gotos;
  const text = `${includesOf(sample)}\n${found.text}\n${sample.c_test}\n`;
  const outcome = judge(text, judging, { file: join(work, "again"), headerFolder: work });
  if (kept !== undefined && outcome !== "passed") writeFileSync(join(kept, `${String(sample.task_id)}${level}.c`), text);
  return outcome;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ level, samples, passed, compiles, functions, lines: count, gotos, ms, failed }) => {
    const share = (part: number, whole: number): string => (part / Math.max(1, whole)).toFixed(3);
    const perThousand = ((1000 * gotos) / Math.max(1, count)).toFixed(1);
    const perSecond = ((1000 * functions) / Math.max(1, ms)).toFixed(0);
    return `${level}  passes ${share(passed, samples)} (${String(passed)}/${String(samples)})  compiles ${share(compiles, samples)}  gotos per 1,000 lines ${perThousand}  functions a second ${perSecond}${failed.length === 0 ? "" : `\n    ${failed.join(", ")}`}`;
  });
  const [passed, samples] = rows.reduce<[number, number]>(([a, b], row) => [a + row.passed, b + row.samples], [0, 0]);
  return [...lines, `all  passes ${(passed / Math.max(1, samples)).toFixed(3)} (${String(passed)}/${String(samples)})`].join("\n");
}
