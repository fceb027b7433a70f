import type { Definition, Expr } from "../../ir/expression.js";
import { extract, make, zext } from "../../ir/simplify.js";
import type { Machine, ResultPart, ResultShape } from "../machine-model.js";
import type { Graph } from "../ssa/graph.js";
import { closure } from "./flow-closure.js";
import { isUnknown, isUntouched } from "./known-values.js";

/** Bits of a result in several registers, as one number. */
export const severalBits = 128;

interface Question {
  readonly graph: Graph;
  readonly machine: Machine;
  /** How many low bits of a value are read by more than returns. */
  readonly widths: (def: Definition | undefined) => number | undefined;
  /** Whether a caller reads the place behind a call. */
  readonly isUsed: (place: number) => boolean;
}

/** In which registers a function returns a structure: those that it sets on every way and that callers read. */
export function severalResultsOf(question: Question): ResultShape | undefined {
  const { machine, isUsed } = question;
  const known = new Map<number, readonly [boolean, boolean]>();
  const isKnown = ({ place }: ResultPart, position: number): boolean => {
    const [found, isMade] = known.get(place) ?? standing(question, place);
    known.set(place, [found, isMade]);
    return found && (isMade || position === 0);
  };
  return machine.resultShapes.find(({ parts }) => {
    const [first, ...others] = parts;
    if (first === undefined || !parts.every(isKnown) || !others.every(({ place }) => isUsed(place))) return false;
    const isMixed = others.some(({ place }) => isVector(place, machine) !== isVector(first.place, machine));
    const rival = isVector(first.place, machine) ? machine.integerResult : machine.floatResult;
    return isUsed(first.place) || (!isMixed && !isUsed(rival));
  });
}

/** Whether the place holds something known wherever the function returns, and whether it was made anywhere. */
function standing({ graph, machine, widths }: Question, place: number): readonly [boolean, boolean] {
  let isMade = false;
  for (const { ending } of graph.blocks) {
    if (ending.kind !== "return") continue;
    const value = ending.state.get(place);
    if (value === undefined || isUnknown(value)) return [false, false];
    // What is left alone everywhere, callers that know so keep values of their own in.
    if (!isUntouched(value, place)) isMade = true;
    else if (!isArgument({ graph, machine, widths }, place)) return [false, false];
  }
  return [true, isMade];
}

/** What comes in in the place is an argument, or the next one behind those that are read, for other parts of the result too. */
function isArgument({ graph, machine, widths }: Pick<Question, "graph" | "machine" | "widths">, place: number): boolean {
  const returned = graph.blocks.flatMap(({ ending }) => (ending.kind === "return" ? [...ending.state] : []));
  const forResults = closure(returned.flatMap(([at, value]) => (isUntouched(value, at) ? [] : [value])));
  const isRead = (one: number | undefined): boolean => {
    const def = one === undefined ? undefined : graph.entryValues.get(one);
    return def !== undefined && ((widths(def) ?? 0) > 0 || forResults.has(def));
  };
  const list = [machine.integerArguments, machine.floatArguments].find((each) => each.includes(place));
  return list !== undefined && (isRead(place) || isRead(list[list.indexOf(place) - 1]));
}

function isVector(place: number, { vectors }: Machine): boolean {
  return place >= vectors.first && place < vectors.first + vectors.count;
}

/** The registers' contents as one number, the first lowest; undefined where one is not known. */
export function joined(state: ReadonlyMap<number, Expr>, { parts }: ResultShape): Expr | undefined {
  let whole: Expr | undefined;
  for (const { place, bits } of parts) {
    const value = state.get(place);
    if (value === undefined) return undefined;
    const part = extract(value, 0, bits);
    whole = whole === undefined ? part : make("concat", whole.bits + bits, [part, whole]);
  }
  return whole === undefined ? undefined : zext(whole, severalBits);
}

/** What each register holds behind a call, by place, taken from the whole number. */
export function taken(whole: Expr, parts: readonly ResultPart[], bitsOf: (place: number) => number): ReadonlyMap<number, Expr> {
  const found = new Map<number, Expr>();
  let from = 0;
  for (const { place, bits } of parts) {
    const part = extract(whole, from, bits);
    found.set(place, bits === bitsOf(place) ? part : zext(part, bitsOf(place)));
    from += bits;
  }
  return found;
}
