import type { FunctionRecord, Program } from "../../program.js";
import type { LiftContext } from "../lift/lift-context.js";
import type { Lifter } from "../lift/lifter.js";
import type { CallReach } from "./call-reach.js";

interface OwnWrites {
  readonly places: ReadonlySet<number>;
  /** True where it calls nothing but functions that are known by their entries. */
  readonly isClosed: boolean;
}

/**
 * Places that a function and all it calls may write, where that is seen whole. Compilers leave values of a caller in
 * registers that such a function does not touch, although its convention would let it.
 */
export class WrittenPlaces {
  readonly #program: Program;
  readonly #lifter: Lifter;
  readonly #context: LiftContext;
  readonly #reach: CallReach;
  readonly #own = new Map<number, OwnWrites>();
  readonly #whole = new Map<number, ReadonlySet<number> | undefined>();

  constructor(program: Program, reach: CallReach, { lifter, context }: { readonly lifter: Lifter; readonly context: LiftContext }) {
    this.#program = program;
    this.#lifter = lifter;
    this.#context = context;
    this.#reach = reach;
  }

  /** Undefined where something is called that is not seen. */
  of(entry: number): ReadonlySet<number> | undefined {
    if (!this.#whole.has(entry)) this.#whole.set(entry, this.#collect(entry));
    return this.#whole.get(entry);
  }

  #collect(entry: number): ReadonlySet<number> | undefined {
    const fn = this.#program.functionAt(entry);
    const reached = fn === undefined || fn.external ? undefined : this.#reach.of(fn);
    if (reached === undefined) return undefined;
    const all = new Set<number>();
    for (const one of reached) {
      const called = this.#program.functionAt(one);
      const own = called === undefined || called.external ? undefined : this.#ownOf(called);
      if (own?.isClosed !== true) return undefined;
      for (const place of own.places) all.add(place);
    }
    return all;
  }

  #ownOf(fn: FunctionRecord): OwnWrites {
    let known = this.#own.get(fn.entry);
    if (known === undefined) this.#own.set(fn.entry, (known = this.#read(fn)));
    return known;
  }

  #read(fn: FunctionRecord): OwnWrites {
    const places = new Set<number>();
    let isClosed = true;
    const targets: number[] = [];
    for (const { steps, ending } of this.#lifter.lift(this.#program.blocks(fn), fn.entry, this.#context).blocks) {
      const calls = [...steps.flatMap((step) => (step.kind === "call" ? [step.target] : [])), ...(ending.kind === "tail" ? [ending.target] : [])];
      for (const target of calls) {
        if (target.kind === "direct") targets.push(target.rva);
        else isClosed = false;
      }
      for (const step of steps) if (step.kind === "set" || step.kind === "effect") places.add(step.place);
    }
    const isKnown = (rva: number): boolean => this.#program.functionAt(rva)?.external === false;
    return { places, isClosed: isClosed && targets.every(isKnown) };
  }
}
