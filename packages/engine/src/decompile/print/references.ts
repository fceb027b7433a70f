import { typedVariableAt } from "../../debug-types/typed-objects.js";
import { libraryFunction } from "../calls/library.js";
import type { ProgramView } from "../program/program-view.js";
import type { Signature } from "../ssa/graph.js";
import type { Enumeration, RecordType, StoredType } from "../types/value-type.js";
import { cTypeOf, declared, i32, intType, typeText, type CType } from "./c-type.js";
import { stringLiteral } from "./literals.js";
import { primary, type Printed } from "./printed.js";
import { resultRecord } from "./result-record.js";

/** What a text refers to beside its own variables. */
export interface Referenced {
  readonly headers: ReadonlySet<string>;
  /** Functions of the program by entry, with the name they are called by. */
  readonly functions: ReadonlyMap<number, string>;
  /** Of those that are called with known types: how they are declared. */
  readonly prototypes: ReadonlyMap<number, string>;
  /** Functions of other files that no known header declares. */
  readonly foreign: ReadonlySet<string>;
  readonly objects: ReadonlyMap<string, ReferencedObject>;
  /** Functions of `rea.h` and named operations. */
  readonly operations: ReadonlySet<string>;
  /** Those whose layout the text needs, with the members it names. */
  readonly records: ReadonlyMap<RecordType, ReadonlySet<string>>;
  /** Constants that are named, by name. */
  readonly constants: ReadonlyMap<string, NamedConstant>;
}

export interface NamedConstant {
  readonly of: Enumeration;
  readonly value: bigint;
}

export interface ReferencedObject {
  readonly name: string;
  readonly va: bigint;
  readonly size: number;
  readonly isImport: boolean;
  /** As debug information has it; undefined for bytes. */
  readonly type?: StoredType | undefined;
}

const bytes: CType = { kind: "pointer", to: intType(8, false) };
const character: CType = { kind: "pointer", to: intType(8, true) };
/** Objects of the C library that its headers declare, with their types in C. */
const knownObjects: Readonly<Record<string, string>> = { stdout: "stdio.h", stdin: "stdio.h", stderr: "stdio.h", environ: "", optarg: "unistd.h", optind: "unistd.h", opterr: "unistd.h", optopt: "unistd.h" };
/** True for objects of the C library that a header declares. */
export function isDeclaredByHeader(name: string): boolean {
  return (knownObjects[name] ?? "") !== "";
}

const unsureBit = 1n << 64n;

/** Names the things at addresses of the image, and remembers which were named. */
export class References implements Referenced {
  readonly headers = new Set<string>();
  readonly functions = new Map<number, string>();
  readonly prototypes = new Map<number, string>();
  readonly foreign = new Set<string>();
  readonly objects = new Map<string, ReferencedObject>();
  readonly operations = new Set<string>();
  readonly records = new Map<RecordType, Set<string>>();
  readonly constants = new Map<string, NamedConstant>();
  readonly #typed = new Map<bigint, ReferencedObject | undefined>();
  readonly #view: ProgramView;
  #literals = true;

  constructor(view: ProgramView) {
    this.#view = view;
  }

  note(name: string): void {
    if (name.startsWith("rea_")) this.operations.add(name);
    else if (libraryFunction(name) !== undefined) this.function(name, undefined);
  }

  /** A name as C allows it. */
  plain(name: string): string {
    const made = name.replace(/[^A-Za-z0-9_]/g, "_");
    return /^[0-9]/.test(made) || made === "" ? `_${made}` : made;
  }

  function(name: string, entry: number | undefined): void {
    if (entry !== undefined) {
      this.functions.set(entry, this.plain(name));
      return;
    }
    const known = libraryFunction(name);
    if (known === undefined || known.header === "") this.foreign.add(name);
    else this.headers.add(known.header);
  }

  /** How a function of the program is declared for its calls; the first call decides. */
  prototype(entry: number, signature: Signature): void {
    const { parameters, result, variadic, source } = signature;
    const name = this.functions.get(entry);
    if (name === undefined || variadic || source === "guess" || this.prototypes.has(entry)) return;
    const types = parameters.map(({ type }) => cTypeOf(type) ?? i32).map(typeText);
    const returned = cTypeOf(result);
    const declaredAs = `${name}(${types.length === 0 ? "void" : types.join(", ")})`;
    const record = resultRecord(signature);
    if (record !== undefined) this.prototypes.set(entry, `${record.type} ${declaredAs}`);
    else this.prototypes.set(entry, returned === undefined ? `void ${declaredAs}` : declared(returned, declaredAs));
  }

  /** Addresses are named as places meanwhile: what is behind the end of a text there counts too. */
  asPlaces<T>(write: () => T): T {
    this.#literals = false;
    try {
      return write();
    } finally {
      this.#literals = true;
    }
  }

  unknownFunction(rva: number): string {
    const name = `sub_${(this.#view.base + BigInt(rva)).toString(16)}`;
    this.functions.set(rva, name);
    return name;
  }

  /** `reach`: how far behind the address is read at most. A text is written as one only where that stays inside it. */
  address(given: bigint, reach = 0n): Printed | undefined {
    const isUnsure = given >= unsureBit;
    const value = BigInt.asUintN(64, given);
    if (isUnsure && (this.#view.isPositionIndependent || value < 0x10000n)) return undefined;
    if (!this.#view.isMapped(value)) return undefined;
    const text = this.#literals ? this.#view.stringAt(value) : undefined;
    const object = this.#view.objectAt(value);
    if (text !== undefined && BigInt(text.length) >= reach && (object === undefined || text.length > 0) && !(isUnsure && text.length < 2)) {
      if (object === undefined || text.length > 2) return primary(stringLiteral(text), character);
    }
    return this.#functionAt(value) ?? this.#objectAddress(value);
  }

  #functionAt(value: bigint): Printed | undefined {
    const rva = this.#view.program.toRva(value);
    const fn = rva === undefined ? undefined : this.#view.program.functionAt(rva);
    if (fn === undefined) return undefined;
    const imported = this.#view.importedName(fn);
    const name = imported ?? this.#view.nameOf(fn);
    this.function(name, imported === undefined ? fn.entry : undefined);
    return primary(this.plain(name), { kind: "pointer", to: undefined });
  }

  #objectAddress(value: bigint): Printed | undefined {
    const typed = this.typedObject(value);
    if (typed !== undefined) return this.#typedAddress(typed, value - typed.va);
    const object = this.#view.objectAt(value) ?? this.#wholeSection(value);
    if (object === undefined) return undefined;
    const name = this.plain(object.name);
    this.objects.set(name, { ...object, name });
    if (object.isImport) this.#known(name);
    const offset = value - object.va;
    const base = object.isImport || knownObjects[name] !== undefined ? `(uint8_t *)&${name}` : name;
    return offset === 0n ? { text: base, level: base === name ? 14 : 13, type: bytes, valid: 64 } : { text: `${base} + ${String(offset)}`, level: 11, type: bytes, valid: 64 };
  }

  #typedAddress({ name, type }: ReferencedObject, offset: bigint): Printed {
    const base = this.nameObject(name);
    const start = type?.kind === "array" ? `(uint8_t *)${base}` : `(uint8_t *)&${base}`;
    return offset === 0n ? { text: start, level: 13, type: bytes, valid: 64 } : { text: `${start} + ${String(offset)}`, level: 11, type: bytes, valid: 64 };
  }

  /** The object that covers an address, where its type is known. */
  typedObject(value: bigint): (ReferencedObject & { readonly type: StoredType }) | undefined {
    const object = this.#view.objectAt(value);
    if (object === undefined || object.isImport || knownObjects[this.plain(object.name)] !== undefined) return undefined;
    if (!this.#typed.has(object.va)) {
      const variable = typedVariableAt(this.#view.program, object.va);
      const isSame = variable?.va === object.va && variable.sizeBytes === object.size;
      this.#typed.set(object.va, isSame ? { ...object, name: this.plain(object.name), type: variable.type } : undefined);
    }
    const found = this.#typed.get(object.va);
    return found?.type === undefined ? undefined : { ...found, type: found.type };
  }

  record(record: RecordType, member: string | undefined): void {
    const members = this.records.get(record) ?? new Set();
    this.records.set(record, members);
    if (member !== undefined) members.add(member);
  }

  /** Notes that an object whose type is known is used. */
  nameObject(name: string): string {
    if (!this.objects.has(name)) for (const object of this.#typed.values()) if (object?.name === name) this.objects.set(name, object);
    return name;
  }

  /** The constant of an `enum` for a value, unless the text already means something else by its name. */
  constantName(of: Enumeration, value: bigint): string | undefined {
    const name = of.names.get(value);
    if (name === undefined || libraryFunction(name) !== undefined || this.#view.isNamed(name)) return undefined;
    const known = this.constants.get(name);
    if (known !== undefined && known.of !== of) return known.value === value ? name : undefined;
    this.constants.set(name, { of, value });
    return name;
  }

  #known(name: string): void {
    const header = knownObjects[name];
    if (header !== undefined && header !== "") this.headers.add(header);
  }

  /** Where no symbol says what an object is, the section is one. */
  #wholeSection(value: bigint): ReferencedObject | undefined {
    const section = this.#view.sectionAt(value);
    if (section === undefined || section.size > largestSection) return undefined;
    return { name: `section${section.name}`, va: section.va, size: section.size, isImport: false };
  }

  /** Objects of the C library that are read whole by name. */
  object(given: bigint, bits: number): Printed | undefined {
    const value = BigInt.asUintN(64, given);
    const object = this.#view.objectAt(value);
    if (object === undefined || object.va !== value || object.size * 8 !== bits) return undefined;
    const name = this.plain(object.name);
    if (knownObjects[name] === undefined) return undefined;
    this.objects.set(name, { ...object, name, isImport: true });
    this.#known(name);
    return bits === 64 ? primary(name, { kind: "pointer", to: undefined }) : primary(name, intType(bits, true));
  }
}

const largestSection = 1 << 20;
