import type { Definition, Expr } from "../../ir/expression.js";
import { agreed, prototypeOf } from "../../debug-types/prototype.js";
import { functionFacts } from "../../facts/known-facts.js";
import type { FunctionRecord } from "../../program.js";
import { libraryFunction } from "../calls/library.js";
import { libraryTakes, type Held } from "../calls/library-takes.js";
import { resolveCalls, type KnownCallee } from "../calls/resolve-calls.js";
import { ownSignature } from "./own-signature.js";
import { resultOf, type FunctionResult } from "../calls/result.js";
import { quickSignature } from "../calls/quick-signature.js";
import type { LiftContext } from "../lift/lift-context.js";
import type { LiftedFunction } from "../lift/lifted-function.js";
import type { Lifter } from "../lift/lifter.js";
import type { Machine } from "../machine-model.js";
import { CallReach } from "../program/call-reach.js";
import { behindThunk } from "../program/thunks.js";
import { WrittenPlaces } from "../program/written-places.js";
import { isReadBehind, isResultUsed } from "../program/result-use.js";
import { resolveSwitches, shiftCases } from "../program/switches.js";
import type { ProgramView } from "../program/program-view.js";
import { buildGraph } from "../ssa/build-graph.js";
import type { CallStatement, Graph, Signature } from "../ssa/graph.js";
import { knownByBranch } from "../ssa/known-by-branch.js";
import { narrow } from "../ssa/narrow.js";
import { propagate } from "../ssa/propagate.js";
import { specialRules } from "../ssa/special.js";
import { promoteStackSlots } from "../ssa/stack-slots.js";
import { dynamicStack } from "../ssa/dynamic-stack.js";
import { removeDeadCode } from "../ssa/uses.js";
import { TooMuchWork, type WorkBound } from "./work-bound.js";

/** A function as values, with what it takes and returns. */
export interface AnalyzedFunction {
  readonly fn: FunctionRecord;
  readonly graph: Graph;
  readonly signature: Signature;
  readonly machine: Machine;
  /** Operations that are only named. */
  readonly named: ReadonlySet<string>;
  /** Jumps, by RVA, that nothing says the targets of: they stand as calls at the end of the function. */
  readonly computedJumps: readonly number[];
}

const mostKept = 100;
/** Of larger functions the values are not looked at: their number bounds the memory that takes. */
export const mostInstructions = 8000;
/** Work on the values of one function, and again on writing them; the largest functions of git take a fifth of it. */
const mostWork = 1_500_000;

/** Analyses functions of one program; signatures of what they call are found on the way and kept. */
export class FunctionAnalyzer {
  readonly view: ProgramView;
  readonly machine: Machine;
  readonly #lifter: Lifter;
  /** Counts work; throws where the caller gave up, and TooMuchWork. */
  readonly checkpoint: (work?: number) => void;
  readonly #bound: WorkBound;
  readonly #reach: CallReach;
  readonly #written: WrittenPlaces;
  readonly #signatures = new Map<number, Signature>();
  /** Analysed because of a caller, for when they are asked for themselves. */
  readonly #kept = new Map<number, AnalyzedFunction>();
  readonly #quick = new Map<number, Signature | undefined>();
  readonly #registers = new Map<number, Signature | undefined>();
  /** Those that took too much work. */
  readonly #tooLarge = new Set<number>();

  constructor(view: ProgramView, lifter: Lifter, bound: WorkBound) {
    this.view = view;
    this.machine = lifter.machine;
    this.#lifter = lifter;
    this.#bound = bound;
    this.checkpoint = (work) => { bound.spend(work); };
    this.#reach = new CallReach(view.program);
    this.#written = new WrittenPlaces(view.program, this.#reach, { lifter, context: this.#context });
  }

  get #context(): LiftContext {
    const { view } = this;
    return {
      base: view.base,
      checkpoint: this.checkpoint,
      bytes: (start, length) => view.bytes(start, length),
      isNoReturn: (target) => view.isNoReturn(target),
      calledName: (target) => view.program.functionAt(target)?.name,
      switchAt: (jump) => {
        const targets = view.program.parts.switches.get(jump);
        return targets === undefined ? undefined : { targets };
      },
      described: (rva) => view.program.decodeAt(rva),
    };
  }

  /** Throws TooMuchWork for a function whose values are too many, whoever asks for it. */
  analyze(fn: FunctionRecord): AnalyzedFunction {
    return this.within(() => this.#analyze(fn));
  }

  /** Runs work on one function within the bound for one. Throws TooMuchWork. */
  within<T>(work: () => T): T {
    return this.#bound.within(mostWork, work);
  }

  /** The function's steps, as its instructions say them. */
  lifted(fn: FunctionRecord): LiftedFunction {
    return this.#lifter.lift(this.view.program.blocks(fn), fn.entry, this.#context);
  }

  /** What a function takes and returns by its registers alone. */
  signatureByRegisters(fn: FunctionRecord): Signature {
    return this.#byRegisters(fn) ?? { parameters: [], variadic: false, result: { kind: "int", bits: 64, signed: undefined }, source: "code" };
  }

  #analyze(fn: FunctionRecord): AnalyzedFunction {
    const { view, machine, checkpoint } = this;
    if (view.program.instructionStarts(fn).length > mostInstructions) throw new TooMuchWork("The function has too many instructions.");
    const lifted = this.lifted(fn);
    checkpoint(stepsOf(lifted));
    const graph = buildGraph(lifted, machine, (target, at, place) => this.#keeps(fn, { target, at, place }));
    const special = specialRules(machine, () => graph.entryValues.get(machine.stackPointer));
    const options = { fixedLoad: (va: bigint, bits: number) => view.fixedLoad(va, bits), checkpoint, special };
    if (machine.takesStackByDifference) dynamicStack(graph, machine);
    propagate(graph, options);
    if (!machine.takesStackByDifference) dynamicStack(graph, machine);
    resolveSwitches(graph, view.program);
    this.resolve(graph, fn, undefined);
    propagate(graph, options);
    promoteStackSlots(graph, machine);
    settle(graph, options);
    knownByBranch(graph);
    const ownResult = (): FunctionResult => resultOf(graph, machine, (place) => this.#isUsed(fn, place));
    const signature = ownSignature(graph, machine, prototypeOf(view.program, fn, machine), ownResult);
    this.resolve(graph, fn, signature);
    settle(graph, options);
    for (const block of graph.blocks) shiftCases(block);
    const whole = refined(signature, graph);
    this.#signatures.set(fn.entry, whole);
    return { fn, graph, signature: whole, machine, named: lifted.named, computedJumps: computedJumps(lifted) };
  }

  /** As `analyze`, for whoever changes what comes out: what was analysed for a caller's sake is used up. */
  take(fn: FunctionRecord): AnalyzedFunction {
    const known = this.#kept.get(fn.entry);
    this.#kept.delete(fn.entry);
    return known ?? this.analyze(fn);
  }

  #keep(analyzed: AnalyzedFunction): AnalyzedFunction {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= mostKept) this.#kept.delete(oldest);
    this.#kept.set(analyzed.fn.entry, analyzed);
    return analyzed;
  }

  /** A place where results stand counts as kept only where it is read behind the call, as nobody returns what was there before. */
  #keeps(fn: FunctionRecord, { target, at, place }: { readonly target: number; readonly at: number; readonly place: number }): boolean {
    if (this.#written.of(target)?.has(place) !== false) return false;
    if (!this.machine.resultPlaces.includes(place)) return true;
    return isReadBehind(this.view.program.blocks(fn), at, { lifter: this.#lifter, context: this.#context, place, takes: (called) => this.#takes(called, place) || this.#isVariadic(called) });
  }

  #isVariadic(target: number): boolean {
    const callee = this.view.program.functionAt(target);
    return callee !== undefined && this.view.libraryAt(callee)?.signature.variadic === true;
  }

  /** Whether a function takes an argument in the place, by its registers or its known prototype. */
  #takes(target: number, place: number, held?: Held): boolean {
    const called = this.view.program.functionAt(target);
    if (called === undefined) return false;
    const library = this.view.libraryAt(called);
    const callee = behindThunk(this.view.program, called);
    if (library === undefined) return callee.external ? false : (this.#quickOf(callee)?.parameters ?? []).some((parameter) => parameter.place === place);
    return libraryTakes(library, { machine: this.machine, place, held, stringAt: (address) => this.view.textAt(address) });
  }

  #quickOf(fn: FunctionRecord): Signature | undefined {
    if (!this.#quick.has(fn.entry)) {
      const { program } = this.view;
      this.#quick.set(fn.entry, agreed(quickSignature(program, fn, this.machine), prototypeOf(program, fn, this.machine)));
    }
    return this.#quick.get(fn.entry);
  }

  /** As `quickOf`, with the register that the result is in: where the function leaves that open, its callers tell. */
  #byRegisters(fn: FunctionRecord): Signature | undefined {
    if (!this.#registers.has(fn.entry)) {
      const quick = this.#quickOf(fn);
      const isFloat = quick?.source === "code" && this.#leavesFloat(fn);
      this.#registers.set(fn.entry, isFloat ? { ...quick, result: { kind: "float", bits: 64 } } : quick);
    }
    return this.#registers.get(fn.entry);
  }

  #leavesFloat(fn: FunctionRecord): boolean {
    const { program } = this.view;
    const kind = functionFacts(program, fn, () => undefined)?.call?.returnValue.kind;
    if (kind !== "float" && kind !== "integer_and_float" && kind !== "unknown") return false;
    const { floatResult, integerResult } = this.machine;
    // A vector register that is written may be a leftover beside what a last call gave back.
    return !this.#isUsed(fn, integerResult) && (kind === "float" || this.#isUsed(fn, floatResult));
  }

  /** Whether callers read the place behind calls of the function. */
  #isUsed(fn: FunctionRecord, place: number): boolean {
    return isResultUsed(this.view.program, fn, { lifter: this.#lifter, context: this.#context, place, takes: (target, held) => this.#takes(target, place, held) });
  }

  /** Calls of the function itself wait until its own signature is known. */
  resolve(graph: Graph, fn: FunctionRecord, own: Signature | undefined): void {
    resolveCalls(graph, this.machine, {
      calleeOf: (call) => this.#calleeOf(call, fn, own),
      returnsFloat: () => this.#isUsed(fn, this.machine.floatResult) && !this.#isUsed(fn, this.machine.integerResult),
      stringAt: (address) => this.view.textAt(address),
    });
  }

  #calleeOf(call: CallStatement, from: FunctionRecord, own: Signature | undefined): KnownCallee | "pending" | undefined {
    if (call.target.kind === "direct") return this.#directCallee(call.target.rva, from, own);
    const slot = call.address === undefined ? undefined : slotOf(call.address);
    const rva = slot === undefined ? undefined : this.view.program.toRva(slot);
    const name = rva === undefined ? undefined : this.view.slotName(rva);
    if (name !== undefined) return { name, entry: undefined, signature: undefined, library: libraryFunction(name) };
    return undefined;
  }

  #directCallee(rva: number, from: FunctionRecord, own: Signature | undefined): KnownCallee | "pending" | undefined {
    const { program } = this.view;
    const called = program.functionAt(rva);
    if (called === undefined) return { name: "", entry: rva, signature: undefined, library: undefined };
    const imported = this.view.importedName(called);
    if (imported !== undefined) return { name: imported, entry: undefined, signature: undefined, library: libraryFunction(imported) };
    const fn = behindThunk(program, called);
    const name = this.view.nameOf(fn);
    const { entry } = fn;
    if (entry === from.entry) return own === undefined ? "pending" : { name, entry, signature: own, library: undefined };
    return { name, entry, signature: this.#signatureOf(fn, from), library: undefined };
  }

  /** What a callee takes and returns: by its values where it reaches few others and none of them leads back, else by its registers. */
  #signatureOf(fn: FunctionRecord, from: FunctionRecord): Signature | undefined {
    if (!this.#reach.isFollowed(fn, from) || this.#reach.isMutual(fn, from)) return this.#byRegisters(fn);
    return this.#signatures.get(fn.entry) ?? this.#byValues(fn) ?? this.#byRegisters(fn);
  }

  #byValues(fn: FunctionRecord): Signature | undefined {
    if (this.#tooLarge.has(fn.entry)) return undefined;
    try {
      return this.#keep(this.analyze(fn)).signature;
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      this.#tooLarge.add(fn.entry);
      return undefined;
    }
  }
}

function stepsOf({ blocks }: LiftedFunction): number {
  return blocks.reduce((sum, { steps }) => sum + steps.length + 1, 0);
}

/** Jumps that nothing says the targets of. One through a fixed cell is a jump to an imported function. */
export function computedJumps({ blocks }: LiftedFunction): number[] {
  return blocks.flatMap(({ ending }) => {
    if (ending.kind !== "tail" || ending.target.kind !== "indirect") return [];
    const { address } = ending.target;
    return address.kind === "load" && address.address.kind === "const" ? [] : [ending.at];
  });
}

type Options = Parameters<typeof propagate>[1];

function settle(graph: Graph, options: Options): void {
  for (let round = 0; round < 6; round += 1) {
    propagate(graph, options);
    if (!narrow(graph)) break;
  }
  propagate(graph, options);
  removeDeadCode(graph);
}

/** The cell of an address that is loaded from a fixed one. */
function slotOf(address: Expr): bigint | undefined {
  if (address.kind === "use") return address.def.source.kind === "expr" ? slotOf(address.def.source.expr) : undefined;
  return address.kind === "load" && address.address.kind === "const" ? address.address.value : undefined;
}

/** Widths of parameters as they are after everything is known. */
function refined(signature: Signature, graph: Graph): Signature {
  const byPlace = new Map<number, Definition>(graph.entryValues);
  const parameters = signature.parameters.map((parameter) => {
    const def = parameter.place === undefined ? undefined : byPlace.get(parameter.place);
    if (def === undefined || parameter.type.kind !== "int" || def.bits > 64) return parameter;
    if (signature.source === "debug" && parameter.type.bits >= def.bits) return parameter;
    return { ...parameter, type: { ...parameter.type, bits: Math.max(8, def.bits) } };
  });
  return { ...signature, parameters };
}

