import type { DebugType, TypeId } from "./debug-type.js";
import type { TypeReader } from "./type-reader.js";

const mostHops = 64;
const deepest = 24;
const mostFieldsLooked = 4096;

/** Sizes and alignments, as far as the file or the parts of a type say. */
export class TypeLayout {
  readonly #types: TypeReader;
  readonly #pointerBytes: number;
  readonly #largestAlignment: number;
  readonly #alignments = new Map<TypeId, number | undefined>();

  constructor(types: TypeReader) {
    this.#types = types;
    const { image } = types.entries.sections;
    this.#pointerBytes = image.bits / 8;
    // System V for i386 aligns nothing inside objects to more than 4 bytes.
    this.#largestAlignment = image.architecture === "x86" && image.format !== "pe" ? 4 : 16;
  }

  /** The type behind names and qualifiers; undefined for `void`. */
  plain(id: TypeId | undefined): DebugType | undefined {
    let at = id;
    for (let hops = 0; at !== undefined && hops < mostHops; hops += 1) {
      const type = this.#types.type(at);
      if (!passing.has(type.kind) || (type.kind === "subrange" && type.size !== undefined)) return type;
      at = type.to;
    }
    return undefined;
  }

  size(id: TypeId | undefined, depth = 0): number | undefined {
    const own = id === undefined ? undefined : this.#types.type(id);
    if (own === undefined || depth > deepest) return undefined;
    if (own.size !== undefined) return own.size;
    if (own.kind === "array") return this.#arraySize(own, depth);
    if (passing.has(own.kind) || own.kind === "enum") return own.to === undefined ? undefined : this.size(own.to, depth + 1);
    return own.kind === "member_pointer" ? this.#memberPointer(own) : undefined;
  }

  /** As declared, else natural: that of the part that asks for most. */
  alignment(id: TypeId | undefined, depth = 0): number | undefined {
    if (id === undefined || depth > deepest) return undefined;
    if (this.#alignments.has(id)) return this.#alignments.get(id);
    const found = this.#alignment(this.#types.type(id), depth);
    if (depth === 0 || found !== undefined) this.#alignments.set(id, found);
    return found;
  }

  /** True where a part stands at a place that its own alignment does not allow; undefined where that cannot be told. */
  isPacked(id: TypeId): boolean | undefined {
    const type = this.plain(id);
    if (type === undefined || !composite.has(type.kind) || type.isDeclaration) return undefined;
    const fields = this.#types.fields(type.id, mostFieldsLooked);
    let strictest = 1;
    for (const { type: part, offset, bits } of fields) {
      const alignment = this.alignment(part, 1);
      if (alignment === undefined || offset === undefined || bits !== undefined) continue;
      if (offset % alignment !== 0) return true;
      strictest = Math.max(strictest, alignment);
    }
    return type.size !== undefined && type.size % strictest !== 0;
  }

  #alignment(type: DebugType, depth: number): number | undefined {
    if (type.alignment !== undefined) return type.alignment;
    if (type.kind === "array" || passing.has(type.kind)) return type.to === undefined ? undefined : this.alignment(type.to, depth + 1);
    if (composite.has(type.kind)) return this.#compositeAlignment(type, depth);
    const size = this.size(type.id);
    if (size === undefined || size === 0) return undefined;
    const whole = type.encoding === "complex" ? size / 2 : size;
    const power = 2 ** Math.floor(Math.log2(whole));
    // The 80-bit numbers of x86 say 16 or 12 bytes; anything odd has no alignment that its size tells.
    if (power !== whole) return whole === 12 ? 4 : undefined;
    return Math.min(power, type.kind === "base" ? this.#largestAlignment : this.#pointerBytes);
  }

  #compositeAlignment(type: DebugType, depth: number): number | undefined {
    if (type.isDeclaration) return undefined;
    let strictest = 1;
    for (const { type: part, offset, bits } of this.#types.fields(type.id, mostFieldsLooked)) {
      const alignment = this.alignment(part, depth + 1);
      if (alignment === undefined) continue;
      // A part that stands where its type should not is packed: it asks for nothing.
      if (bits === undefined && offset !== undefined && offset % alignment !== 0) continue;
      strictest = Math.max(strictest, alignment);
    }
    while (strictest > 1 && type.size !== undefined && type.size % strictest !== 0) strictest /= 2;
    return strictest;
  }

  #arraySize(type: DebugType, depth: number): number | undefined {
    const element = this.size(type.to, depth + 1);
    if (element === undefined) return undefined;
    let total = element;
    for (const length of this.#types.dimensions(type.id)) {
      if (length === undefined) return undefined;
      total *= length;
    }
    return Number.isSafeInteger(total) ? total : undefined;
  }

  /** A pointer to a function of a class is two words where the Itanium ABI is used. */
  #memberPointer({ to }: DebugType): number {
    return this.plain(to)?.kind === "function" ? 2 * this.#pointerBytes : this.#pointerBytes;
  }
}

const passing: ReadonlySet<string> = new Set(["typedef", "const", "volatile", "restrict", "atomic", "subrange"]);
const composite: ReadonlySet<string> = new Set(["struct", "class", "union", "interface"]);
