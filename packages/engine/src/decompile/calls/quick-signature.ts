import { functionFacts } from "../../facts/known-facts.js";
import type { FunctionRecord, Program } from "../../program.js";
import type { Machine } from "../machine-model.js";
import type { Parameter, Signature } from "../ssa/graph.js";

/** A signature from the registers that a function reads first, without looking at its values. */
export function quickSignature(program: Program, fn: FunctionRecord, machine: Machine): Signature | undefined {
  const facts = functionFacts(program, fn, () => undefined)?.call;
  if (facts === undefined) return undefined;
  const locations = new Set(facts.parameters.list.map(({ location }) => location));
  const taken = (places: readonly number[]): readonly number[] => {
    let count = 0;
    for (const [index, place] of places.entries()) if (locations.has(machine.nameOf(place))) count = index + 1;
    return places.slice(0, count);
  };
  const integers = taken(machine.integerArguments).map((place): Parameter => ({ type: { kind: "int", bits: 64, signed: undefined }, place }));
  const floats = taken(machine.floatArguments).map((place): Parameter => ({ type: { kind: "float", bits: 64 }, place }));
  return { parameters: [...integers, ...floats], variadic: facts.parameters.variadicAfter !== undefined, result: { kind: "int", bits: 64, signed: undefined }, source: "code" };
}
