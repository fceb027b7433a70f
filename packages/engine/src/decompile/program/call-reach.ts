import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import type { FunctionRecord } from "../../program.js";

const mostFunctions = 40;
const mostInstructions = 4000;

/**
 * Which functions of the file a function reaches by direct calls, where those are few. It depends on nothing but the
 * program, so that what is found with it is the same in whatever order functions are asked for.
 */
export class CallReach {
  readonly #program: AnalyzedProgram;
  readonly #known = new Map<number, ReadonlySet<number> | undefined>();

  constructor(program: AnalyzedProgram) {
    this.#program = program;
  }

  /** Entries reached, itself included; undefined where there are too many. */
  of(fn: FunctionRecord): ReadonlySet<number> | undefined {
    if (!this.#known.has(fn.entry)) this.#known.set(fn.entry, this.#walk(fn));
    return this.#known.get(fn.entry);
  }

  /** True where each reaches the other. */
  isMutual(a: FunctionRecord, b: FunctionRecord): boolean {
    return this.of(a)?.has(b.entry) === true && this.of(b)?.has(a.entry) === true;
  }

  #walk(fn: FunctionRecord): ReadonlySet<number> | undefined {
    const seen = new Set<number>([fn.entry]);
    const work = [fn];
    let instructions = 0;
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      instructions += this.#program.instructionStarts(next).length;
      if (instructions > mostInstructions) return undefined;
      for (const entry of this.#program.callees(next)) {
        const callee = this.#program.functionAt(entry);
        if (callee === undefined || callee.external || seen.has(entry)) continue;
        seen.add(entry);
        if (seen.size > mostFunctions) return undefined;
        work.push(callee);
      }
    }
    return seen;
  }
}
