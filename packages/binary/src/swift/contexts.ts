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
      this.#known.set(va, this.#memory.attempt("swift contexts", va, () => this.#read(va, 0)));
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

  #read(va: bigint, depth: number): ContextName | undefined {
    const memory = this.#memory;
    if (depth >= deepest) {
      memory.malformed("swift contexts", va, "a context has too many parents");
      return undefined;
    }
    const kind = memory.u32(va) & 0x1f;
    const own = named(kind) ? memory.relative(va + 8n) : undefined;
    const name = own === undefined ? "" : memory.text(own);
    if (kind === contextKind.module) return { module: name, name: "" };
    const parent = memory.relativeIndirectable(va + 4n);
    const outer = parent.va === undefined ? this.behind(parent) : this.#read(parent.va, depth + 1);
    if (!named(kind)) return outer;
    return { module: outer?.module, name: outer?.name ? `${outer.name}.${name}` : name };
  }
}

export function qualified({ module, name }: ContextName): string {
  return module === undefined || module === "" ? name : name === "" ? module : `${module}.${name}`;
}

function named(kind: number): boolean {
  return kind === contextKind.module || kind === contextKind.protocol || kind >= contextKind.class;
}
