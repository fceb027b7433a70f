import type { Definition, Expr } from "../../ir/expression.js";
import type { Machine } from "../machine-model.js";
import type { CallStatement, Graph, ValueType } from "../ssa/graph.js";
import { demandedWidths } from "../ssa/narrow.js";
import { liveValues } from "./flow-closure.js";
import { isUnknown, isUntouched } from "./known-values.js";

/** What calls of functions that nothing is known of pass and give, judged by what stands in registers around them. */
export class CallGuesses {
  readonly #graph: Graph;
  readonly #machine: Machine;
  readonly #returnsFloat: () => boolean;
  #live: ReadonlySet<Definition> | undefined;

  constructor(graph: Graph, machine: Machine, returnsFloat: () => boolean) {
    this.#graph = graph;
    this.#machine = machine;
    this.#returnsFloat = returnsFloat;
  }

  /** A number, unless only the register of floating results is read behind the call, here or where the function returns. */
  result(call: CallStatement): ValueType {
    const integer = call.results.get(this.#machine.integerResult);
    const float = call.results.get(this.#machine.floatResult);
    const [usesInteger, usesFloat] = [this.#isLive(integer), this.#isLive(float)];
    const isReturned = (): boolean => this.#graph.blocks.some(({ ending }) => ending.kind === "return" && isPartOf(ending.state.get(this.#machine.floatResult), float));
    if (!usesInteger && (usesFloat || (isReturned() && this.#returnsFloat()))) {
      const width = usesFloat ? demandedWidths(this.#graph)(float) : undefined;
      return { kind: "float", bits: width !== undefined && width <= 32 ? 32 : 64 };
    }
    return { kind: "int", bits: 64, signed: integer === undefined ? true : undefined };
  }

  /** Vector registers that are passed, from the one numbered `from`. */
  floats(call: CallStatement, { from, givesFloat }: { readonly from: number; readonly givesFloat: boolean }): readonly Expr[] {
    const { floatArguments, vectorCount } = this.#machine;
    const counted = vectorCount < 0 ? undefined : countOf(call.state.get(vectorCount));
    const found: Expr[] = [];
    for (const [index, place] of floatArguments.entries()) {
      if (index < from || (counted !== undefined && index >= counted)) continue;
      const value = call.state.get(place);
      if (value === undefined || isUnknown(value)) break;
      if (counted === undefined && !this.#isForCall(value, place, givesFloat && index === 0)) break;
      found.push(value);
    }
    return found;
  }

  /** Made and read by nothing else; or handed on as it came in, where that is likely. */
  #isForCall(value: Expr, place: number, mayPassOn: boolean): boolean {
    if (isUntouched(value, place)) return mayPassOn;
    return this.#machine.vectorCount < 0 || value.kind !== "use" || !this.#isLive(value.def);
  }

  #isLive(def: Definition | undefined): boolean {
    this.#live ??= liveValues(this.#graph);
    return def !== undefined && this.#live.has(def);
  }
}

/** True where the value is what the call left, or one of several that merge. */
function isPartOf(value: Expr | undefined, def: Definition | undefined): boolean {
  if (value?.kind !== "use" || def === undefined) return false;
  return value.def === def || (value.def.source.kind === "phi" && value.def.source.args.some((arg) => arg.kind === "use" && arg.def === def));
}

/** How many vector registers a variadic call says it uses; undefined where it says nothing. */
function countOf(count: Expr | undefined): number | undefined {
  if (count?.kind === "const") return count.value <= 8n ? Number(count.value) : undefined;
  const low = count?.kind === "op" && count.op === "insert" ? count.args[1] : undefined;
  return low?.kind === "const" ? Number(low.value) : undefined;
}
