import type { DebugFunction, DebugInformation } from "@rea/binary";
import type { NativeApi } from "@rea/core";
import { lifterFor } from "../decompile/lift/lifter.js";
import { isStackPlace, offsetOfPlace } from "../decompile/ssa/stack-slots.js";
import { shownName } from "../operations/shown-text.js";
import type { FunctionRecord, Program } from "../program.js";
import { debugOfImage } from "./debug-of-image.js";
import { prototypeOf } from "./prototype.js";

interface Known {
  readonly debug: DebugInformation;
  readonly fn: DebugFunction;
}

function knownOf(program: Program, record: FunctionRecord): Known | undefined {
  const debug = debugOfImage(program.image);
  const fn = debug?.functionAt(program.toVa(record.entry));
  return debug === undefined || fn === undefined ? undefined : { debug, fn };
}

/** The function as its source declares it; null where debug information does not have it. */
export function debugSignature(program: Program, record: FunctionRecord): string | null {
  const known = knownOf(program, record);
  return known === undefined ? null : shownName(declarationOf(known));
}

function declarationOf({ debug, fn }: Known): string {
  const parameters = fn.parameters.map(({ name, type }) => debug.typeText(type, name ?? ""));
  if (fn.isVariadic) parameters.push("...");
  const result = debug.typeText(fn.result);
  const list = parameters.length === 0 ? "void" : parameters.join(", ");
  return `${result}${result.endsWith("*") ? "" : " "}${fn.name ?? ""}(${list})`;
}

type Interface = Pick<NativeApi, "parameters" | "return_type" | "signature_source" | "variadic" | "unknowns">;

/** Said of parameters where nothing but the code is known. */
export const unnamedParameters = "Names and types of parameters, and parameters that the code never reads, are not in the code.";

/** What debug information adds to what the instructions show of a function's interface. */
export function debugInterface(program: Program, record: FunctionRecord, fromCode: Interface): Interface {
  const known = knownOf(program, record);
  const machine = lifterFor(program.image)?.machine;
  if (known === undefined || machine === undefined) return fromCode;
  const { debug, fn } = known;
  const places = prototypeOf(program, record, machine)?.signature?.parameters;
  const shown = fn.parameters.map(({ name, type }, position): NativeApi["parameters"][number] => {
    const place = places?.[position]?.place;
    const location = place === undefined ? undefined : isStackPlace(place) ? `stack+${String(offsetOfPlace(place) - machine.stackArguments)}` : machine.nameOf(place);
    const seen = fromCode.parameters.find((each) => each.location === location);
    return {
      position,
      location: location ?? "unknown",
      kind: seen?.kind ?? kindOf(places?.[position]?.type.kind),
      basis: seen === undefined ? "debug information" : `debug information; ${seen.basis}`,
      name: name === undefined ? null : shownName(name),
      type: shownName(debug.typeText(type)),
    };
  });
  const certain = places === undefined ? "debug information names the types; where a parameter is passed cannot be told from them" : "debug information, whose places the code agrees with";
  return {
    parameters: places === undefined && shown.length === 0 ? fromCode.parameters : shown,
    return_type: shownName(debug.typeText(fn.result)),
    signature_source: certain,
    unknowns: fromCode.unknowns.filter((each) => each !== unnamedParameters),
    variadic: fn.isVariadic ? { named_registers: fn.parameters.length, basis: "debug information" } : fromCode.variadic,
  };
}

function kindOf(kind: string | undefined): NativeApi["parameters"][number]["kind"] {
  return kind === "float" ? "float" : kind === undefined ? "unknown" : "integer";
}
