import type { RegisterFile } from "../disassembler/register-access.js";
import type { Convention } from "./conventions.js";
import type { Frame } from "./frame.js";

/** An argument the code takes. */
export interface Parameter {
  /** A register, or `stack+N`: N bytes above the first stack argument. */
  readonly location: string;
  /** `unknown`: on the stack and read as a number of more than 8 bytes, or by a vector instruction. */
  readonly kind: "integer" | "float" | "unknown";
  readonly basis: "read before written" | "a later argument is read" | "stored for a variable argument list" | "stack place read";
}

export interface Parameters {
  readonly list: readonly Parameter[];
  /** Number of named parameters when the function takes a variable number; undefined otherwise. */
  readonly variadicAfter: number | undefined;
}

interface Input {
  readonly file: RegisterFile;
  readonly convention: Convention;
  readonly frame: Frame;
  /** Registers read before written. */
  readonly reads: { readonly general: number; readonly vector: number };
}

/** Arguments by what the code reads: those it never reads are not seen. */
export function parametersOf(input: Input): Parameters {
  const { convention, frame } = input;
  const variadicAfter = namedRegisters(input);
  const general = highestRead(convention.general, input.reads.general);
  const vector = variadicAfter === undefined ? highestRead(convention.vector, input.reads.vector) : 0;
  const registers = convention.sharedPositions
    ? sharedPositions(input, Math.max(general, vector), variadicAfter)
    : [...ofKind(input, "integer", Math.min(general, variadicAfter ?? general)), ...ofKind(input, "float", vector)];
  const stack = stackArguments(frame, convention, input.file.wordBytes);
  return { list: variadicAfter === undefined ? [...registers, ...stack] : registers, variadicAfter };
}

/** One past the position of the last register that is read. */
function highestRead(order: readonly number[], reads: number): number {
  return order.reduce((highest, register, index) => ((reads >>> register) & 1 ? index + 1 : highest), 0);
}

function ofKind({ file, convention, reads }: Input, kind: "integer" | "float", count: number): Parameter[] {
  const order = kind === "integer" ? convention.general : convention.vector;
  const read = kind === "integer" ? reads.general : reads.vector;
  const names = kind === "integer" ? file.general : file.vector;
  return order.slice(0, count).map((register) => ({ location: names[register] ?? "", kind, basis: basisOf(read, register) }));
}

/** One position takes either a general or a vector register. */
function sharedPositions(input: Input, highest: number, variadicAfter: number | undefined): Parameter[] {
  const { file, convention, reads } = input;
  return convention.general.slice(0, Math.min(highest, variadicAfter ?? highest)).map((register, position) => {
    const vector = convention.vector[position] ?? -1;
    const isFloat = ((reads.general >>> register) & 1) === 0 && vector >= 0 && ((reads.vector >>> vector) & 1) === 1;
    if (isFloat) return { location: file.vector[vector] ?? "", kind: "float", basis: "read before written" };
    return { location: file.general[register] ?? "", kind: "integer", basis: basisOf(reads.general, register) };
  });
}

function basisOf(reads: number, register: number): Parameter["basis"] {
  return (reads >>> register) & 1 ? "read before written" : "a later argument is read";
}

function stackArguments({ incoming }: Frame, { stackArguments: first }: Convention, wordBytes: number): Parameter[] {
  const places = new Map<number, Parameter["kind"]>();
  for (const { kind, offset, indexed, content } of incoming) {
    if ((kind !== "load" && kind !== "both") || indexed || offset < first) continue;
    const place = Math.floor((offset - first) / wordBytes) * wordBytes;
    const read = content === "unclear" ? "unknown" : (content ?? "integer");
    places.set(place, (places.get(place) ?? read) === read ? read : "unknown");
  }
  const sorted = [...places].sort(([a], [b]) => a - b);
  return sorted.map(([place, kind]) => ({ location: `stack+${String(place)}`, kind, basis: "stack place read" }));
}

/**
 * Number of argument registers before those that the prologue stores one after another for `va_arg`; undefined when it
 * stores none so. That they are for `va_arg` shows where all vector argument registers are stored too, or where the
 * address of the first stack argument is taken.
 */
function namedRegisters(input: Input): number | undefined {
  const { convention, frame } = input;
  if (convention.homeBytes > 0) return homeNamed(input);
  if (convention.general.length < 6) return undefined;
  const vectors = new Set(frame.entryStores.map(({ vector }) => vector).filter((register) => convention.vector.includes(register)));
  const overflow = frame.incoming.some(({ kind, offset }) => kind === "address" && offset === convention.stackArguments);
  if (!overflow && vectors.size < convention.vector.length) return undefined;
  const named = storedTogether(input);
  return named < convention.general.length ? named : undefined;
}

function storedTogether({ convention, frame, file }: Input): number {
  const places = convention.general.map((register) => frame.entryStores.filter(({ general }) => general === register).map(({ offset }) => offset));
  const lastPlaces = places[places.length - 1] ?? [];
  return lastPlaces.reduce((fewest, end) => {
    let named = places.length - 1;
    while (named > 0 && places[named - 1]?.includes(end - (places.length - named) * file.wordBytes) === true) named -= 1;
    return Math.min(fewest, named);
  }, places.length);
}

/** Microsoft x64: the address of a home place is taken after the registers were stored there. */
function homeNamed({ convention, frame, file }: Input): number | undefined {
  const taken = frame.incoming.filter(({ kind, offset }) => kind === "address" && offset >= file.wordBytes && offset < convention.stackArguments);
  const lowest = taken.reduce((least, { offset }) => Math.min(least, offset), Infinity);
  const position = lowest / file.wordBytes - 1;
  const stored = convention.general.slice(position);
  const all = Number.isInteger(position) && stored.every((register) => frame.entryStores.some(({ general }) => general === register));
  return all && position > 0 ? position : undefined;
}
