import type { DebugType, TypeId } from "./debug-type.js";
import type { TypeReader } from "./type-reader.js";

/** Parts of one type that are written at most, and letters. */
const mostParts = 120;
const mostLetters = 600;
const deepest = 24;

/** Writes types as C declares them: `struct node *`, `char [16]`, `int (*)(const char *, ...)`. */
export class TypeText {
  readonly #types: TypeReader;
  #parts = 0;

  constructor(types: TypeReader) {
    this.#types = types;
  }

  /** The type with a name in its place, or alone. Cut with `…` where it is very large or names itself without end. */
  of(id: TypeId | undefined, name = ""): string {
    this.#parts = 0;
    const text = this.#declare(id, name, 0);
    return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text;
  }

  #declare(id: TypeId | undefined, inner: string, depth: number): string {
    this.#parts += 1;
    if (this.#parts > mostParts || depth > deepest || inner.length > mostLetters) return joined("…", inner);
    if (id === undefined) return joined("void", inner);
    const type = this.#types.type(id);
    switch (type.kind) {
      case "pointer":
        return type.name === undefined ? this.#pointer(type, `*${inner}`, depth) : joined(type.name, inner);
      case "reference":
        return type.name === undefined ? this.#pointer(type, `&${inner}`, depth) : joined(type.name, inner);
      case "rvalue_reference":
        return this.#pointer(type, `&&${inner}`, depth);
      case "member_pointer":
        return this.#pointer(type, `::*${inner}`, depth);
      case "const":
      case "volatile":
      case "restrict":
      case "atomic":
        return this.#qualified(type, inner, depth);
      case "array":
        return this.#declare(type.to, this.#dimensions(id, inner), depth + 1);
      case "function":
        return this.#declare(type.to, `${inner}(${this.#parameters(id, depth)})`, depth + 1);
      default:
        return joined(named(type), inner);
    }
  }

  #pointer({ to }: DebugType, inner: string, depth: number): string {
    const kind = to === undefined ? undefined : this.#types.type(to).kind;
    return this.#declare(to, kind === "array" || kind === "function" ? `(${inner})` : inner, depth + 1);
  }

  /** A qualifier of a pointer stands behind its star, any other before the type. */
  #qualified({ kind, to }: DebugType, inner: string, depth: number): string {
    const word = kind === "atomic" ? "_Atomic" : kind;
    const target = to === undefined ? undefined : this.#types.type(to);
    if (target?.kind === "pointer" && target.name === undefined) return this.#pointer(target, `*${joined(word, inner)}`, depth + 1);
    const rest = this.#declare(to, inner, depth + 1);
    return word === "volatile" && rest.startsWith("const ") ? `const volatile ${rest.slice(6)}` : `${word} ${rest}`;
  }

  #dimensions(id: TypeId, inner: string): string {
    const lengths = this.#types.dimensions(id).map((length) => `[${length === undefined || length === 0 ? "" : String(length)}]`);
    return inner === "" ? ` ${lengths.join("")}` : `${inner}${lengths.join("")}`;
  }

  #parameters(id: TypeId, depth: number): string {
    const { parameters, isVariadic } = this.#types.signature(id);
    const texts = parameters.map((each) => this.#declare(each, "", depth + 1));
    if (isVariadic) texts.push("...");
    return texts.length === 0 ? "void" : texts.join(", ");
  }
}

/** Of types that are no composition of others. */
function named({ kind, name }: DebugType): string {
  const shown = name ?? "<anonymous>";
  switch (kind) {
    case "struct":
    case "union":
    case "enum":
    case "class":
      return `${kind} ${shown}`;
    default:
      return name ?? `<${kind}>`;
  }
}

function joined(type: string, inner: string): string {
  if (inner === "") return type;
  return inner.startsWith(" ") ? type + inner : `${type} ${inner}`;
}
