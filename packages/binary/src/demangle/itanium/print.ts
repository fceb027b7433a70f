import { refuse } from "../refusal.js";
import type { FunctionNode, Node } from "./node.js";

/** Nodes that nothing wraps around: all of their text is left of what follows. */
type Plain = Extract<
  Node,
  { readonly kind: "name" | "abbreviation" | "nested" | "local" | "template" | "arguments" | "suffixed" | "prefixed" | "structor" | "conversion" | "lambda" | "sequence" }
>;

const maximumDepth = 256;
const maximumVisits = 20_000;
const maximumChars = 16_384;

/** Text of a tree. Refuses what is too deep or grows too long: substitutions let a short name ask for a huge text. */
export function printNode(node: Node): string {
  return new Printer().text(node);
}

/**
 * C++ declarators wrap around what they declare, so each node has a part left and a part right of the name: a pointer to
 * an array of int is `int (*` and `) [3]`.
 */
class Printer {
  #depth = 0;
  #visits = 0;
  #chars = 0;
  /** Which element of the packs is shown inside an expansion; undefined outside. */
  #packIndex: number | undefined;

  text(node: Node): string {
    const left = this.#left(node);
    return this.#grown(left + this.#right(node, left.slice(-1)));
  }

  list(nodes: readonly Node[]): string {
    return nodes.map((node) => this.text(node)).filter((text) => text !== "").join(", ");
  }

  #grown(text: string): string {
    this.#chars += text.length;
    if (text.length > maximumChars || this.#chars > maximumChars * 64) refuse();
    return text;
  }

  #enter<T>(run: () => T): T {
    this.#visits += 1;
    this.#depth += 1;
    if (this.#depth > maximumDepth || this.#visits > maximumVisits) refuse();
    const result = run();
    this.#depth -= 1;
    return result;
  }

  #left(node: Node): string {
    return this.#grown(this.#enter(() => this.#leftOf(node)));
  }

  #leftOf(node: Node): string {
    switch (node.kind) {
      case "pack":
        return this.#packIndex === undefined ? this.list(node.items) : this.#fromElement(node.items, (item) => this.#left(item));
      case "expansion":
        return this.#expand(node.of);
      case "forward":
        return this.#left(node.target ?? refuse());
      case "qualified":
        return this.#left(node.of) + node.qualifiers;
      case "pointer":
        return `${this.#left(node.of)}${this.#opening(node.of)}*`;
      case "reference": {
        const { of, right } = this.#collapsed(node);
        return `${this.#left(of)}${this.#opening(of)}${right ? "&&" : "&"}`;
      }
      case "member-pointer":
        return `${this.#left(node.of)}${this.#wraps(node.of) ? "(" : " "}${this.text(node.owner)}::*`;
      case "array":
        return this.#left(node.of);
      case "function":
        return this.#functionLeft(node);
      default:
        return this.#plain(node);
    }
  }

  #plain(node: Plain): string {
    switch (node.kind) {
      case "name":
      case "abbreviation":
        return node.text;
      case "nested":
      case "local":
        return `${this.text(node.scope)}::${this.text(node.name)}`;
      case "template":
        return `${this.text(node.name)}<${this.list(node.args)}>`;
      case "arguments":
        return this.#outside(() => this.list(node.items));
      case "suffixed":
        return this.text(node.of) + node.suffix;
      case "prefixed":
        return node.prefix + this.text(node.of);
      case "structor":
        return `${node.destroys ? "~" : ""}${this.text(baseName(node.of))}`;
      case "conversion":
        return `operator ${this.text(node.to)}`;
      case "lambda":
        return `'lambda${node.number}'(${this.list(node.params)})`;
      case "sequence":
        return node.parts.map((part) => (typeof part === "string" ? part : "kind" in part ? this.text(part) : this.list(part))).join("");
    }
  }

  /** What closes the declarator, shown behind `before`. */
  #right(node: Node, before: string): string {
    return this.#enter(() => {
      switch (node.kind) {
        case "forward":
          return node.target === undefined ? "" : this.#right(node.target, before);
        case "pack":
          return this.#packIndex === undefined ? "" : this.#fromElement(node.items, (item) => this.#right(item, before));
        case "qualified":
          return this.#right(node.of, before);
        case "pointer":
        case "member-pointer":
          return this.#closing(node.of, before);
        case "reference":
          return this.#closing(this.#collapsed(node).of, before);
        case "array": {
          const size = node.size === undefined ? "" : this.text(node.size);
          return `${before === "]" ? "" : " "}[${size}]${this.#right(node.of, "]")}`;
        }
        case "function": {
          const params = `(${this.list(node.params)})`;
          return `${params}${node.returns === undefined ? "" : this.#right(node.returns, ")")}${node.suffix}`;
        }
        default:
          return "";
      }
    });
  }

  #functionLeft({ name, returns }: FunctionNode): string {
    const left = returns === undefined ? "" : this.#left(returns);
    if (name === undefined) return `${left} `;
    const gap = returns === undefined || this.#wraps(returns) ? "" : " ";
    return `${left}${gap}${this.text(name)}`;
  }

  #opening(of: Node): string {
    const shape = this.#shape(of);
    return shape === "array" ? " (" : shape === "function" ? "(" : "";
  }

  #closing(of: Node, before: string): string {
    return this.#wraps(of) ? `)${this.#right(of, ")")}` : this.#right(of, before);
  }

  #wraps(node: Node): boolean {
    return this.#shape(node) !== "plain";
  }

  /** Whether what a pointer leads to needs brackets around the star. */
  #shape(node: Node): "array" | "function" | "plain" {
    return this.#enter(() => {
      if (node.kind === "array" || node.kind === "function") return node.kind;
      if (node.kind === "qualified") return this.#shape(node.of);
      if (node.kind === "forward" && node.target !== undefined) return this.#shape(node.target);
      if (node.kind === "pack" && this.#packIndex !== undefined) {
        const item = node.items[this.#packIndex];
        return item === undefined ? "plain" : this.#outside(() => this.#shape(item));
      }
      return "plain";
    });
  }

  /** `T& &&` is `T&`: one `&` on the way makes the whole an lvalue reference ([dcl.ref]). */
  #collapsed(node: Node & { readonly kind: "reference" }): { readonly of: Node; readonly right: boolean } {
    let { of, right } = node;
    for (;;) {
      this.#visits += 1;
      if (this.#visits > maximumVisits) refuse();
      const inner = this.#resolved(of);
      if (inner.kind !== "reference") return { of, right };
      right &&= inner.right;
      of = inner.of;
    }
  }

  #resolved(node: Node): Node {
    if (node.kind === "forward" && node.target !== undefined) return node.target;
    if (node.kind === "pack" && this.#packIndex !== undefined) return node.items[this.#packIndex] ?? node;
    return node;
  }

  /** One element of a pack; packs inside that element are whole. */
  #fromElement(items: readonly Node[], show: (item: Node) => string): string {
    const item = items[this.#packIndex ?? 0];
    return item === undefined ? "" : this.#outside(() => show(item));
  }

  #outside<T>(run: () => T): T {
    const index = this.#packIndex;
    this.#packIndex = undefined;
    const result = run();
    this.#packIndex = index;
    return result;
  }

  #expand(of: Node): string {
    if (this.#packIndex !== undefined) refuse();
    const lengths = new Set<number>();
    this.#packLengths(of, lengths);
    const [length, other] = lengths;
    if (length === undefined || other !== undefined) refuse();
    const texts: string[] = [];
    for (let index = 0; index < length; index += 1) {
      this.#packIndex = index;
      texts.push(this.text(of));
    }
    this.#packIndex = undefined;
    return texts.filter((text) => text !== "").join(", ");
  }

  #packLengths(node: Node, lengths: Set<number>): void {
    this.#enter(() => {
      if (node.kind === "pack") lengths.add(node.items.length);
      else for (const child of children(node)) this.#packLengths(child, lengths);
    });
  }
}

/** The class name that constructors and destructors repeat. */
function baseName(node: Node): Node {
  let name = node;
  // Forward parameters can lead in a circle.
  for (let steps = 0; steps < maximumDepth; steps += 1) {
    if (name.kind === "nested" || name.kind === "local") ({ name } = name);
    else if (name.kind === "template") ({ name } = name);
    else if (name.kind === "suffixed") name = name.of;
    else if (name.kind === "forward" && name.target !== undefined) name = name.target;
    else if (name.kind === "abbreviation") return { kind: "name", text: name.base };
    else return name;
  }
  return refuse();
}

function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case "name":
    case "abbreviation":
      return [];
    case "nested":
    case "local":
      return [node.scope, node.name];
    case "template":
      return [node.name, ...node.args];
    case "arguments":
    case "pack":
      return node.items;
    case "forward":
      return node.target === undefined ? [] : [node.target];
    case "array":
      return node.size === undefined ? [node.of] : [node.of, node.size];
    case "function":
      return [...(node.name === undefined ? [] : [node.name]), ...(node.returns === undefined ? [] : [node.returns]), ...node.params];
    case "member-pointer":
      return [node.of, node.owner];
    case "conversion":
      return [node.to];
    case "lambda":
      return node.params;
    case "sequence":
      return node.parts.flatMap((part) => (typeof part === "string" ? [] : "kind" in part ? [part] : part));
    default:
      return [node.of];
  }
}
