import type { DebugFunction, DebugVariable } from "@rea/binary";
import type { Code, Variable } from "../decompile/lower/code.js";
import type { Machine } from "../decompile/machine-model.js";
import type { Graph } from "../decompile/ssa/graph.js";
import { isStackPlace, offsetOfPlace } from "../decompile/ssa/stack-slots.js";
import type { Definition } from "../ir/expression.js";
import type { Program } from "../program.js";
import { debugRegister } from "./debug-registers.js";

interface Input {
  readonly code: Code;
  readonly graph: Graph;
  readonly machine: Machine;
  readonly program: Program;
  readonly fn: DebugFunction;
}

/** No instruction is longer. */
const longestInstruction = 15;

/** The local of the source for variables whose place is that of one local where they are set. */
export function locals({ code, graph, machine, program, fn }: Input): ReadonlyMap<Variable, DebugVariable> {
  const finder = new LocalFinder({ code, graph, machine, program, fn });
  const found = new Map<Variable, DebugVariable>();
  for (const variable of code.variables) {
    if (variable.parameter !== undefined) continue;
    const local = finder.localOf(variable);
    if (local !== undefined) found.set(variable, local);
  }
  return found;
}

class LocalFinder {
  readonly #input: Input;
  /** Where each value is set: behind which address, or at the start of which block. */
  readonly #setAt = new Map<Definition, { readonly at: number; readonly isMerge: boolean }>();
  readonly #byFrame = new Map<number, DebugVariable | "several">();

  constructor(input: Input) {
    this.#input = input;
    const { graph, fn } = input;
    for (const block of graph.blocks) {
      for (const phi of block.phis) this.#setAt.set(phi, { at: block.start, isMerge: true });
      for (const statement of block.statements) {
        if (statement.kind === "def") this.#setAt.set(statement.def, { at: statement.at, isMerge: false });
        else if (statement.kind === "call") for (const def of statement.results.values()) this.#setAt.set(def, { at: statement.at, isMerge: false });
      }
    }
    for (const local of [...fn.locals, ...fn.parameters]) {
      const [only, ...others] = local.places;
      if (only === undefined || others.length > 0 || only.start !== undefined || only.place.kind !== "frame") continue;
      const offset = this.#entryOffset(only.place.offset);
      if (offset !== undefined) this.#byFrame.set(offset, this.#byFrame.has(offset) ? "several" : local);
    }
  }

  /** The one local that most of the variable's values are. */
  localOf({ members }: Variable): DebugVariable | undefined {
    const votes = new Map<DebugVariable, number>();
    for (const def of members) for (const local of this.#localsOf(def)) votes.set(local, (votes.get(local) ?? 0) + 1);
    const [first, second] = [...votes].sort(([, a], [, b]) => b - a);
    return first === undefined || (second !== undefined && second[1] === first[1]) ? undefined : first[0];
  }

  #localsOf(def: Definition): readonly DebugVariable[] {
    if (isStackPlace(def.place)) {
      const local = this.#byFrame.get(offsetOfPlace(def.place));
      return local === undefined || local === "several" || local.name === undefined ? [] : [local];
    }
    const set = this.#setAt.get(def);
    if (set === undefined || def.place < 0) return [];
    const { program, machine, fn } = this.#input;
    const va = program.toVa(set.at);
    const register = machine.nameOf(def.place);
    const found = new Map<string, DebugVariable>();
    for (const local of fn.locals) {
      const { name, places } = local;
      if (name === undefined) continue;
      for (const { start, end, place } of places) {
        if (start === undefined || end === undefined || place.kind !== "register" || debugRegister(program.image.architecture, place.register) !== register) continue;
        const isHere = set.isMerge ? start <= va && va < end : start > va && start <= va + BigInt(longestInstruction);
        if (isHere && !found.has(name)) found.set(name, local);
      }
    }
    return found.size === 1 ? [...found.values()] : [];
  }

  /** Offset from the stack pointer at the entry. */
  #entryOffset(offset: number): number | undefined {
    const { fn, machine, program } = this.#input;
    const returnAddress = machine.entryMisaligned ? 8 : 0;
    if (fn.frameBase.kind === "call_frame") return offset + returnAddress;
    // `push rbp; mov rbp, rsp`: the frame pointer is 8 below the stack pointer at the entry.
    const isFramePointer = fn.frameBase.kind === "register" && debugRegister(program.image.architecture, fn.frameBase.register) === "rbp";
    return isFramePointer && fn.frameBase.kind === "register" ? offset + fn.frameBase.offset - 8 : undefined;
  }
}
