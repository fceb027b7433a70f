import type { MetadataMemory, MetadataPointer } from "../metadata-memory.js";
import { readIvars, readMethods, readProperties, readProtocolNames } from "./lists.js";
import type { ObjcCategory, ObjcClass, ObjcProtocol } from "./model.js";

const rootFlag = 2;

/** Offsets inside `class_ro_t`; the 64-bit form has a reserved word after the sizes. */
interface ReadOnlyLayout {
  readonly name: bigint;
  readonly methods: bigint;
  readonly protocols: bigint;
  readonly ivars: bigint;
  readonly properties: bigint;
}

const wideLayout: ReadOnlyLayout = { name: 24n, methods: 32n, protocols: 40n, ivars: 48n, properties: 64n };
const narrowLayout: ReadOnlyLayout = { name: 16n, methods: 20n, protocols: 24n, ivars: 28n, properties: 36n };

/** Reads `class_t`, its metaclass and `class_ro_t` (objc4 runtime headers). Names of classes are looked up once. */
export class ClassReader {
  readonly #memory: MetadataMemory;
  readonly #layout: ReadOnlyLayout;
  readonly #step: bigint;
  readonly #names = new Map<bigint, string | undefined>();

  constructor(memory: MetadataMemory) {
    this.#memory = memory;
    this.#layout = memory.pointerSize === 8 ? wideLayout : narrowLayout;
    this.#step = BigInt(memory.pointerSize);
  }

  /** The class at an address; undefined, with a finding, when it cannot be read. */
  class(va: bigint): ObjcClass | undefined {
    return this.#memory.attempt("objc classes", va, () => this.#class(va));
  }

  /** Name of the class a pointer leads to, in this image or another. */
  nameBehind({ va, symbol }: MetadataPointer): string | undefined {
    if (va === undefined) return symbol?.replace(/^_?OBJC_(?:META)?CLASS_\$_/, "");
    if (this.#names.has(va)) return this.#names.get(va);
    const name = this.#memory.attempt("objc classes", va, () => this.#name(this.#data(va).va));
    this.#names.set(va, name);
    return name;
  }

  category(va: bigint): ObjcCategory | undefined {
    const memory = this.#memory;
    return memory.attempt("objc categories", va, () => {
      const field = (index: bigint) => memory.pointer(va + this.#step * index);
      const name = memory.textBehind(field(0n));
      if (name === undefined) return undefined;
      return {
        name,
        className: this.nameBehind(field(1n)),
        methods: [
          ...readMethods(memory, field(2n).va, { scope: "instance" }),
          ...readMethods(memory, field(3n).va, { scope: "class" }),
        ],
        protocols: readProtocolNames(memory, field(4n).va),
        properties: readProperties(memory, field(5n).va, "instance"),
        place: memory.place(va),
      };
    });
  }

  protocol(va: bigint): ObjcProtocol | undefined {
    const memory = this.#memory;
    return memory.attempt("objc protocols", va, () => {
      const field = (index: bigint) => memory.pointer(va + this.#step * index);
      const name = memory.textBehind(field(1n));
      if (name === undefined) return undefined;
      const methods = (index: bigint, scope: "instance" | "class", optional: boolean) =>
        readMethods(memory, field(index).va, { scope, optional });
      return {
        name,
        protocols: readProtocolNames(memory, field(2n).va),
        methods: [
          ...methods(3n, "instance", false),
          ...methods(4n, "class", false),
          ...methods(5n, "instance", true),
          ...methods(6n, "class", true),
        ],
        properties: readProperties(memory, field(7n).va, "instance"),
        place: memory.place(va),
      };
    });
  }

  #class(va: bigint): ObjcClass | undefined {
    const memory = this.#memory;
    const data = this.#data(va);
    const name = this.#name(data.va);
    if (name === undefined || data.va === undefined) return undefined;
    const at = data.va;
    const root = (memory.u32(at) & rootFlag) !== 0;
    const list = (offset: bigint) => memory.pointer(at + offset).va;
    const meta = this.#metaData(va);
    const metaList = (offset: bigint) => (meta === undefined ? undefined : memory.pointer(meta + offset).va);
    return {
      name,
      superclass: root ? undefined : this.nameBehind(memory.pointer(va + this.#step)),
      root,
      swift: data.swift,
      instanceSize: memory.u32(at + 8n),
      methods: [
        ...readMethods(memory, list(this.#layout.methods), { scope: "instance" }),
        ...readMethods(memory, metaList(this.#layout.methods), { scope: "class" }),
      ],
      ivars: readIvars(memory, list(this.#layout.ivars)),
      properties: [
        ...readProperties(memory, list(this.#layout.properties), "instance"),
        ...readProperties(memory, metaList(this.#layout.properties), "class"),
      ],
      protocols: readProtocolNames(memory, list(this.#layout.protocols)),
      place: memory.place(va),
    };
  }

  /** `class_ro_t` of the class that `isa` leads to. */
  #metaData(va: bigint): bigint | undefined {
    return this.#memory.attempt("objc metaclasses", va, () => {
      const meta = this.#memory.pointer(va).va;
      const data = meta === undefined ? undefined : this.#data(meta).va;
      // Read here, so that a pointer to nowhere spoils the metaclass only.
      if (data !== undefined) this.#memory.u32(data + this.#layout.properties);
      return data;
    });
  }

  /** The `data` pointer; its low bits are flags, of which the first two mark Swift. */
  #data(va: bigint): { readonly va: bigint | undefined; readonly swift: boolean } {
    const { va: bits } = this.#memory.pointer(va + this.#step * 4n);
    const mask = this.#step - 1n;
    return bits === undefined ? { va: undefined, swift: false } : { va: bits & ~mask, swift: (bits & 3n) !== 0n };
  }

  #name(data: bigint | undefined): string | undefined {
    return data === undefined ? undefined : this.#memory.textBehind(this.#memory.pointer(data + this.#layout.name));
  }
}
