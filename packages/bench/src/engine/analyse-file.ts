import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { openImage } from "@rea/binary";
import { memorySource, z } from "@rea/core";
import { analyzeProgram, type Program } from "@rea/engine";
import { joined } from "./address-ranges.js";

/** What one process of its own found out about one file. */
const findingsSchema = z.object({
  /** Wall time of each analysis in this process, the first one cold. */
  analysisMs: z.array(z.number()),
  peakMiB: z.number(),
  codeBytes: z.number(),
  /** Starts of functions of the file itself; addresses are virtual addresses. */
  starts: z.array(z.number()),
  /** Starts of the stubs through which it calls other files. */
  stubs: z.array(z.number()),
  /** Half-open ranges of their instructions, sorted and joined. */
  ranges: z.array(z.tuple([z.number(), z.number()])),
  /** From, to, from, to, … of everything instructions refer to; empty when not asked for. */
  references: z.array(z.number()),
  /** From, to, … of words of data that hold an address. */
  pointers: z.array(z.number()),
  /** Computed jumps that a table explains, and those that nothing does. */
  switches: z.number(),
  unresolved: z.number(),
});

export type Findings = z.infer<typeof findingsSchema>;

export interface FindingsRequest {
  readonly file: string;
  readonly runs: number;
  readonly references: boolean;
}

/** Analyses a file in a process of its own, whose memory and warm-up are its own. */
export async function findingsOf({ file, runs, references }: FindingsRequest): Promise<Findings> {
  const args = [process.argv[1] ?? "", analyseCommand, file, String(runs), references ? "references" : ""];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`the analysis ended with exit code ${String(code)}`);
  return findingsSchema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
}

/** First argument of the process that `findingsOf` starts. */
const analyseCommand = "analyse-file";

/** The work of that process: prints what it found as JSON. */
export async function analyseFile([file = "", runs = "1", references = ""]: readonly string[]): Promise<string> {
  const analysisMs: number[] = [];
  let program: Program | undefined;
  for (let run = 0; run < Number(runs); run += 1) {
    program = undefined;
    const start = performance.now();
    program = await analyzeProgram(openImage(memorySource(readFileSync(file))));
    analysisMs.push(performance.now() - start);
  }
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  if (program === undefined) throw new Error("no run was asked for");
  return JSON.stringify({ analysisMs, peakMiB, ...found(program, references !== "") } satisfies Findings);
}

function found(program: Program, withReferences: boolean): Omit<Findings, "analysisMs" | "peakMiB"> {
  const va = (rva: number): number => Number(program.toVa(rva));
  const own = program.functions.filter(({ external }) => !external);
  const blocks = own.flatMap((fn) => program.blocks(fn));
  return {
    codeBytes: program.coverage.codeBytes,
    starts: own.map(({ entry }) => va(entry)),
    stubs: program.functions.filter(({ external }) => external).map(({ entry }) => va(entry)),
    ranges: joined(program.functions.flatMap(({ ranges }) => ranges.map(({ start, end }): [number, number] => [va(start), va(end)]))),
    references: withReferences ? own.flatMap((fn) => program.referencesFrom(fn).flatMap(({ from, to }) => [va(from), va(to)])) : [],
    pointers: withReferences ? dataPointers(program) : [],
    switches: new Set(blocks.filter(({ successors }) => successors.some(({ kind }) => kind === "switch")).map(({ end }) => end)).size,
    unresolved: program.coverage.unresolvedIndirectJumps.length,
  };
}

/** References of the words of all sections without code. */
function dataPointers(program: Program): number[] {
  const wordBytes = program.image.bits / 8;
  const found: number[] = [];
  for (const { va, file, kind } of program.image.sections().items) {
    const start = va === undefined || kind === "code" ? undefined : program.toRva(va);
    if (start === undefined || file === undefined) continue;
    for (let rva = Math.ceil(start / wordBytes) * wordBytes; rva < start + file.size; rva += wordBytes) {
      for (const { from, to } of program.referencesAt(rva)) found.push(Number(program.toVa(from)), Number(program.toVa(to)));
    }
  }
  return found;
}
