import { availableParallelism } from "node:os";
import { buildOther, otherRecipes } from "../corpus/build-go-rust.js";
import { buildVariant, type BuildResult } from "../corpus/build-variant.js";
import { inParallel } from "../corpus/programs.js";
import { collectSources } from "../corpus/source-sets.js";
import { variantsOf, type Group } from "../corpus/variant.js";
import { findingsOf } from "./analyse-file.js";
import { givenPrograms } from "./given-programs.js";
import { disassemblyMs } from "./disassembly-time.js";
import { score, type Score } from "./score.js";

/** One program of the corpus: what was found of what is certain, or why it could not be judged. */
export type Row = JudgedRow | { readonly name: string; readonly group: Group; readonly skipped: string };

export interface JudgedRow {
  readonly name: string;
  readonly group: Group;
  readonly score: Score;
  readonly codeBytes: number;
  readonly switches: number;
  readonly unresolved: number;
  readonly coldMs: number;
  readonly warmMs: number;
  /** Wall time of a plain disassembly by the reference program; null when it is absent. */
  readonly objdumpMs: number | null;
  readonly peakMiB: number;
}

export interface EngineBenchOptions {
  /** Further stripped programs with their truth. */
  readonly folder: string | undefined;
  /** Only programs whose name this regular expression finds. */
  readonly only: string | undefined;
  readonly progress: (text: string) => void;
}

/** Builds the corpus, runs the engine on every program of it and on those of a folder, and judges. */
export async function judgeEngine({ folder, only, progress }: EngineBenchOptions): Promise<readonly Row[]> {
  const wanted = ({ name }: { readonly name: string }): boolean => only === undefined || new RegExp(only).test(name);
  const programs = [...(await corpus(wanted, progress)), ...(folder === undefined ? [] : await givenPrograms(folder, wanted))];
  const rows: Row[] = [];
  for (const program of programs) {
    rows.push(await judge(program));
    progress(program.name);
  }
  return rows;
}

async function corpus(wanted: (one: { readonly name: string }) => boolean, progress: (text: string) => void): Promise<readonly BuildResult[]> {
  const { sets, absent } = await collectSources();
  const width = Math.max(1, availableParallelism());
  const told = async (name: string, building: Promise<BuildResult>): Promise<BuildResult> => {
    const result = await building;
    progress(`built ${name}`);
    return result;
  };
  const variants = sets.flatMap(variantsOf).filter(wanted);
  const built = await inParallel(variants, width, (variant) => told(variant.name, buildVariant(variant)));
  const others = await inParallel(otherRecipes.filter(wanted), width, (recipe) => told(recipe.name, buildOther(recipe)));
  return [...built, ...others, ...absent.map(({ name, reason }) => ({ name, group: "unwind" as const, skipped: `sources: ${reason}` }))];
}

const mostRepeatedBytes = 8 << 20;

async function judge(program: BuildResult): Promise<Row> {
  if ("skipped" in program) return program;
  const { name, group, file, truth } = program;
  const references = truth.relocations !== undefined || truth.call_sites !== undefined || truth.pointers !== undefined;
  const runs = truth.text[1] - truth.text[0] > mostRepeatedBytes ? 1 : 3;
  try {
    const findings = await findingsOf({ file, runs, references });
    return {
      name,
      group,
      score: score(truth, findings),
      codeBytes: findings.codeBytes,
      switches: findings.switches,
      unresolved: findings.unresolved,
      coldMs: findings.analysisMs[0] ?? 0,
      warmMs: Math.min(...findings.analysisMs),
      objdumpMs: await disassemblyMs(program.objdump, file),
      peakMiB: findings.peakMiB,
    };
  } catch (error) {
    return { name, group, skipped: error instanceof Error ? error.message : String(error) };
  }
}
