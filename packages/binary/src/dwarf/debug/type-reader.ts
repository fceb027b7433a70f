import { RecentMap } from "./recent-map.js";
import type { DebugEnumerator, DebugField, DebugType, DebugTypeKind, TypeId } from "./debug-type.js";
import { attribute, tag } from "./dwarf-numbers.js";
import { isFlagged, numberOf, type Entries, type Entry } from "./entries.js";
import { memberPlace } from "./member-place.js";

const kinds = new Map<number, DebugTypeKind>([
  [tag.baseType, "base"], [tag.structureType, "struct"], [tag.classType, "class"], [tag.unionType, "union"], [tag.interfaceType, "interface"], [tag.enumerationType, "enum"], [tag.typedef, "typedef"],
  [tag.pointerType, "pointer"], [tag.referenceType, "reference"], [tag.rvalueReferenceType, "rvalue_reference"], [tag.pointerToMember, "member_pointer"], [tag.arrayType, "array"],
  [tag.subroutineType, "function"], [tag.constType, "const"], [tag.volatileType, "volatile"], [tag.restrictType, "restrict"], [tag.atomicType, "atomic"], [tag.subrangeType, "subrange"],
  [tag.setType, "set"], [tag.stringType, "string"], [tag.unspecifiedType, "unspecified"], [tag.subprogram, "function"],
]);

/** DW_ATE (DWARF 5 §7.8). */
const encodings = new Map<number, DebugType["encoding"]>([
  [1, "address"], [2, "boolean"], [3, "complex"], [4, "float"], [5, "signed"], [6, "signed_char"], [7, "unsigned"], [8, "unsigned_char"], [0x0f, "decimal"], [0x10, "character"], [0x11, "character"], [0x12, "character"],
]);

const mostParts = 100_000;
const keptTypes = 50_000;

/** Reads types one entry at a time. Damage throws the range error. */
export class TypeReader {
  readonly entries: Entries;
  readonly #types = new RecentMap<TypeId, DebugType>(keptTypes);

  constructor(entries: Entries) {
    this.entries = entries;
  }

  type(id: TypeId): DebugType {
    const known = this.#types.get(id);
    if (known !== undefined) return known;
    const made = this.#read(this.entries.entry(id));
    this.#types.set(id, made);
    return made;
  }

  /** Members with bases and variants, in order; `most` bounds them. */
  fields(id: TypeId, most = mostParts): readonly DebugField[] {
    const found: DebugField[] = [];
    for (const child of this.entries.children(this.entries.entry(id))) {
      if (found.length >= most) break;
      if (child.tag === tag.member && !isStatic(child)) found.push(this.#field(child, "member"));
      else if (child.tag === tag.inheritance) found.push(this.#field(child, "base"));
      else if (child.tag === tag.variantPart) found.push(...this.#variants(child, most - found.length));
    }
    return found;
  }

  enumerators(id: TypeId, most = mostParts): readonly DebugEnumerator[] {
    const found: DebugEnumerator[] = [];
    for (const child of this.entries.children(this.entries.entry(id))) {
      if (found.length >= most) break;
      const value = child.attributes.get(attribute.constValue);
      const name = child.tag === tag.enumerator ? this.entries.textOf(child, attribute.name) : undefined;
      if (name === undefined || value?.kind !== "constant") continue;
      // Forms of fixed size leave the sign open; what is written with few bytes is small.
      found.push({ name, value: value.isSigned ? BigInt.asIntN(64, value.value) : value.value });
    }
    return found;
  }

  /** Lengths of an array, outermost first; undefined where the program decides. */
  dimensions(id: TypeId): readonly (number | undefined)[] {
    const found: (number | undefined)[] = [];
    for (const child of this.entries.children(this.entries.entry(id))) {
      if (child.tag === tag.subrangeType) found.push(dimension(child));
      else if (child.tag === tag.enumerationType) found.push(undefined);
      if (found.length >= 64) break;
    }
    return found.length === 0 ? [undefined] : found;
  }

  /** Types of the parameters of a function type, with whether more may follow. */
  signature(id: TypeId): { readonly parameters: readonly (TypeId | undefined)[]; readonly isVariadic: boolean } {
    const parameters: (TypeId | undefined)[] = [];
    let isVariadic = false;
    for (const child of this.entries.children(this.entries.entry(id))) {
      if (child.tag === tag.formalParameter) parameters.push(this.entries.typeOf(child));
      isVariadic ||= child.tag === tag.unspecifiedParameters;
      if (parameters.length >= 256) break;
    }
    return { parameters, isVariadic };
  }

  #read(entry: Entry): DebugType {
    const { entries } = this;
    const kind = kinds.get(entry.tag) ?? "unspecified";
    const isPointer = kind === "pointer" || kind === "reference" || kind === "rvalue_reference";
    const encoding = numberOf(entry, attribute.encoding);
    return {
      id: entry.id,
      kind,
      name: entries.nameOf(entry),
      size: numberOf(entry, attribute.byteSize) ?? (isPointer ? entry.unit.addressSize : undefined),
      alignment: numberOf(entry, attribute.alignment),
      encoding: encoding === undefined ? undefined : (encodings.get(encoding) ?? "other"),
      to: this.entries.typeOf(entry),
      isDeclaration: isFlagged(entry, attribute.declaration),
    };
  }

  #field(entry: Entry, role: DebugField["role"]): DebugField {
    const { entries } = this;
    const size = numberOf(entry, attribute.byteSize);
    return { name: entries.textOf(entry, attribute.name) || undefined, type: this.entries.typeOf(entry), role, ...memberPlace(entry, entries.littleEndian, size ?? this.#plainSize(entry)) };
  }

  /** Bytes of the declared type of a bit field, through its names. */
  #plainSize(entry: Entry): number | undefined {
    if (!entry.attributes.has(attribute.bitOffset)) return undefined;
    let id = this.entries.typeOf(entry);
    for (let hops = 0; id !== undefined && hops < 32; hops += 1) {
      const type: DebugType = this.type(id);
      if (type.size !== undefined) return type.size;
      id = type.to;
    }
    return undefined;
  }

  #variants(part: Entry, most: number): DebugField[] {
    const found: DebugField[] = [];
    for (const child of this.entries.children(part)) {
      if (found.length >= most) break;
      if (child.tag === tag.member) found.push(this.#field(child, "discriminant"));
      else if (child.tag === tag.variant) for (const inner of this.entries.children(child)) if (inner.tag === tag.member) found.push(this.#field(inner, "variant"));
    }
    return found;
  }
}

/** Static members belong to no object. */
function isStatic(entry: Entry): boolean {
  return isFlagged(entry, attribute.external) || (isFlagged(entry, attribute.declaration) && !entry.attributes.has(attribute.dataMemberLocation));
}

function dimension(entry: Entry): number | undefined {
  const count = entry.attributes.get(attribute.count);
  if (count !== undefined) return numberOf(entry, attribute.count);
  const upper = entry.attributes.get(attribute.upperBound);
  if (upper?.kind !== "constant") return upper === undefined ? 0 : undefined;
  // An upper bound of -1 is an array without elements.
  const bits = 8 * Math.min(8, upper.bytes);
  if (BigInt.asIntN(bits, upper.value) === -1n) return 0;
  const length = Number(upper.value) + 1 - (numberOf(entry, attribute.lowerBound) ?? 0);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}
