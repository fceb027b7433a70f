import type { Definition, Expr } from "../../ir/expression.js";
import { addressParts, scaled } from "./address-parts.js";
import { storedSize, type ArrayType, type CType, type RecordField, type RecordType, type StoredType } from "./value-type.js";

/** One step from a place into what it is made of. */
export type Step =
  | { readonly kind: "field"; readonly field: RecordField }
  /** Elements from the first on: the sum of the terms and the number. */
  | { readonly kind: "index"; readonly terms: readonly Expr[]; readonly by: number };

/** A place in memory as a way from a pointer, or from an object at a fixed address. */
export interface AccessPath<T extends StoredType = StoredType> {
  readonly base: { readonly kind: "pointer"; readonly expr: Expr; readonly to: CType | RecordType } | { readonly kind: "object"; readonly name: string; readonly type: StoredType };
  readonly steps: readonly Step[];
  readonly type: T;
}

export interface AccessSource {
  /** The type of the variable that a value stands in; undefined for what is no plain variable. */
  variableType(def: Definition): CType | undefined;
  /** The object whose type is known that covers an address. */
  typedObject(address: bigint): { readonly name: string; readonly va: bigint; readonly type: StoredType } | undefined;
}

/** What an access asks of the place it ends at. */
interface Wanted {
  readonly fits: (type: CType) => boolean;
  /** Ends at a whole array or record that starts there, as an address may. */
  readonly whole: boolean;
}

/** Finds named places behind addresses: an access is named only where place and width are exactly those of a member or element. */
export class AccessPaths {
  readonly #source: AccessSource;

  constructor(source: AccessSource) {
    this.#source = source;
  }

  /** The value of that width at an address. */
  value(address: Expr, bits: number, isFloat: boolean | undefined): AccessPath<CType> | undefined {
    const has = (type: CType): boolean => storedSize(type) * 8 === bits;
    const alike = this.#path(address, { whole: false, fits: (type) => has(type) && (type.kind === "float") === (isFloat === true) });
    const found = alike ?? (isFloat === true ? undefined : this.#path(address, { whole: false, fits: has }));
    if (found === undefined || found.type.kind === "record" || found.type.kind === "array") return undefined;
    return { ...found, type: found.type };
  }

  /** What starts at an address; undefined where that is no more than the address itself says. */
  place(address: Expr): AccessPath | undefined {
    const found = this.#path(address, { whole: true, fits: () => true });
    return found === undefined || (found.base.kind === "pointer" && found.steps.every(({ kind }) => kind === "index")) ? undefined : found;
  }

  /** What an address points to: by its own type, or as a place in something that has one. */
  pointee(expr: Expr): CType | RecordType | undefined {
    if (expr.kind !== "op" && expr.kind !== "const") return this.target(expr);
    let type = this.#path(expr, { whole: true, fits: () => true })?.type;
    while (type?.kind === "array") type = type.of;
    return type;
  }

  /** What a value points to, as far as its own type says. */
  target(expr: Expr): CType | RecordType | undefined {
    const type = this.typeOf(expr);
    return type?.kind === "pointer" ? type.to : undefined;
  }

  /** The type of a variable or of what is loaded. */
  typeOf(expr: Expr): CType | undefined {
    if (expr.kind === "use") return this.#source.variableType(expr.def);
    return expr.kind === "load" ? this.value(expr.address, expr.bits, undefined)?.type : undefined;
  }

  #path(address: Expr, wanted: Wanted): AccessPath | undefined {
    const { terms, offset, address: fixed } = addressParts(address);
    if (fixed !== undefined) {
      const object = this.#source.typedObject(fixed.value + BigInt(terms.length === 0 ? offset : 0));
      if (object === undefined) return undefined;
      const found = within(object.type, { offset: Number(fixed.value - object.va) + offset, terms }, wanted);
      return found === undefined ? undefined : { base: { kind: "object", name: object.name, type: object.type }, ...found };
    }
    for (const term of terms) {
      const to = this.target(term);
      if (to === undefined || storedSize(to) === 0) continue;
      const found = behind(to, { offset, terms: terms.filter((each) => each !== term) }, wanted);
      if (found !== undefined) return { base: { kind: "pointer", expr: term, to }, ...found };
    }
    return undefined;
  }
}

interface Rest {
  readonly offset: number;
  readonly terms: readonly Expr[];
}

type Found = Pick<AccessPath, "steps" | "type">;

/** From a pointer: its target and others of the kind behind it. */
function behind(to: CType | RecordType, rest: Rest, wanted: Wanted): Found | undefined {
  const isOther = to.kind === "record" && rest.offset < 0;
  return isOther ? undefined : inArray({ kind: "array", of: to, count: undefined }, rest, wanted);
}

function within(type: StoredType, rest: Rest, wanted: Wanted): Found | undefined {
  const { offset, terms } = rest;
  const isHere = offset === 0 && terms.length === 0;
  if (isHere && wanted.whole) return { steps: [], type };
  switch (type.kind) {
    case "record":
      return inRecord(type, rest, wanted);
    case "array":
      return inArray(type, rest, wanted);
    default:
      return isHere && wanted.fits(type) ? { steps: [], type } : undefined;
  }
}

function inRecord(type: RecordType, { offset, terms }: Rest, wanted: Wanted): Found | undefined {
  for (const field of type.fields()) {
    const isEndless = field.sizeBytes === 0;
    if (offset < field.offset || (!isEndless && offset >= field.offset + field.sizeBytes)) continue;
    const found = within(field.type, { offset: offset - field.offset, terms }, wanted);
    if (found !== undefined) return { ...found, steps: [{ kind: "field", field }, ...found.steps] };
  }
  return undefined;
}

function inArray({ of, count }: ArrayType, { offset, terms }: Rest, wanted: Wanted): Found | undefined {
  const size = storedSize(of);
  const own = terms.filter((term) => scaled(term, size) !== undefined);
  const by = Math.floor(offset / size);
  // Far from the start of one array may be short before the start of the next, counted backwards.
  if (count !== undefined && (own.length > 0 ? by * 2 > count : by >= count)) return undefined;
  const found = within(of, { offset: offset - by * size, terms: terms.filter((term) => !own.includes(term)) }, wanted);
  if (found === undefined) return undefined;
  return { ...found, steps: [{ kind: "index", by, terms: own.flatMap((term) => scaled(term, size) ?? []) }, ...found.steps] };
}
