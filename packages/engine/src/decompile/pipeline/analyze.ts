import type { Definition, Expr } from "../../ir/expression.js";
import { agreed, prototypeOf } from "../../debug-types/prototype.js";
import type { FunctionRecord } from "../../program.js";
import { libraryFunction } from "../calls/library.js";
import { resolveCalls, type KnownCallee } from "../calls/resolve-calls.js";
import { ownSignature } from "./own-signature.js";
import { resultOf } from "../calls/result.js";
import { quickSignature } from "../calls/quick-signature.js";
import type { LiftContext } from "../lift/lift-context.js";
import type { LiftedFunction } from "../lift/lifted-function.js";
import type { Lifter } from "../lift/lifter.js";
import type { Machine } from "../machine-model.js";
import { CallReach } from "../program/call-reach.js";
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

/** Analyses functions of one program; signatures of what they call are found on the way and kept. */
export class FunctionAnalyzer {
  readonly view: ProgramView;
  readonly machine: Machine;
  readonly #lifter: Lifter;
  readonly #checkpoint: () => void;
  readonly #reach: CallReach;
  readonly #written: WrittenPlaces;
  readonly #signatures = new Map<number, Signature>();
  /** Analysed because of a caller, for when they are asked for themselves. */
  readonly #kept = new Map<number, AnalyzedFunction>();
  readonly #quick = new Map<number, Signature | undefined>();

  constructor(view: ProgramView, lifter: Lifter, checkpoint: () => void) {
    this.view = view;
    this.machine = lifter.machine;
    this.#lifter = lifter;
    this.#checkpoint = checkpoint;
    this.#reach = new CallReach(view.program);
    this.#written = new WrittenPlaces(view.program, this.#reach, { lifter, context: this.#context });
  }

  get #context(): LiftContext {
    const { view } = this;
    return {
      base: view.base,
      checkpoint: this.#checkpoint,
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

  analyze(fn: FunctionRecord): AnalyzedFunction {
    const { view, machine } = this;
    const checkpoint = this.#checkpoint;
    const lifted = this.#lifter.lift(view.program.blocks(fn), fn.entry, this.#context);
    const graph = buildGraph(lifted, machine, (target, at, place) => this.#keeps(fn, { target, at, place }));
    const special = specialRules(machine, () => graph.entryValues.get(machine.stackPointer));
    const options = { fixedLoad: (va: bigint, bits: number) => view.fixedLoad(va, bits), checkpoint, special };
    if (machine.takesStackByDifference) dynamicStack(graph, machine);
    propagate(graph, options);
    if (!machine.takesStackByDifference) dynamicStack(graph, machine);
    resolveSwitches(graph, view.program);
    this.#resolve(graph, fn, undefined);
    propagate(graph, options);
    promoteStackSlots(graph, machine);
    settle(graph, options);
    knownByBranch(graph);
    const ownResult = (): Signature["result"] => resultOf(graph, machine, (place) =>
      isResultUsed(view.program, fn, { lifter: this.#lifter, context: this.#context, place, takes: (target) => this.#takes(target, place) }),
    );
    const signature = ownSignature(graph, machine, prototypeOf(view.program, fn, machine), ownResult);
    this.#resolve(graph, fn, signature);
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
  #takes(target: number, place: number): boolean {
    const callee = this.view.program.functionAt(target);
    if (callee === undefined) return false;
    const library = this.view.libraryAt(callee);
    if (library === undefined) return callee.external ? false : (this.#quickOf(callee)?.parameters ?? []).some((parameter) => parameter.place === place);
    const floats = library.signature.parameters.filter(({ type }) => type.kind === "float").length;
    const integers = library.signature.parameters.length - floats;
    return this.machine.integerArguments.slice(0, integers).includes(place) || this.machine.floatArguments.slice(0, floats).includes(place);
  }

  #quickOf(fn: FunctionRecord): Signature | undefined {
    if (!this.#quick.has(fn.entry)) {
      const { program } = this.view;
      this.#quick.set(fn.entry, agreed(quickSignature(program, fn, this.machine), prototypeOf(program, fn, this.machine)));
    }
    return this.#quick.get(fn.entry);
  }

  /** Calls of the function itself wait until its own signature is known. */
  #resolve(graph: Graph, fn: FunctionRecord, own: Signature | undefined): void {
    resolveCalls(graph, this.machine, {
      calleeOf: (call) => this.#calleeOf(call, fn, own),
      stringAt: (address) => {
        const bytes = this.view.stringAt(address);
        return bytes === undefined ? undefined : String.fromCharCode(...bytes);
      },
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
    const fn = program.functionAt(rva);
    if (fn === undefined) return { name: "", entry: rva, signature: undefined, library: undefined };
    const imported = this.view.importedName(fn);
    if (imported !== undefined) return { name: imported, entry: undefined, signature: undefined, library: libraryFunction(imported) };
    const name = this.view.nameOf(fn);
    if (rva === from.entry) return own === undefined ? "pending" : { name, entry: rva, signature: own, library: undefined };
    return { name, entry: rva, signature: this.#signatureOf(fn, from), library: undefined };
  }

  /** What a callee takes and returns: by its values where it reaches few others and none of them leads back, else by its registers. */
  #signatureOf(fn: FunctionRecord, from: FunctionRecord): Signature | undefined {
    if (this.#reach.of(fn) !== undefined && !this.#reach.isMutual(fn, from)) {
      return this.#signatures.get(fn.entry) ?? this.#keep(this.analyze(fn)).signature;
    }
    return this.#quickOf(fn);
  }
}

/** A jump through a fixed cell is one to an imported function. */
function computedJumps({ blocks }: LiftedFunction): number[] {
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

