import { functionFacts } from "../../facts/known-facts.js";
import type { FunctionRecord, Program } from "../../program.js";
import type { Machine } from "../machine-model.js";
import type { Parameter, Signature } from "../ssa/graph.js";
import { stackPlace } from "../ssa/stack-slots.js";

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
  const onStack = stackPlaces(facts.parameters.list.map(({ location }) => location), machine);
  // Integers are passed on the stack when no register is left.
  const registers = onStack.length > 0 ? machine.integerArguments : taken(machine.integerArguments);
  const integer = (place: number): Parameter => ({ type: { kind: "int", bits: 64, signed: undefined }, place });
  const integers = registers.map(integer);
  const floats = taken(machine.floatArguments).map((place): Parameter => ({ type: { kind: "float", bits: 64 }, place }));
  return { parameters: [...integers, ...floats, ...onStack.map(integer)], variadic: facts.parameters.variadicAfter !== undefined, result: { kind: "int", bits: 64, signed: undefined }, source: "code" };
}

const mostOnStack = 64;

/** Places of arguments on the stack, up to the last that is read. */
function stackPlaces(locations: readonly string[], { stackArguments }: Machine): readonly number[] {
  const offsets = locations.flatMap((location) => (location.startsWith("stack+") ? [Number(location.slice("stack+".length))] : []));
  const last = Math.max(-8, ...offsets);
  const count = Math.floor(last / 8) + 1;
  return count > mostOnStack ? [] : Array.from({ length: count }, (_, index) => stackPlace(stackArguments + 8 * index));
}
