import { cTypeOf, intType, type CType } from "../print/c-type.js";
import type { Code, Variable } from "../lower/code.js";
import type { Machine } from "../machine-model.js";
import type { Signature, ValueType } from "../ssa/graph.js";
import { AccessPaths, type AccessSource } from "./access-paths.js";
import { EvidenceReader, newEvidence, type Evidence } from "./evidence.js";
import type { RecordType } from "./value-type.js";

const rounds = 4;

interface TypeFacts {
  readonly signature: Signature;
  readonly machine: Machine;
  /** Types that debug information has for locals. */
  readonly stated: ReadonlyMap<Variable, ValueType>;
  readonly typedObject: AccessSource["typedObject"];
}

/** A type for each variable, as it is stated or from its uses: float, pointer to what, width, sign. */
export function inferTypes(code: Code, facts: TypeFacts): ReadonlyMap<Variable, CType> {
  const { signature } = facts;
  let types = new Map<Variable, CType>();
  const unlike = new Map<Variable, Set<RecordType>>();
  for (let round = 0; round < rounds; round += 1) {
    const evidence = new Map<Variable, Evidence>();
    const known = types;
    const paths = new AccessPaths({ variableType: (def) => known.get(code.variableOf(def)), typedObject: facts.typedObject });
    const reader = new EvidenceReader(code, { evidence, isPointer: (variable) => known.get(variable)?.kind === "pointer", paths, unlike });
    reader.run(signature.result);
    // What copies share is seen from both sides; once more over the same evidence lets it spread.
    reader.run(signature.result);
    types = new Map();
    for (const variable of [...code.parameters, ...code.variables]) types.set(variable, typeFor(variable, { evidence, known, facts, unlike: unlike.get(variable) }));
  }
  return types;
}

interface Known {
  readonly evidence: ReadonlyMap<Variable, Evidence>;
  readonly known: ReadonlyMap<Variable, CType>;
  readonly facts: TypeFacts;
  readonly unlike: ReadonlySet<RecordType> | undefined;
}

function typeFor(variable: Variable, { evidence, known, unlike, facts }: Known): CType {
  const own = evidence.get(variable) ?? newEvidence();
  const { bits } = variable;
  const isVector = isVectorPlace(variable, facts.machine);
  const given = variable.parameter === undefined ? undefined : facts.signature.parameters[variable.parameter]?.type;
  if (given?.kind === "float") return { kind: "float", bits: given.bits };
  const stated = facts.signature.source === "debug" && given !== undefined ? parameterType(given, bits) : localType(variable, facts.stated.get(variable), isVector);
  if (stated !== undefined) return stated;
  if (bits > 64) return intType(bits, false);
  const like = [...own.like].flatMap((other) => evidence.get(other) ?? []);
  if (given?.kind !== "int" && holdsFloat([own, ...like], { bits, isVector })) return { kind: "float", bits };
  const pointer = bits === 64 ? pointerType([own, ...like], known, unlike) : undefined;
  return pointer ?? constantType(own, like, bits) ?? intType(bits, isSigned([own, ...like], bits));
}

function holdsFloat(all: readonly [Evidence, ...Evidence[]], { bits, isVector }: { readonly bits: number; readonly isVector: boolean }): boolean {
  if (bits !== 32 && bits !== 64) return false;
  return all.some(isFloat) || (isVector && all[0].integer === 0);
}

/** Not of a number that stands where numbers of that kind do not: the value is another local's then. */
function localType({ bits }: Variable, local: ValueType | undefined, isVector: boolean): CType | undefined {
  return local === undefined || (local.kind === "float") !== isVector ? undefined : statedType(local, bits);
}

function isFloat({ float, integer, signed, unsigned }: Evidence): boolean {
  return float > integer + signed + unsigned;
}

function isSigned(all: readonly Evidence[], bits: number): boolean {
  const signed = all.reduce((sum, each) => sum + each.signed, 0);
  const unsigned = all.reduce((sum, each) => sum + each.unsigned, 0);
  return bits >= 32 ? signed >= unsigned : signed > unsigned;
}

/** As declared, also where the code looks at the low bits only. */
function parameterType(given: ValueType, bits: number): CType | undefined {
  return given.kind === "int" && given.bits > bits ? cTypeOf(given) : statedType(given, bits);
}

/** What debug information says of a variable, where it is as wide as what the code has. */
function statedType(given: ValueType, bits: number): CType | undefined {
  if (given.kind === "int" || given.kind === "float") return given.bits === bits ? cTypeOf(given) : undefined;
  return given.kind === "pointer" && given.to !== undefined && bits === 64 ? cTypeOf(given) : undefined;
}

function isVectorPlace({ place }: Variable, { vectors: { first, count } }: Machine): boolean {
  return place >= first && place < first + count;
}

/** A constant of an `enum` that nothing is computed with. */
function constantType(own: Evidence, like: readonly Evidence[], bits: number): CType | undefined {
  const [found, other] = [own, ...like].flatMap(({ constants }) => [...constants.values()]);
  return found === undefined || found.type.bits !== bits || own.integer > 0 || (other !== undefined && other.type.names !== found.type.names) ? undefined : found.type;
}

function pointerType([own, ...like]: readonly [Evidence, ...Evidence[]], known: ReadonlyMap<Variable, CType>, unlike: ReadonlySet<RecordType> | undefined): CType | undefined {
  const near = [...own.near, ...own.like].map((variable) => known.get(variable)).find((type) => type?.kind === "pointer");
  const all = [own, ...like];
  const record = mostVoted(all, unlike);
  if (record !== undefined && (own.integer === 0 || own.pointer > 0)) return { kind: "pointer", to: record };
  if (own.pointer === 0 && !like.some(({ pointer }) => pointer > 0) && near === undefined) return undefined;
  if (own.pointer === 0 && own.integer > 0) return undefined;
  const [only, second] = [...elementsOf(all)];
  if (only === undefined) return near ?? { kind: "pointer", to: intType(8, false) };
  if (second !== undefined || only[0] > 64) return { kind: "pointer", to: intType(8, false) };
  return { kind: "pointer", to: elementType(...only) };
}

type Element = ReturnType<Evidence["elements"]["get"]> & {};

function elementsOf(all: readonly Evidence[]): Map<number, Element> {
  const elements = new Map<number, Element>();
  for (const each of all) {
    for (const [bits, element] of each.elements) {
      const sum = elements.get(bits) ?? { float: 0, signed: 0, unsigned: 0, pointer: 0 };
      elements.set(bits, { float: sum.float + element.float, signed: sum.signed + element.signed, unsigned: sum.unsigned + element.unsigned, pointer: sum.pointer + element.pointer });
    }
  }
  return elements;
}

function elementType(bits: number, element: Element): CType {
  if ((bits === 32 || bits === 64) && element.float > element.signed + element.unsigned) return { kind: "float", bits };
  if (bits === 64 && element.pointer > 0) return { kind: "pointer", to: intType(8, false) };
  return intType(bits, element.signed >= element.unsigned);
}

/** The structure that most uses point to; of two the first by tag. */
function mostVoted(all: readonly Evidence[], unlike: ReadonlySet<RecordType> | undefined): RecordType | undefined {
  const votes = new Map<RecordType, number>();
  for (const { records } of all) for (const [record, count] of records) if (unlike?.has(record) !== true) votes.set(record, (votes.get(record) ?? 0) + count);
  return [...votes].sort(([a, x], [b, y]) => y - x || (a.tag < b.tag ? -1 : 1))[0]?.[0];
}
