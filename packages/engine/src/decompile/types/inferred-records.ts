import { forEachUse, type Expr } from "../../ir/expression.js";
import type { Code, Line, Variable } from "../lower/code.js";
import { addressParts } from "./address-parts.js";
import { AccessReader, type Access } from "./record-accesses.js";
import type { CType, RecordField, RecordType } from "./value-type.js";

const bytes: CType = { kind: "int", bits: 8, signed: false };
const mostBytes = 4096;

/**
 * Structures that nothing names: what is reached from one pointer at several fixed places, in several widths that never
 * overlap. The variables that get one, with their type; a pointer that is also indexed or goes on in other steps gets none.
 */
export function inferredRecords(code: Code, types: ReadonlyMap<Variable, CType>, functionName: string): ReadonlyMap<Variable, CType> {
  const isUntyped = (variable: Variable): boolean => {
    const type = types.get(variable);
    return type?.kind === "pointer" && type.to?.kind === "int" && type.to.bits === 8 && !type.to.signed;
  };
  const accesses = new AccessReader(code, types).read();
  const groups = new Groups(code, isUntyped);
  const found = new Map<Variable, CType>();
  let number = 0;
  for (const group of groups.all([...code.parameters, ...code.variables])) {
    const own = group.flatMap((variable) => accesses.get(variable) ?? []);
    const fields = fieldsOf(own);
    if (fields === undefined) continue;
    const sizeBytes = sizeOf(fields);
    if (!stepsFit(code, new Set(group), sizeBytes)) continue;
    number += 1;
    const tag = `s_${functionName}${number === 1 ? "" : `_${String(number)}`}`;
    const record: RecordType = { kind: "record", keyword: "struct", tag, sizeBytes, isOfHeader: false, isInferred: true, fields: () => members };
    const type: CType = { kind: "pointer", to: record };
    const members = fields.map((field): RecordField => ({ name: `f_${field.offset.toString(16)}`, offset: field.offset, sizeBytes: field.bits / 8, type: memberType(field, { group, types, type }) }));
    for (const variable of group) found.set(variable, type);
  }
  return found;
}

interface Field {
  readonly offset: number;
  readonly bits: number;
  readonly accesses: readonly Access[];
}

/** By offset; undefined where they are no structure: of one width, over each other, or not at their own alignment. */
function fieldsOf(accesses: readonly Access[]): readonly Field[] | undefined {
  if (accesses.length === 0 || accesses.some(({ offset }) => offset === undefined)) return undefined;
  const byOffset = new Map<number, Access[]>();
  for (const access of accesses) {
    const at = access.offset ?? 0;
    byOffset.set(at, [...(byOffset.get(at) ?? []), access]);
  }
  const fields: Field[] = [...byOffset].sort(([a], [b]) => a - b).map(([offset, all]) => ({ offset, bits: all[0]?.bits ?? 0, accesses: all }));
  if (fields.length < 2 || new Set(fields.map(({ bits }) => bits)).size < 2) return undefined;
  let end = 0;
  for (const { offset, bits, accesses: all } of fields) {
    if (offset < end || offset >= mostBytes || ![8, 16, 32, 64].includes(bits) || offset % (bits / 8) !== 0 || all.some((access) => access.bits !== bits)) return undefined;
    end = offset + bits / 8;
  }
  return fields;
}

function sizeOf(fields: readonly Field[]): number {
  const end = Math.max(...fields.map(({ offset, bits }) => offset + bits / 8));
  const alignment = Math.max(...fields.map(({ bits }) => bits / 8));
  return Math.ceil(end / alignment) * alignment;
}

function memberType({ bits, accesses }: Field, { group, types, type }: { readonly group: readonly Variable[]; readonly types: ReadonlyMap<Variable, CType>; readonly type: CType }): CType {
  if ((bits === 32 || bits === 64) && accesses.every(({ isFloat }) => isFloat)) return { kind: "float", bits };
  const into = accesses.flatMap(({ variable }) => variable ?? []);
  if (bits === 64 && into.some((variable) => group.includes(variable))) return type;
  const pointer = into.map((variable) => types.get(variable)).find((each) => each?.kind === "pointer");
  if (bits === 64 && pointer !== undefined) return pointer;
  if (bits === 64 && accesses.some(({ isBase }) => isBase)) return { kind: "pointer", to: bytes };
  return { kind: "int", bits, signed: bits >= 32 };
}

/** A pointer of the group that goes on does so by whole structures. */
function stepsFit(code: Code, group: ReadonlySet<Variable>, sizeBytes: number): boolean {
  const fits = (line: Line): boolean => {
    if (line.kind !== "assign" || !group.has(line.to) || line.value.kind !== "op") return true;
    const { terms, offset } = addressParts(line.value);
    return !terms.some((term) => term.kind === "use" && group.has(code.variableOf(term.def))) || offset % sizeBytes === 0;
  };
  return code.blocks.every(({ lines, edgeLines }) => lines.every(fits) && edgeLines.every((each) => each.every(fits)));
}

/** Variables that are copies of each other. */
class Groups {
  readonly #code: Code;
  readonly #leader = new Map<Variable, Variable>();
  readonly #isUntyped: (variable: Variable) => boolean;

  constructor(code: Code, isUntyped: (variable: Variable) => boolean) {
    this.#code = code;
    this.#isUntyped = isUntyped;
    for (const { lines, edgeLines } of code.blocks) for (const line of [...lines, ...edgeLines.flat()]) this.#line(line);
  }

  /** Whole groups of which every variable is untyped, in the order given. */
  all(variables: readonly Variable[]): Variable[][] {
    const groups = new Map<Variable, Variable[]>();
    for (const variable of new Set(variables)) {
      const leader = this.#of(variable);
      groups.set(leader, [...(groups.get(leader) ?? []), variable]);
    }
    return [...groups.values()].filter((group) => group.every(this.#isUntyped));
  }

  #line(line: Line): void {
    if (line.kind !== "assign") return;
    const from = sourceOf(line.value);
    if (from === undefined) return;
    forEachUse(from, (def) => {
      const [a, b] = [this.#of(line.to), this.#of(this.#code.variableOf(def))];
      if (a !== b) this.#leader.set(a, b);
    });
  }

  #of(variable: Variable): Variable {
    let at = variable;
    for (let next = this.#leader.get(at); next !== undefined; next = this.#leader.get(at)) at = next;
    return at;
  }
}

/** A plain copy, or a step from one element to another. */
function sourceOf(value: Expr): Expr | undefined {
  if (value.kind === "use") return value;
  return value.kind === "op" && value.op === "add" && value.args[0]?.kind === "use" && value.args[1]?.kind === "const" ? value.args[0] : undefined;
}
