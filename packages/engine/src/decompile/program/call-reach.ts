import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import { RecentResults } from "../../analysis/recent-results.js";
import type { FunctionRecord } from "../../program.js";
import { behindThunk } from "./thunks.js";

const mostFunctions = 40;
const mostInstructions = 4000;
/** Of all functions that one follows together. */
const mostFollowed = 40_000;
const keptEntries = 200_000;

/**
 * Which functions of the file a function reaches by direct calls, where those are few. It depends on nothing but the
 * program, so that what is found with it is the same in whatever order functions are asked for.
 */
export class CallReach {
  readonly #program: AnalyzedProgram;
  readonly #known = new RecentResults<ReadonlySet<number> | undefined>(keptEntries);
  readonly #left = new RecentResults<ReadonlySet<number>>(keptEntries);

  constructor(program: AnalyzedProgram) {
    this.#program = program;
  }

  /** Instructions of what a function reaches beyond what is seen already. */
  #newInstructions(entry: number, seen: Set<number>): number {
    const callee = this.#calleeAt(entry);
    const reached = callee === undefined || callee.external ? undefined : this.of(callee);
    let sum = 0;
    for (const each of reached ?? []) {
      const fn = seen.has(each) ? undefined : this.#program.functionAt(each);
      seen.add(each);
      if (fn !== undefined) sum += this.#program.instructionStarts(fn).length;
    }
    return sum;
  }

  /** Entries reached, itself included; undefined where there are too many. */
  of(fn: FunctionRecord): ReadonlySet<number> | undefined {
    return this.#known.get(fn.entry, () => this.#walk(fn), (reached) => reached?.size ?? 0);
  }

  /** Whether a caller looks at the values of the function for what it takes and returns: not where that would be very many functions together. */
  isFollowed(fn: FunctionRecord, from: FunctionRecord): boolean {
    return this.of(fn) !== undefined && !this.#left.get(from.entry, () => this.#leftOut(from), (left) => left.size).has(fn.entry);
  }

  /** Callees, from one on in order of the calls, that would be too many to follow. */
  #leftOut(from: FunctionRecord): ReadonlySet<number> {
    const left = new Set<number>();
    const seen = new Set<number>();
    let instructions = 0;
    for (const entry of this.#program.callees(from)) {
      if (instructions > mostFollowed) left.add(this.#calleeAt(entry)?.entry ?? entry);
      else instructions += this.#newInstructions(entry, seen);
    }
    return left;
  }

  /** True where each reaches the other. */
  isMutual(a: FunctionRecord, b: FunctionRecord): boolean {
    return this.of(a)?.has(b.entry) === true && this.of(b)?.has(a.entry) === true;
  }

  #calleeAt(entry: number): FunctionRecord | undefined {
    const called = this.#program.functionAt(entry);
    return called === undefined ? undefined : behindThunk(this.#program, called);
  }

  #walk(fn: FunctionRecord): ReadonlySet<number> | undefined {
    const seen = new Set<number>([fn.entry]);
    const work = [fn];
    let instructions = 0;
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      instructions += this.#program.instructionStarts(next).length;
      if (instructions > mostInstructions) return undefined;
      for (const entry of this.#program.callees(next)) {
        const callee = this.#calleeAt(entry);
        if (callee === undefined || callee.external || seen.has(callee.entry)) continue;
        seen.add(callee.entry);
        if (seen.size > mostFunctions) return undefined;
        work.push(callee);
      }
    }
    return seen;
  }
}
