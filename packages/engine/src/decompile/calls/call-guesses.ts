import type { Definition, Expr } from "../../ir/expression.js";
import type { Machine } from "../machine-model.js";
import type { CallStatement, Graph, ValueType } from "../ssa/graph.js";
import { demandedWidths } from "../ssa/narrow.js";
import { closure, liveValues } from "./flow-closure.js";
import { isUnknown, isUntouched } from "./known-values.js";

/** What calls of functions that nothing is known of pass and give, judged by what stands in registers around them. */
export class CallGuesses {
  readonly #graph: Graph;
  readonly #machine: Machine;
  readonly #returnsFloat: () => boolean;
  #live: ReadonlySet<Definition> | undefined;
  #returned: ReadonlySet<Definition> | undefined;

  constructor(graph: Graph, machine: Machine, returnsFloat: () => boolean) {
    this.#graph = graph;
    this.#machine = machine;
    this.#returnsFloat = returnsFloat;
  }

  /** A number, unless only the register of floating results is read behind the call, here or where the function returns. */
  result(call: CallStatement): ValueType {
    const integer = call.results.get(this.#machine.integerResult);
    const float = call.results.get(this.#machine.floatResult);
    if (this.#isLive(integer)) return asInteger(integer);
    const isRead = this.#isLive(float);
    const isReturned = !isRead && this.#isReturned(float) && (!this.#isReturned(integer) || this.#returnsFloat());
    if (!isRead && !isReturned) return asInteger(integer);
    const width = isRead ? demandedWidths(this.#graph)(float) : undefined;
    return { kind: "float", bits: width !== undefined && width <= 32 ? 32 : 64 };
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

  /** Whether it stands in a register where the function returns, or is part of what does. */
  #isReturned(def: Definition | undefined): boolean {
    this.#returned ??= closure(this.#graph.blocks.flatMap(({ ending }) => (ending.kind === "return" ? [...ending.state.values()] : [])));
    return def !== undefined && this.#returned.has(def);
  }

  #isLive(def: Definition | undefined): boolean {
    this.#live ??= liveValues(this.#graph);
    return def !== undefined && this.#live.has(def);
  }
}

function asInteger(def: Definition | undefined): ValueType {
  return { kind: "int", bits: 64, signed: def === undefined ? true : undefined };
}

/** How many vector registers a variadic call says it uses; undefined where it says nothing. */
function countOf(count: Expr | undefined): number | undefined {
  if (count?.kind === "const") return count.value <= 8n ? Number(count.value) : undefined;
  const low = count?.kind === "op" && count.op === "insert" ? count.args[1] : undefined;
  return low?.kind === "const" ? Number(low.value) : undefined;
}
