import type { BlockContext } from "./block-walk.js";
import type { Convention } from "./conventions.js";
import { frameOf } from "./frame.js";
import { functionFlow, type FlowSource, type FunctionFlow } from "./function-flow.js";
import { parametersOf } from "./parameters.js";
import { readFirst } from "./register-flow.js";

interface Reads {
  readonly general: number;
  readonly vector: number;
}

const nothing: Reads = { general: 0, vector: 0 };
const deepest = 2;
/** Bytes of callees read for one function. */
const standardBytes = 65_536;

/**
 * What callees do with the caller's registers and stack: which arguments they read, how many bytes their return removes.
 * Looks into callees a few calls deep, inside a budget; beyond that nothing is claimed.
 */
export class Callees {
  readonly #source: FlowSource;
  readonly #convention: Convention;
  /** On 32-bit Windows a callee in another file may remove its arguments. */
  readonly #foreignPops: number | undefined;
  readonly #reads = new Map<number, Reads>();
  readonly #pops = new Map<number, number | undefined>();
  #budget = standardBytes;

  constructor(source: FlowSource, convention: Convention, isPe: boolean) {
    this.#source = source;
    this.#convention = convention;
    this.#foreignPops = source.registers.file.wordBytes === 4 && isPe ? undefined : 0;
  }

  context(depth = 0): BlockContext {
    return {
      file: this.#source.registers.file,
      convention: this.#convention,
      calleePops: (target) => this.#popsOf(target, depth),
      calleeReads: (target) => this.#readsOf(target, depth + 1),
    };
  }

  #readsOf(target: number, depth: number): Reads {
    const known = this.#reads.get(target);
    if (known !== undefined) return known;
    if (depth > deepest) return nothing;
    // A function that calls itself adds nothing to what it reads.
    this.#reads.set(target, nothing);
    const flow = this.#flowOf(target, depth);
    if (flow === undefined) return nothing;
    const arguments_ = this.#argumentsOf(flow);
    // Deep looks are shallower than the next function's own would be.
    if (depth < deepest) this.#reads.set(target, arguments_);
    else this.#reads.delete(target);
    return arguments_;
  }

  /** Registers of the named parameters. */
  #argumentsOf(flow: FunctionFlow): Reads {
    const { file } = this.#source.registers;
    const convention = this.#convention;
    const { list } = parametersOf({ file, convention, frame: frameOf(flow, file, convention), reads: readFirst(flow.graph, flow.effects) });
    const taken = new Set(list.filter(({ basis }) => basis === "read before written").map(({ location }) => location));
    const bits = (order: readonly number[], names: readonly string[]) =>
      order.reduce((mask, register) => (taken.has(names[register] ?? "") ? mask | (1 << register) : mask), 0);
    return { general: bits(convention.general, file.general), vector: bits(convention.vector, file.vector) };
  }

  #popsOf(target: number, depth: number): number | undefined {
    if (this.#source.registers.file.wordBytes !== 4) return 0;
    if (target < 0) return this.#foreignPops;
    if (this.#pops.has(target)) return this.#pops.get(target);
    const fn = this.#source.functionAt(target);
    if (fn?.external === true) return this.#foreignPops;
    this.#pops.set(target, 0);
    const pops = this.#flowOf(target, depth + 1)?.effects.find(({ returns }) => returns)?.returnPops ?? 0;
    this.#pops.set(target, pops);
    return pops;
  }

  #flowOf(target: number, depth: number) {
    const fn = this.#source.functionAt(target);
    if (fn === undefined || fn.external || fn.size > this.#budget || depth > deepest) return undefined;
    this.#budget -= fn.size;
    return functionFlow(fn, this.#source, this.context(depth));
  }
}
