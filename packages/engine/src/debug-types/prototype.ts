import type { DebugFunction, DebugInformation, DebugVariable } from "@rea/binary";
import type { Machine } from "../decompile/machine-model.js";
import type { Parameter, Signature, ValueType } from "../decompile/ssa/graph.js";
import { isStackPlace, stackPlace } from "../decompile/ssa/stack-slots.js";
import type { FunctionRecord, Program } from "../program.js";
import { debugOfImage } from "./debug-of-image.js";
import { debugRegister } from "./debug-registers.js";
import { valueTypeOf } from "./value-type.js";

/** C, C++, Objective-C in their editions (DWARF 5 §7.12): what follows the platform's calling convention. */
const plainLanguages = new Set([0x01, 0x02, 0x04, 0x0c, 0x10, 0x11, 0x19, 0x1a, 0x1d, 0x21, 0x2a, 0x2b, 0x2c]);
const plusPlus = new Set([0x04, 0x11, 0x19, 0x1a, 0x21, 0x2a, 0x2b]);

/** What debug information says of a function, where its code can be trusted to follow it. */
export interface Prototype {
  readonly fn: DebugFunction;
  /** Undefined where types or places are not those of plain values, or the compiler changed how the function is called. */
  readonly signature: Signature | undefined;
}

/** The prototype of a function of the program; undefined where debug information does not have it. */
export function prototypeOf(program: Program, record: FunctionRecord, machine: Machine): Prototype | undefined {
  const debug = debugOfImage(program.image);
  const fn = debug?.functionAt(program.toVa(record.entry));
  if (debug === undefined || fn === undefined) return undefined;
  // Copies that the compiler made for some callers take what it likes.
  const isCopy = /\.(?:isra|constprop|part|cold|specialized|llvm)\b/.test(record.name);
  const signature = isCopy || !plainLanguages.has(fn.language) || fn.isVariadic ? undefined : signatureOf({ debug, fn, machine, program });
  return { fn, signature };
}

interface Input {
  readonly debug: DebugInformation;
  readonly fn: DebugFunction;
  readonly machine: Machine;
  readonly program: Program;
}

function signatureOf({ debug, fn, machine, program }: Input): Signature | undefined {
  const result = valueTypeOf(debug, fn.result);
  const types = fn.parameters.map(({ type }) => valueTypeOf(debug, type));
  if (result === undefined || types.some((type) => type === undefined || type.kind === "void")) return undefined;
  const known = types.flatMap((type) => type ?? []);
  // Without a prototype callers pass what promotions make of arguments.
  if (!fn.isPrototyped && !plusPlus.has(fn.language) && known.some(isPromoted)) return undefined;
  const places = placesFor(known, machine, program.image.format);
  if (places === undefined) return undefined;
  const agrees = fn.parameters.every((parameter, position) => isWhere(parameter, places[position] ?? -1, { fn, machine, program }));
  if (!agrees) return undefined;
  const parameters: Parameter[] = known.map((type, position) => {
    const name = fn.parameters[position]?.name;
    return { type, place: places[position], ...(name === undefined ? {} : { name }) };
  });
  return { parameters, variadic: false, result, source: "debug" };
}

function isPromoted(type: ValueType): boolean {
  return (type.kind === "float" && type.bits < 64) || (type.kind === "int" && type.bits < 32);
}

/** Where the calling convention puts parameters of these types. */
function placesFor(types: readonly ValueType[], machine: Machine, format: string): number[] | undefined {
  const places: number[] = [];
  const counts = { integers: 0, floats: 0, stack: 0 };
  for (const type of types) {
    const isFloat = type.kind === "float";
    const registers = isFloat ? machine.floatArguments : machine.integerArguments;
    const place = registers[isFloat ? counts.floats : counts.integers];
    if (isFloat) counts.floats += 1;
    else counts.integers += 1;
    places.push(place ?? stackPlace(machine.stackArguments + 8 * counts.stack));
    if (place === undefined) counts.stack += 1;
  }
  // Windows counts registers by position, and Apple packs what is on the stack.
  const isMixed = counts.integers > 0 && counts.floats > 0;
  if (format === "pe" && (isMixed || counts.stack > 0)) return undefined;
  return format === "mach-o" && counts.stack > 0 ? undefined : places;
}

/** False where the parameter is said to be elsewhere when the function is entered, or where a local function may have lost it. */
function isWhere({ places }: DebugVariable, wanted: number, { fn, machine, program }: Pick<Input, "fn" | "machine" | "program">): boolean {
  const here = places.find(({ start, end }) => start === undefined || (start <= fn.start && end !== undefined && fn.start < end));
  if (here === undefined) return fn.isExternal;
  if (here.place.kind === "frame") return true;
  if (here.place.kind === "other") return fn.isExternal;
  return !isStackPlace(wanted) && debugRegister(program.image.architecture, here.place.register) === machine.nameOf(wanted);
}

/** The prototype's signature unless the code reads more than it takes. */
export function agreed(fromCode: Signature | undefined, prototype: Prototype | undefined): Signature | undefined {
  const signature = prototype?.signature;
  if (signature === undefined) return fromCode;
  if (fromCode === undefined) return signature;
  if (fromCode.variadic) return fromCode;
  const taken = new Set(signature.parameters.map(({ place }) => place));
  const isCovered = fromCode.parameters.every(({ place }) => place === undefined || taken.has(place));
  return isCovered ? signature : fromCode;
}

/** The code's own signature with the names that parameters have in the source, as far as both count the same way. */
export function withNames(signature: Signature, prototype: Prototype | undefined): Signature {
  const names = prototype?.fn.parameters;
  if (names === undefined || signature.source === "debug" || prototype?.fn.isVariadic !== true) return signature;
  const isPlain = names.every((_, position) => signature.parameters[position]?.type.kind !== "float");
  if (!isPlain) return signature;
  return { ...signature, parameters: signature.parameters.map((parameter, position) => {
    const name = names[position]?.name;
    return name === undefined ? parameter : { ...parameter, name };
  }) };
}
