import { cTypeOf, intType, type CType } from "../print/c-type.js";
import type { Code, Variable } from "../lower/code.js";
import type { Machine } from "../machine-model.js";
import type { Signature, ValueType } from "../ssa/graph.js";
import { EvidenceReader, newEvidence, type Evidence } from "./evidence.js";

const rounds = 4;

/** A type for each variable, from its uses: float, pointer to what, width, sign. */
export function inferTypes(code: Code, signature: Signature, machine: Machine): ReadonlyMap<Variable, CType> {
  let types = new Map<Variable, CType>();
  for (let round = 0; round < rounds; round += 1) {
    const evidence = new Map<Variable, Evidence>();
    const known = types;
    const reader = new EvidenceReader(code, evidence, (variable) => known.get(variable)?.kind === "pointer");
    reader.run(signature.result);
    // What copies share is seen from both sides; once more over the same evidence lets it spread.
    reader.run(signature.result);
    types = new Map();
    for (const variable of [...code.parameters, ...code.variables]) types.set(variable, typeFor(variable, { evidence, known, signature, machine }));
  }
  return types;
}

interface Known {
  readonly evidence: ReadonlyMap<Variable, Evidence>;
  readonly known: ReadonlyMap<Variable, CType>;
  readonly signature: Signature;
  readonly machine: Machine;
}

function typeFor(variable: Variable, { evidence, known, signature, machine }: Known): CType {
  const own = evidence.get(variable) ?? newEvidence();
  const given = variable.parameter === undefined ? undefined : signature.parameters[variable.parameter]?.type;
  if (given?.kind === "float") return { kind: "float", bits: given.bits };
  const bits = variable.bits;
  const stated = signature.source === "debug" && given !== undefined ? statedType(given, bits) : undefined;
  if (stated !== undefined) return stated;
  if (bits > 64) return intType(bits, false);
  const like = [...own.like].flatMap((other) => evidence.get(other) ?? []);
  const canBeFloat = (bits === 32 || bits === 64) && given?.kind !== "int";
  if (canBeFloat && (isFloat(own) || like.some(isFloat) || (isVectorPlace(variable, machine) && own.integer === 0))) return { kind: "float", bits };
  const pointer = bits === 64 ? pointerType(own, like, known) : undefined;
  return pointer ?? intType(bits, isSigned([own, ...like], bits));
}

function isFloat({ float, integer, signed, unsigned }: Evidence): boolean {
  return float > integer + signed + unsigned;
}

function isSigned(all: readonly Evidence[], bits: number): boolean {
  const signed = all.reduce((sum, each) => sum + each.signed, 0);
  const unsigned = all.reduce((sum, each) => sum + each.unsigned, 0);
  return bits >= 32 ? signed >= unsigned : signed > unsigned;
}

/** What debug information says of a parameter, where it is as wide as what the code has; not of pointers to what has many parts. */
function statedType(given: ValueType, bits: number): CType | undefined {
  if (given.kind === "int") return given.bits === bits ? cTypeOf(given) : undefined;
  return given.kind === "pointer" && given.to !== undefined && bits === 64 ? cTypeOf(given) : undefined;
}

function isVectorPlace({ place }: Variable, { vectors: { first, count } }: Machine): boolean {
  return place >= first && place < first + count;
}

function pointerType(own: Evidence, like: readonly Evidence[], known: ReadonlyMap<Variable, CType>): CType | undefined {
  const near = [...own.near, ...own.like].map((variable) => known.get(variable)).find((type) => type?.kind === "pointer");
  const all = [own, ...like];
  if (own.pointer === 0 && !like.some(({ pointer }) => pointer > 0) && near === undefined) return undefined;
  if (own.pointer === 0 && own.integer > 0) return undefined;
  const elements = new Map<number, { float: number; signed: number; unsigned: number; pointer: number }>();
  for (const each of all) {
    for (const [bits, element] of each.elements) {
      const sum = elements.get(bits) ?? { float: 0, signed: 0, unsigned: 0, pointer: 0 };
      elements.set(bits, { float: sum.float + element.float, signed: sum.signed + element.signed, unsigned: sum.unsigned + element.unsigned, pointer: sum.pointer + element.pointer });
    }
  }
  const [only, second] = [...elements];
  if (only === undefined) return near ?? { kind: "pointer", to: intType(8, false) };
  if (second !== undefined || only[0] > 64) return { kind: "pointer", to: intType(8, false) };
  const [bits, element] = only;
  if ((bits === 32 || bits === 64) && element.float > element.signed + element.unsigned) return { kind: "pointer", to: { kind: "float", bits } };
  if (bits === 64 && element.pointer > 0) return { kind: "pointer", to: { kind: "pointer", to: intType(8, false) } };
  return { kind: "pointer", to: intType(bits, element.signed >= element.unsigned) };
}
