import type { RegisterFile } from "../disassembler/register-access.js";
import type { Convention, ConventionName } from "./conventions.js";
import type { Frame } from "./frame.js";
import type { FunctionFlow } from "./function-flow.js";
import type { Parameters } from "./parameters.js";

export interface ConventionGuess {
  /** Undefined when the code speaks against the usual one. */
  readonly name: ConventionName | undefined;
  readonly basis: readonly string[];
}

interface Input {
  readonly file: RegisterFile;
  readonly convention: Convention;
  readonly flow: FunctionFlow;
  readonly frame: Frame;
  readonly reads: { readonly general: number; readonly vector: number };
  readonly parameters: Parameters;
}

/** The convention that fits the platform and what the function does. */
export function guessConvention(input: Input): ConventionGuess {
  return input.convention.name === "cdecl" ? x86Convention(input) : usual(input);
}

function usual({ file, convention, reads, parameters, frame }: Input): ConventionGuess {
  const basis = [convention.basis];
  const registers = parameters.list.filter(({ basis: why }) => why === "read before written").map(({ location }) => location);
  if (registers.length > 0) basis.push(`${registers.join(", ")} read before written`);
  if (frame.saved.length > 0) basis.push(`${frame.saved.map(({ register }) => register).join(", ")} kept for the caller`);
  const strange = convention.vectorCount >= 0 && (reads.general & 1) === 1 && parameters.variadicAfter === undefined;
  if (strange) basis.push(`${file.general[0] ?? ""} read before written: no argument register of this convention`);
  return { name: strange ? undefined : convention.name, basis };
}

/** 32-bit x86: who removes the arguments, and whether ecx and edx bring some. */
function x86Convention({ file, convention, flow, reads, parameters }: Input): ConventionGuess {
  const pops = flow.effects.reduce((most, { returnPops }) => Math.max(most, returnPops), 0);
  const stack = parameters.list.filter(({ location }) => location.startsWith("stack")).length;
  const registers = parameters.list.length - stack;
  const basis = [convention.basis];
  if (registers > 0) basis.push(`${parameters.list.slice(0, registers).map(({ location }) => location).join(", ")} read before written`);
  if (pops > 0) basis.push(`returns remove ${String(pops)} bytes of arguments`);
  else if (stack > 0) basis.push("stack arguments are read and returns leave them to the caller");
  if (reads.general & 1) return { name: undefined, basis: [...basis, `${file.general[0] ?? ""} read before written: a convention of its own`] };
  if (registers >= 2) return { name: "fastcall", basis };
  if (registers === 1) return { name: pops > 0 || stack === 0 ? "thiscall" : undefined, basis };
  if (pops > file.wordBytes || (pops > 0 && stack > 1)) return { name: "stdcall", basis };
  if (pops > 0) return { name: "stdcall", basis: [...basis, "or cdecl that returns a structure: one word is removed"] };
  return { name: "cdecl", basis };
}
