import { AnalyzedProgram } from "../analysis/analyzed-program.js";
import type { FunctionRecord, Program } from "../program.js";
import { lifterFor, type Lifter } from "./lift/lifter.js";
import { FunctionAnalyzer } from "./pipeline/analyze.js";
import type { DecompiledFunction } from "./pipeline/decompile.js";
import { renderFile } from "./pipeline/render.js";
import { WorkBound } from "./pipeline/work-bound.js";
import { writeFunction, writeLinear } from "./pipeline/write-function.js";
import { functionsInData } from "./pipeline/data-functions.js";
import { ProgramView } from "./program/program-view.js";

export interface DecompiledFile {
  /** C that compiles by itself with `rea.h`: the function, what it calls in the same file, data they use. */
  readonly text: string;
  readonly functions: number;
  readonly lines: number;
  readonly gotos: number;
}

/** Writes functions of one analysed program as C. Undefined where the architecture is not offered. */
export class ProgramDecompiler {
  readonly #program: AnalyzedProgram;
  readonly #analyzer: FunctionAnalyzer;

  private constructor(program: AnalyzedProgram, lifter: Lifter) {
    this.#program = program;
    this.#analyzer = new FunctionAnalyzer(new ProgramView(program), lifter, new WorkBound());
  }

  static for(program: Program): ProgramDecompiler | undefined {
    const lifter = lifterFor(program.image);
    return program instanceof AnalyzedProgram && lifter !== undefined ? new ProgramDecompiler(program, lifter) : undefined;
  }

  /** One function alone, by its entry; undefined for one without a body. Throws what the analysis throws. */
  one(entry: number): DecompiledFunction | undefined {
    const fn = this.#program.functionAt(entry);
    return fn === undefined || fn.external || this.#program.instructionStarts(fn).length === 0 ? undefined : writeFunction(this.#analyzer, fn);
  }

  /** A function by exact name as one C file that is linked with the rest of its program; undefined when no function with a body has the name. */
  alone(name: string): string | undefined {
    const fn = this.#program.functions.find((each) => each.name === name);
    const found = fn === undefined ? undefined : this.one(fn.entry);
    return found === undefined ? undefined : renderFile([found], this.#analyzer.view, { defineData: false });
  }

  /** As `alone`, in the order of the function's instructions, as functions are written whose values are too many to be followed. */
  inOrder(name: string): string | undefined {
    const fn = this.#program.functions.find((each) => each.name === name);
    if (fn === undefined || fn.external) return undefined;
    return renderFile([writeLinear(this.#analyzer, fn, "Asked for.")], this.#analyzer.view, { defineData: false });
  }

  /** A function by exact name with everything of the file that it calls; undefined when no function has the name. */
  withCallees(name: string): DecompiledFile | undefined {
    const start = this.#program.functions.find((fn) => fn.name === name);
    if (start === undefined) return undefined;
    const order: DecompiledFunction[] = [];
    this.#visit(start, new Set(), order);
    const text = renderFile(order, this.#analyzer.view, { defineData: true });
    const lines = order.reduce((sum, each) => sum + each.lines.length, 0);
    return { text, functions: order.length, lines, gotos: text.split(/\bgoto /).length - 1 };
  }

  #visit(fn: FunctionRecord, seen: Set<number>, order: DecompiledFunction[]): void {
    if (seen.has(fn.entry)) return;
    seen.add(fn.entry);
    const found = writeFunction(this.#analyzer, fn);
    for (const entry of [...found.referenced.functions.keys(), ...functionsInData(found.referenced.objects.values(), this.#analyzer.view)]) {
      const called = this.#program.functionAt(entry);
      if (called !== undefined && !called.external && called.name !== "main") this.#visit(called, seen, order);
    }
    order.push(found);
  }
}
