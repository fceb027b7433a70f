import type { DebugField, DebugInformation, DebugType, TypeId } from "@rea/binary";
import { isFreeConstant, memberName, tagName } from "../decompile/types/declared-names.js";
import { cTypeOf } from "../decompile/print/c-type.js";
import { storedSize, type Enumeration, type RecordField, type RecordType, type StoredType, type ValueType } from "../decompile/types/value-type.js";

const mostFields = 4096;
const mostEnumerators = 512;
/** Types of one name that are told apart by their parts. */
const mostOfOneName = 128;
const mostHops = 64;
const deepest = 16;

interface Named {
  /** The type's own entry. */
  readonly type: DebugType;
  /** Its own name, or that of the typedef that names it. */
  readonly name: string | undefined;
}

/** Structures, unions and enums of debug information, each layout once under its own tag. */
export class RecordTypes {
  readonly #debug: DebugInformation;
  readonly #valueOf: (id: TypeId | undefined) => ValueType | undefined;
  readonly #records = new Map<string, RecordType | undefined>();
  readonly #enums = new Map<string, Enumeration | undefined>();
  readonly #byTag = new Map<string, RecordType>();
  readonly #enumsByTag = new Map<string, Enumeration>();
  readonly #shapes = new Map<string, readonly string[]>();

  /** `valueOf` tells the types of single values. */
  constructor(debug: DebugInformation, valueOf: (id: TypeId | undefined) => ValueType | undefined) {
    this.#debug = debug;
    this.#valueOf = valueOf;
  }

  /** The structure or union, through names and qualifiers; undefined for other types and for one whose layout is not known. */
  record(id: TypeId | undefined): RecordType | undefined {
    const named = this.#named(id);
    if (named === undefined || !isComposite(named.type)) return undefined;
    const key = `${String(named.type.id)} ${named.name ?? ""}`;
    if (!this.#records.has(key)) this.#records.set(key, this.#makeRecord(named));
    return this.#records.get(key);
  }

  enumeration(id: TypeId | undefined): Enumeration | undefined {
    const named = this.#named(id);
    if (named?.type.kind !== "enum") return undefined;
    const key = `${String(named.type.id)} ${named.name ?? ""}`;
    if (!this.#enums.has(key)) this.#enums.set(key, this.#makeEnumeration(named));
    return this.#enums.get(key);
  }

  /** What stands in memory where something of the type is; undefined where that is not known in full. */
  stored(id: TypeId | undefined, depth = 0): StoredType | undefined {
    const plain = this.#debug.plainType(id);
    if (plain === undefined || depth > deepest) return undefined;
    if (isComposite(plain)) return this.record(id);
    if (plain.kind === "array") return this.#array(plain, depth);
    const value = this.#valueOf(id);
    return value === undefined ? undefined : cTypeOf(value);
  }

  /** The enum of a tag that was handed out. */
  enumOfTag(tag: string): Enumeration | undefined {
    return this.#enumsByTag.get(tag);
  }

  #named(id: TypeId | undefined): Named | undefined {
    let at = id;
    let alias: string | undefined;
    for (let hops = 0; at !== undefined && hops < mostHops; hops += 1) {
      const type = this.#debug.type(at);
      if (type === undefined) return undefined;
      if (type.kind === "typedef") alias = type.name;
      else if (!qualifiers.has(type.kind)) return { type, name: type.name ?? alias };
      at = type.to;
    }
    return undefined;
  }

  #makeRecord(named: Named): RecordType | undefined {
    const { type, name } = this.#defined(named) ?? named;
    const { size } = type;
    if (type.isDeclaration || size === undefined || size === 0 || size > 1 << 28) return undefined;
    const shape = this.#shapeOf(type);
    const tag = this.#tagFor(type, name, shape);
    const known = this.#byTag.get(tag);
    if (known !== undefined) return known;
    const keyword = type.kind === "union" ? "union" : "struct";
    let fields: readonly RecordField[] | undefined;
    const record: RecordType = { kind: "record", keyword, tag, sizeBytes: size, isOfHeader: false, fields: () => (fields ??= this.#fields(type.id, { keyword, size })) };
    this.#byTag.set(tag, record);
    return record;
  }

  /** For a type that is only declared: its definition, where the file has one of the name. */
  #defined({ type, name }: Named): Named | undefined {
    if (!type.isDeclaration || name === undefined) return undefined;
    const found = this.#sameNamed(name);
    return new Set(found.map((each) => this.#shapeOf(each))).size === 1 && found[0] !== undefined ? { type: found[0], name } : undefined;
  }

  #sameNamed(name: string): DebugType[] {
    return this.#debug.typesNamed(name).slice(0, mostOfOneName).flatMap((id) => {
      const plain = this.#debug.plainType(id);
      return plain !== undefined && !plain.isDeclaration && (isComposite(plain) || plain.kind === "enum") ? [plain] : [];
    });
  }

  /** The first layout of a name has the name for its tag, others a number behind it, by the order of the file. */
  #tagFor(type: DebugType, name: string | undefined, shape: string): string {
    if (name === undefined) return `anon_${type.id.toString(16)}`;
    let shapes = this.#shapes.get(name);
    if (shapes === undefined) this.#shapes.set(name, (shapes = [...new Set(this.#sameNamed(name).map((each) => this.#shapeOf(each)))]));
    const position = shapes.indexOf(shape);
    if (position < 0) return `${tagName(name)}_${type.id.toString(16)}`;
    return position === 0 ? tagName(name) : `${tagName(name)}_v${String(position + 1)}`;
  }

  #shapeOf(type: DebugType): string {
    if (type.kind === "enum") return JSON.stringify(["enum", type.size, this.#debug.enumerators(type.id, mostEnumerators).map(({ name, value }) => [name, value.toString()])]);
    const fields = this.#debug.fields(type.id, mostFields);
    return JSON.stringify([type.kind === "union", type.size, fields.map(({ name, offset, bits, type: part }) => [name, offset, bits?.from, bits?.count, this.#debug.typeText(part)])]);
  }

  #fields(id: TypeId, { keyword, size }: { readonly keyword: "struct" | "union"; readonly size: number }): readonly RecordField[] {
    const names = new Set<string>();
    const found = this.#debug.fields(id, mostFields).flatMap((field) => this.#field(field, size) ?? []);
    found.sort((a, b) => a.offset - b.offset);
    const placed: RecordField[] = [];
    let end = 0;
    for (const [index, field] of found.entries()) {
      const isOver = keyword === "struct" ? field.offset < end : field.offset !== 0;
      const isEndless = field.sizeBytes === 0;
      if (isOver || (isEndless && (keyword === "union" || index !== found.length - 1))) continue;
      end = Math.max(end, field.offset + field.sizeBytes);
      placed.push({ ...field, name: free(field.name, names) });
    }
    return placed;
  }

  #field({ name, type, offset, bits, role }: DebugField, recordSize: number): RecordField | undefined {
    if (offset === undefined || offset < 0 || bits !== undefined || (role !== "member" && role !== "base")) return undefined;
    const stored = this.stored(type) ?? opaque(this.#debug.sizeOf(type));
    if (stored === undefined) return undefined;
    const sizeBytes = storedSize(stored);
    if (offset + sizeBytes > recordSize || (sizeBytes === 0 && (stored.kind !== "array" || stored.count !== undefined))) return undefined;
    return { name: shownName({ name, role, offset }), offset, sizeBytes, type: stored };
  }

  #array(type: DebugType, depth: number): StoredType | undefined {
    const element = this.stored(type.to, depth + 1);
    if (element === undefined || storedSize(element) === 0) return undefined;
    const dimensions = this.#debug.dimensions(type.id);
    let made: StoredType = element;
    for (const [position, count] of [...dimensions].reverse().entries()) {
      const isFirst = position === dimensions.length - 1;
      const isEndless = count === undefined || count === 0;
      if (isEndless && !isFirst) return undefined;
      made = { kind: "array", of: made, count: isEndless ? undefined : count };
    }
    return made;
  }

  #makeEnumeration({ type, name }: Named): Enumeration | undefined {
    const all = this.#debug.enumerators(type.id, mostEnumerators + 1);
    if (all.length === 0 || all.length > mostEnumerators) return undefined;
    const tag = this.#tagFor(type, name, this.#shapeOf(type));
    const known = this.#enumsByTag.get(tag);
    if (known !== undefined) return known;
    const names = new Map<bigint, string>();
    for (const each of all) if (!names.has(each.value) && isFreeConstant(each.name)) names.set(each.value, each.name);
    // Without negative values gcc and clang take an unsigned int, with some an int.
    const signed = all.some(({ value }) => value < 0n);
    const fits = all.every(({ value }) => value >= -0x80000000n && value <= (signed ? 0x7fffffffn : 0xffffffffn));
    const isNamed = names.size === new Set(all.map(({ value }) => value)).size;
    const found: Enumeration = { tag, names, isWhole: this.#debug.sizeOf(type.id) === 4 && fits && isNamed };
    this.#enumsByTag.set(tag, found);
    return found;
  }
}

const qualifiers: ReadonlySet<string> = new Set(["const", "volatile", "restrict", "atomic"]);

function isComposite({ kind }: DebugType): boolean {
  return kind === "struct" || kind === "class" || kind === "union";
}

/** The name of the source, else one by its place. */
function shownName({ name, role, offset }: { readonly name: string | undefined; readonly role: DebugField["role"]; readonly offset: number }): string {
  if (role === "base") return `base_${String(offset)}`;
  return (name === undefined ? undefined : memberName(name)) ?? `m_${String(offset)}`;
}

/** Bytes of which only their number is known. */
function opaque(size: number | undefined): StoredType | undefined {
  return size === undefined || size === 0 ? undefined : { kind: "array", of: { kind: "int", bits: 8, signed: false }, count: size };
}

function free(name: string, taken: Set<string>): string {
  let made = name;
  for (let number = 2; taken.has(made); number += 1) made = `${name}_${String(number)}`;
  taken.add(made);
  return made;
}
