import type { Definition, Expr } from "../../ir/expression.js";
import { extract } from "../../ir/simplify.js";
import type { Machine, ResultShape } from "../machine-model.js";
import type { Graph, ValueType } from "../ssa/graph.js";
import { demandedWidths } from "../ssa/narrow.js";
import { floatWidth, integerWidth, type Widths } from "./result-width.js";
import { closure, liveValues } from "./flow-closure.js";
import { joined, severalBits, severalResultsOf } from "./several-results.js";
import { isUnknown, isUntouched } from "./known-values.js";

/** What a function returns, and where, if that is in several registers. */
export interface FunctionResult {
  readonly type: ValueType;
  readonly shape?: ResultShape;
}

/**
 * What a function returns, judged by what stands in the result registers where it returns: a value made for nothing else
 * is returned; a leftover of other work may be.
 */
export function resultOf(graph: Graph, machine: Machine, isUsed: (place: number) => boolean): FunctionResult {
  const known = new Map<number, boolean>();
  const isUsedOnce = (place: number): boolean => {
    const used = known.get(place) ?? isUsed(place);
    known.set(place, used);
    return used;
  };
  const shape = severalResultsOf({ graph, machine, widths: demandedWidths(graph), isUsed: isUsedOnce });
  if (shape !== undefined) return { type: { kind: "int", bits: severalBits, signed: false }, shape };
  return { type: oneResultOf(graph, machine, isUsedOnce) };
}

function oneResultOf(graph: Graph, machine: Machine, isUsed: (place: number) => boolean): ValueType {
  const integers = returned(graph, machine.integerResult);
  const floats = returned(graph, machine.floatResult);
  if (integers.length === 0) return { kind: "void" };
  const live = liveValues(graph);
  const widths = demandedWidths(graph);
  const integer = strength(integers, machine.integerResult, { live, machine, widths });
  const float = strength(floats, machine.floatResult, { live, machine, widths });
  const asInteger = (): ValueType => ({ kind: "int", bits: integerWidth(integers, widths), signed: undefined });
  const asFloat = (): ValueType => ({ kind: "float", bits: floatWidth(floats, widths) });
  // An argument that is left where it came in is a result where a caller reads it.
  if (integer === 0 && float < 2 && handsBack(integers, machine.integerResult, { machine, widths }) && isUsed(machine.integerResult)) return asInteger();
  if (float === 0 && integer < 2 && handsBack(floats, machine.floatResult, { machine, widths }) && isUsed(machine.floatResult)) return asFloat();
  if (integer === 0 && float === 0) return { kind: "void" };
  if (integer > 0 && float > 0) {
    const [wantsInteger, wantsFloat] = [isUsed(machine.integerResult), isUsed(machine.floatResult)];
    if (wantsInteger !== wantsFloat) return wantsFloat ? asFloat() : asInteger();
  }
  return float > integer || (float === integer && prefersFloat(graph, { integers, floats, floatResult: machine.floatResult })) ? asFloat() : asInteger();
}

/** True where an argument comes in in the place, and every return leaves it there. */
function handsBack(values: readonly Expr[], place: number, { machine, widths }: { readonly machine: Machine; readonly widths: Widths }): boolean {
  return carriesArgument(place, machine) && (widths(entryAmong(values, place)) ?? 0) > 0 && values.length > 0 && values.every((value) => isUntouched(value, place));
}

function carriesArgument(place: number, { integerArguments, floatArguments }: Machine): boolean {
  return integerArguments.includes(place) || floatArguments.includes(place);
}

/** The low part of a result register that makes the return value. */
export function returnValue(state: ReadonlyMap<number, Expr>, { type: result, shape }: FunctionResult, machine: Machine): Expr | undefined {
  if (shape !== undefined) return joined(state, shape);
  if (result.kind === "void") return undefined;
  const place = result.kind === "float" ? machine.floatResult : machine.integerResult;
  const value = state.get(place);
  const bits = result.kind === "pointer" ? 64 : result.bits;
  return value === undefined ? undefined : extract(value, 0, bits);
}

function returned(graph: Graph, place: number): Expr[] {
  return graph.blocks.flatMap(({ ending }) => (ending.kind === "return" ? (ending.state.get(place) ?? []) : []));
}

/** 0: not known on some way; 1: a leftover; 2: made for nothing else. The weakest way counts. */
function strength(values: readonly Expr[], place: number, { live, machine, widths }: { readonly live: ReadonlySet<Definition>; readonly machine: Machine; readonly widths: Widths }): number {
  // Where an argument comes in in the same place, leaving it alone may be to return it.
  const isEither = carriesArgument(place, machine) && (widths(entryAmong(values, place)) ?? 0) > 0;
  const telling = isEither ? values.filter((value) => !isUntouched(value, place)) : values;
  let weakest = 2;
  for (const value of telling) weakest = Math.min(weakest, strengthOf(value, place, { live, isEither }));
  return telling.length === 0 ? 0 : weakest;
}

function strengthOf(value: Expr, place: number, { live, isEither }: { readonly live: ReadonlySet<Definition>; readonly isEither: boolean }): number {
  if (isUntouched(value, place) || isUnknown(value) || (!isEither && mergesUntouched(value, place))) return 0;
  const inner = core(value);
  return inner.kind === "use" && live.has(inner.def) ? 1 : 2;
}

/** What was put into the register, without what fills its upper bits. */
function core(value: Expr): Expr {
  if (value.kind !== "op") return value;
  if (value.op === "zext" || value.op === "sext" || value.op === "extract") return core(value.args[0] ?? value);
  return value.op === "insert" && value.args[1] !== undefined ? core(value.args[1]) : value;
}

/** A merge of the register's value at the entry with others: set on some ways only. */
function mergesUntouched(expr: Expr, place: number, seen: Set<Definition> = new Set()): boolean {
  if (expr.kind !== "use" || expr.def.source.kind !== "phi" || seen.has(expr.def)) return false;
  seen.add(expr.def);
  return expr.def.source.args.some((arg) => isUntouched(arg, place) || mergesUntouched(arg, place, seen));
}

/** Both registers hold something: the one that the other is made of is not what is returned. */
function prefersFloat(graph: Graph, { integers, floats, floatResult }: { readonly integers: readonly Expr[]; readonly floats: readonly Expr[]; readonly floatResult: number }): boolean {
  const ofIntegers = closure(integers);
  const ofFloats = closure(floats);
  const uses = (values: readonly Expr[], inside: ReadonlySet<Definition>): boolean => values.map(core).some((value) => value.kind === "use" && inside.has(value.def));
  const integerFeeds = uses(integers, ofFloats) && !uses(floats, ofIntegers);
  const floatFeeds = uses(floats, ofIntegers) && !uses(integers, ofFloats);
  if (integerFeeds !== floatFeeds) return integerFeeds;
  const [lastFloat, lastInteger] = [lastSet(graph, floats), lastSet(graph, integers)];
  // The same value in both: it was moved to where it is returned.
  return lastFloat === lastInteger ? graph.blocks.some(({ ending }) => ending.kind === "return" && ending.lastSet === floatResult) : lastFloat > lastInteger;
}

/** Address of the last statement that sets one of the values; constants count as early. */
function lastSet(graph: Graph, values: readonly Expr[]): number {
  const wanted = new Set(values.flatMap((value) => [...closure([value])].filter((def) => value.kind !== "use" || def === value.def)));
  let last = -1;
  for (const { statements } of graph.blocks) for (const statement of statements) if (statement.kind === "def" && wanted.has(statement.def)) last = Math.max(last, statement.at);
  return last;
}

/** The value that the place had at the entry, where one of the values is made of it. */
function entryAmong(values: readonly Expr[], place: number): Definition | undefined {
  return [...closure(values)].find(({ source, place: own }) => source.kind === "entry" && own === place);
}
