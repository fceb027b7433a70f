/** Reading of Swift's mangled names (the stable mangling, Swift `docs/ABI/Mangling.rst`): nominal types and plain types. */

export interface SwiftNominal {
  readonly module: string | undefined;
  /** With enclosing types, joined by dots. */
  readonly name: string;
  readonly kind: "class" | "struct" | "enum" | "protocol" | "type";
}

const kinds: Readonly<Record<string, SwiftNominal["kind"]>> = { C: "class", V: "struct", O: "enum", P: "protocol" };

/** What the two-letter names of the standard library stand for. */
const standard: Readonly<Record<string, readonly [string, SwiftNominal["kind"]]>> = {
  a: ["Array", "struct"],
  b: ["Bool", "struct"],
  D: ["Dictionary", "struct"],
  d: ["Double", "struct"],
  f: ["Float", "struct"],
  h: ["Set", "struct"],
  i: ["Int", "struct"],
  J: ["Character", "struct"],
  n: ["Range", "struct"],
  N: ["ClosedRange", "struct"],
  q: ["Optional", "enum"],
  S: ["String", "struct"],
  s: ["Substring", "struct"],
  u: ["UInt", "struct"],
  B: ["BinaryFloatingPoint", "protocol"],
  E: ["Encodable", "protocol"],
  e: ["Decodable", "protocol"],
  F: ["FloatingPoint", "protocol"],
  H: ["Hashable", "protocol"],
  K: ["BidirectionalCollection", "protocol"],
  k: ["RandomAccessCollection", "protocol"],
  L: ["Comparable", "protocol"],
  l: ["Collection", "protocol"],
  M: ["MutableCollection", "protocol"],
  m: ["RangeReplaceableCollection", "protocol"],
  Q: ["Equatable", "protocol"],
  T: ["Sequence", "protocol"],
  t: ["IteratorProtocol", "protocol"],
  U: ["UnsignedInteger", "protocol"],
  x: ["Strideable", "protocol"],
  Y: ["RawRepresentable", "protocol"],
  y: ["StringProtocol", "protocol"],
  Z: ["SignedInteger", "protocol"],
  z: ["BinaryInteger", "protocol"],
};

const descriptorSuffix = /^(?:Mn|Mp|Ma|Mm|Mo|Mf|MF|WV|N)$/;

/**
 * The nominal type that a symbol of its metadata names (`$s4Main3DogCMn`); undefined for symbols of anything else and for
 * names that are shortened by substitution. The leading underscores of Mach-O are accepted.
 */
export function swiftNominalSymbol(symbol: string): SwiftNominal | undefined {
  const start = /^_{0,2}\$[sS]/.exec(symbol);
  if (start === null || symbol.length > 4096) return undefined;
  const scan = new Scanner(symbol.slice(start[0].length));
  const found = scan.nominal();
  return found !== undefined && descriptorSuffix.test(scan.rest()) ? found : undefined;
}

/**
 * Source form of a mangled type given in pieces: mangled text, and names already known. What is not understood comes back
 * as it is, with the known names in braces.
 */
export function swiftTypeText(pieces: readonly (string | { readonly name: string })[]): string {
  const names: string[] = [];
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : `\u0001${String(names.push(piece.name) - 1)};`)).join("");
  const scan = new Scanner(text, names);
  const type = scan.type(0);
  if (type !== undefined && scan.rest() === "") return type;
  return pieces.map((piece) => (typeof piece === "string" ? piece : `{${piece.name}}`)).join("");
}

const deepest = 16;

class Scanner {
  readonly #text: string;
  readonly #names: readonly string[];
  #at = 0;

  constructor(text: string, names: readonly string[] = []) {
    this.#text = text;
    this.#names = names;
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }

  /** A type with its `Sg` (optional) suffixes. */
  type(depth: number): string | undefined {
    let found = depth < deepest ? this.#bare(depth) : undefined;
    while (found !== undefined && this.#eat("Sg")) found = `${found}?`;
    return found;
  }

  nominal(): SwiftNominal | undefined {
    const short = /^S([a-zA-Z])/.exec(this.rest());
    const known = short === null ? undefined : standard[short[1] ?? ""];
    if (known !== undefined) {
      this.#at += 2;
      return { module: "Swift", name: known[0], kind: known[1] };
    }
    const module = this.#eat("So") ? "__C" : this.#eat("s") ? "Swift" : this.#identifier();
    const path: string[] = [];
    let kind: SwiftNominal["kind"] = "type";
    for (;;) {
      const name = this.#identifier();
      if (name === undefined) break;
      path.push(name);
      const next = kinds[this.#text[this.#at] ?? ""];
      if (next !== undefined) this.#at += 1;
      // Protocol descriptors leave the kind out.
      kind = next ?? (this.rest() === "Mp" ? "protocol" : "type");
    }
    return module === undefined || path.length === 0 ? undefined : { module, name: path.join("."), kind };
  }

  #bare(depth: number): string | undefined {
    if (this.#eat("ypXp")) return "Any.Type";
    if (this.#eat("yp")) return "Any";
    if (this.#eat("yXl")) return "AnyObject";
    if (this.#eat("yt")) return "()";
    // The first two generic parameters have no names in the file.
    if (this.#eat("x")) return "A";
    if (this.#eat("q_")) return "B";
    if (this.#eat("Say")) return this.#closed(depth, 1, ([item]) => `[${item ?? ""}]`);
    if (this.#eat("SDy")) return this.#closed(depth, 2, ([key, value]) => `[${key ?? ""}: ${value ?? ""}]`);
    const base = this.#base();
    // These letters after `y` make a type of their own, such as `yp`.
    if (base === undefined || /^y[ptX]/.test(this.rest()) || !this.#eat("y")) return base;
    return this.#closed(depth, deepest, (items) => `${base}<${items.join(", ")}>`);
  }

  #base(): string | undefined {
    const reference = /^\u0001(\d+);/.exec(this.rest());
    if (reference !== null) {
      this.#at += reference[0].length;
      return this.#names[Number(reference[1])];
    }
    const found = this.nominal();
    if (found === undefined) return undefined;
    return found.module === "Swift" || found.module === "__C" ? found.name : `${found.module ?? ""}.${found.name}`;
  }

  /** Generic arguments up to `G`. */
  #closed(depth: number, most: number, show: (items: readonly string[]) => string): string | undefined {
    const items: string[] = [];
    while (items.length < most && !this.rest().startsWith("G")) {
      const item = this.type(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items.length > 0 && this.#eat("G") ? show(items) : undefined;
  }

  /** A length and that many bytes; lengths that start with 0 mean substituted words, which are not read. */
  #identifier(): string | undefined {
    const length = /^[1-9]\d{0,3}/.exec(this.rest())?.[0];
    if (length === undefined) return undefined;
    const start = this.#at + length.length;
    const end = start + Number(length);
    if (end > this.#text.length) return undefined;
    this.#at = end;
    return this.#text.slice(start, end);
  }

  #eat(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
