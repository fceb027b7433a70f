import { swiftNominalSymbol } from "@rea/core";

import type { MetadataMemory, MetadataPointer } from "../metadata-memory.js";

/** Kinds of context descriptors (Swift ABI, `ContextDescriptorKind`). */
export const contextKind = { module: 0, extension: 1, anonymous: 2, protocol: 3, class: 16, struct: 17, enum: 18 } as const;

export interface ContextName {
  readonly module: string | undefined;
  /** Enclosing types and the type, joined by dots; empty for a module itself. */
  readonly name: string;
}

const deepest = 32;

/** Names of context descriptors, through their parents. Looked up once each; cycles end at a fixed depth. */
export class ContextNames {
  readonly #memory: MetadataMemory;
  readonly #known = new Map<bigint, ContextName | undefined>();

  constructor(memory: MetadataMemory) {
    this.#memory = memory;
  }

  /** Undefined when the descriptor, or any parent, cannot be read. */
  of(va: bigint): ContextName | undefined {
    if (!this.#known.has(va)) {
      this.#known.set(va, this.#memory.attempt("swift contexts", va, () => this.#read(va)));
    }
    return this.#known.get(va);
  }

  behind({ va, symbol }: MetadataPointer): ContextName | undefined {
    if (va !== undefined) return this.of(va);
    if (symbol === undefined) return undefined;
    const nominal = swiftNominalSymbol(symbol);
    return nominal === undefined ? { module: undefined, name: symbol } : { module: nominal.module, name: nominal.name };
  }

  /** `Module.Type` of what a pointer leads to. */
  textBehind(pointer: MetadataPointer): string | undefined {
    const found = this.behind(pointer);
    return found === undefined ? undefined : qualified(found);
  }

  /** Walks the parents; a chain that does not end leaves the name alone, without module. */
  #read(va: bigint): ContextName {
    const names: string[] = [];
    let at = va;
    for (let depth = 0; depth < deepest; depth += 1) {
      const kind = this.#memory.u32(at) & 0x1f;
      const name = named(kind) ? this.#ownName(at) : undefined;
      if (kind === contextKind.module) return { module: name, name: names.join(".") };
      if (name !== undefined) names.unshift(name);
      const parent = this.#memory.relativeIndirectable(at + 4n);
      if (parent.va === undefined) return this.#within(this.behind(parent), names);
      at = parent.va;
    }
    this.#memory.malformed("swift contexts", va, "a context has too many parents");
    return { module: undefined, name: names[names.length - 1] ?? "" };
  }

  #ownName(va: bigint): string {
    const at = this.#memory.relative(va + 8n);
    return at === undefined ? "" : this.#memory.text(at);
  }

  /** Inside a context of another image, known by its symbol, or inside none. */
  #within(outer: ContextName | undefined, names: readonly string[]): ContextName {
    const path = outer === undefined || outer.name === "" ? names : [outer.name, ...names];
    return { module: outer?.module, name: path.join(".") };
  }
}

function qualified({ module, name }: ContextName): string {
  return module === undefined || module === "" ? name : name === "" ? module : `${module}.${name}`;
}

function named(kind: number): boolean {
  return kind === contextKind.module || kind === contextKind.protocol || kind >= contextKind.class;
}
