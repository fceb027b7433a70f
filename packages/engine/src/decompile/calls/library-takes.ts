import type { Machine } from "../machine-model.js";
import type { ValueType } from "../ssa/graph.js";
import { formatArguments, type LibraryFunction } from "./library.js";

/** The constant that a place holds at a call, as far as that is seen. */
export type Held = (place: number) => bigint | undefined;

interface Question {
  readonly machine: Machine;
  readonly place: number;
  readonly held: Held | undefined;
  readonly stringAt: (address: bigint) => string | undefined;
}

/** Whether a library function takes an argument in the place: by its prototype, and by its format where that is known. */
export function libraryTakes({ signature, format }: LibraryFunction, { machine, place, held, stringAt }: Question): boolean {
  const address = format === undefined ? undefined : held?.(machine.integerArguments[format.position] ?? -1);
  const text = address === undefined ? undefined : stringAt(address);
  const variable = format === undefined || text === undefined || machine.variableArgumentsOnStack ? [] : (formatArguments(text, format.reads) ?? []);
  const types: readonly ValueType[] = [...signature.parameters.map(({ type }) => type), ...variable];
  const floats = types.filter(({ kind }) => kind === "float").length;
  return machine.integerArguments.slice(0, types.length - floats).includes(place) || machine.floatArguments.slice(0, floats).includes(place);
}
