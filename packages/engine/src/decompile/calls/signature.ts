import type { Definition } from "../../ir/expression.js";
import type { Machine } from "../machine-model.js";
import type { Graph, Parameter, ValueType } from "../ssa/graph.js";
import { demandedWidths } from "../ssa/narrow.js";
import { isStackPlace, offsetOfPlace } from "../ssa/stack-slots.js";

/** Parameters by the registers and stack places that are read before they are written; call states are not looked at. */
export function parametersOf(graph: Graph, machine: Machine): Parameter[] {
  const widths = demandedWidths(graph);
  const read = [...graph.entryValues.values()].filter((def) => (widths(def) ?? 0) > 0);
  const byPlace = new Map(read.map((def) => [def.place, def]));
  const integers = positions(machine.integerArguments, byPlace);
  const floats = positions(machine.floatArguments, byPlace);
  const onStack = [...byPlace.keys()].filter((place) => isStackPlace(place) && offsetOfPlace(place) >= machine.stackArguments).sort((a, b) => a - b);
  const count = onStack.length > 0 ? machine.integerArguments.length : integers;
  const found: Parameter[] = byPlace.has(machine.indirectResult) ? [{ type: { kind: "pointer", to: undefined }, place: machine.indirectResult }] : [];
  for (const place of machine.integerArguments.slice(0, count)) found.push({ type: integerType(byPlace.get(place)), place });
  for (const place of machine.floatArguments.slice(0, floats)) found.push({ type: { kind: "float", bits: (widths(byPlace.get(place)) ?? 64) <= 32 ? 32 : 64 }, place });
  return [...found, ...stackParameters(onStack, byPlace, machine)];
}

function stackParameters(places: readonly number[], byPlace: ReadonlyMap<number, Definition>, machine: Machine): Parameter[] {
  const last = places.at(-1);
  if (last === undefined) return [];
  const found: Parameter[] = [];
  for (let offset = machine.stackArguments; offset <= offsetOfPlace(last); offset += 8) {
    const place = last - offsetOfPlace(last) + offset;
    found.push({ type: integerType(byPlace.get(place)), place });
  }
  return found;
}

function integerType(def: Definition | undefined): ValueType {
  return { kind: "int", bits: def === undefined ? 64 : Math.min(64, Math.max(8, def.bits)), signed: undefined };
}

/** One past the last register of the list that is read. */
function positions(places: readonly number[], byPlace: ReadonlyMap<number, Definition>): number {
  let count = 0;
  for (const [index, place] of places.entries()) if (byPlace.has(place)) count = index + 1;
  return count;
}
