import { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import { RecentResults } from "../../analysis/recent-results.js";
import type { ProgramQuery } from "../../operations/query.js";
import type { FunctionRecord } from "../../program.js";
import { isLifted, lifterFor, type Lifter } from "../lift/lifter.js";
import { FunctionAnalyzer, type AnalyzedFunction } from "../pipeline/analyze.js";
import type { DecompiledFunction } from "../pipeline/decompile.js";
import { preamble } from "../pipeline/render.js";
import { ProgramView } from "../program/program-view.js";
import type { TextLine } from "../print/text-lines.js";
import { TooMuchWork, WorkBound } from "../pipeline/work-bound.js";
import { NotWritten, writeFunction } from "../pipeline/write-function.js";

export interface PseudocodeText {
  readonly text: string;
  readonly lines: readonly TextLine[];
  /** What the text leaves open, each in a sentence. */
  readonly limitations: readonly string[];
  /** False for a text that only says why there is none. */
  readonly isCode: boolean;
}

/** Lines of texts that are kept for the next question about their functions. */
const keptLines = 200_000;

interface Kept {
  readonly names: string;
  readonly analyzer: FunctionAnalyzer;
  readonly bound: WorkBound;
  readonly texts: RecentResults<PseudocodeText>;
}

const kept = new WeakMap<AnalyzedProgram, Kept>();

/** True where functions of the program can be written as C. */
export function canDecompile(query: ProgramQuery): boolean {
  return isLifted(query.image) && query.program instanceof AnalyzedProgram;
}

/** The function as C, with what it needs declared before it; undefined for one without a body here. */
export function pseudocodeText(query: ProgramQuery, fn: FunctionRecord): PseudocodeText | undefined {
  const { program } = query;
  if (fn.external || !(program instanceof AnalyzedProgram) || program.instructionStarts(fn).length === 0) return undefined;
  const lifter = lifterFor(query.image);
  if (lifter === undefined) return undefined;
  const state = stateOf(query, program, lifter);
  return state.texts.get(fn.entry, () => compute(query, state, fn), ({ lines }) => lines.length);
}

/** How functions of the program are read as values; undefined where they are not. The function gives undefined for one that is too large or has no body. */
export function analysisOf(query: ProgramQuery): ((fn: FunctionRecord) => AnalyzedFunction | undefined) | undefined {
  const { program } = query;
  const lifter = lifterFor(query.image);
  if (!(program instanceof AnalyzedProgram) || lifter === undefined) return undefined;
  const { analyzer, bound } = stateOf(query, program, lifter);
  return (fn) => {
    const size = fn.external ? 0 : program.instructionStarts(fn).length;
    if (size === 0) return undefined;
    bound.ask(query.checkpoint);
    try {
      return analyzer.analyze(fn);
    } catch (error) {
      if (error instanceof TooMuchWork) return undefined;
      throw error;
    }
  };
}

function stateOf(query: ProgramQuery, program: AnalyzedProgram, lifter: Lifter): Kept {
  const names = query.annotations.digest() ?? "";
  const known = kept.get(program);
  if (known !== undefined && known.names === names) return known;
  const bound = new WorkBound();
  const view = new ProgramView(program, (fn) => query.names.ofFunction(fn).name);
  const made = { names, bound, analyzer: new FunctionAnalyzer(view, lifter, bound), texts: new RecentResults<PseudocodeText>(keptLines) };
  kept.set(program, made);
  return made;
}

function compute(query: ProgramQuery, { analyzer, bound }: Kept, fn: FunctionRecord): PseudocodeText {
  bound.ask(query.checkpoint);
  try {
    return withPreamble(analyzer, writeFunction(analyzer, fn));
  } catch (error) {
    if (error instanceof NotWritten) return withoutCode(error.message, fn);
    throw error;
  }
}

function withPreamble({ view }: FunctionAnalyzer, found: DecompiledFunction): PseudocodeText {
  const before = preamble([found], view, { defineData: false }).map((text) => ({ text, at: [] }));
  const lines = [...before, ...found.lines];
  return { text: lines.map(({ text }) => text).join("\n"), lines, limitations: [standing, ...found.notes], isCode: true };
}

const standing = "Types and names are inferred from use; what a call passes is told by its callee, a known prototype or the registers set before it.";

/** A comment in place of code, with the way to read the function. */
function withoutCode(reason: string, fn: FunctionRecord): PseudocodeText {
  const text = `/* Not written as C: ${reason} Read it with procedure_assembly or read_function_instructions. */`;
  return { text, lines: [{ text, at: [fn.entry] }], limitations: [reason], isCode: false };
}
