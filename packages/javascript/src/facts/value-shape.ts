import { argumentAt, bare, child, children, elements, isFunction, memberName, nameOf, propertyKey, text, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantNode, constantText } from "./constant.js";

/**
 * What is known of a value by places: JSON pointers with a token each. A token is a literal in JSON, or one of `object`, `object+`
 * (with members that are not known), `array`, `array+`, `string`, `number`, `boolean`, `bigint`, `function`, `undefined`, `unknown`.
 */
export type ValueShape = readonly (readonly [pointer: string, token: string])[];

const deepest = 8;
const mostPlaces = 100;
const mostElements = 32;
const longestLiteral = 200;

/** The shape of an expression. Nothing is run; what is put together at run time is `unknown`. */
export function valueShape(node: SyntaxNode | undefined, scope: Scope): ValueShape {
  const places = new Map<string, string>();
  new ShapeReader(places).read({ node, scope, pointer: "", depth: 0 });
  return [...places].sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Value {
  readonly node: SyntaxNode | undefined;
  readonly scope: Scope;
  readonly pointer: string;
  readonly depth: number;
}

class ShapeReader {
  readonly #places: Map<string, string>;

  constructor(places: Map<string, string>) {
    this.#places = places;
  }

  read({ node: given, scope, pointer, depth }: Value): void {
    const node = bare(given);
    const simple = simpleToken(node, scope);
    if (simple !== undefined || node === undefined || depth > deepest) {
      this.#set(pointer, simple ?? "unknown");
      return;
    }
    switch (node.type) {
      case "ObjectExpression":
        this.#set(pointer, this.#object({ node, scope, pointer, depth }) ? "object" : "object+");
        return;
      case "ArrayExpression":
        this.#set(pointer, this.#array({ node, scope, pointer, depth }) ? "array" : "array+");
        return;
      case "AwaitExpression":
        this.read({ node: child(node, "argument"), scope, pointer, depth: depth + 1 });
        return;
      case "AssignmentExpression":
        this.read({ node: child(node, "right"), scope, pointer, depth: depth + 1 });
        return;
      case "CallExpression":
        this.#call({ node, scope, pointer, depth });
        return;
      default:
        this.#named({ node, scope, pointer, depth });
    }
  }

  #named({ node, scope, pointer, depth }: Value & { readonly node: SyntaxNode }): void {
    const value = constantNode(node, scope);
    if (value === undefined || value.node === node) this.#set(pointer, "unknown");
    else this.read({ ...value, pointer, depth: depth + 1 });
  }

  /** Whether all of its members are known. */
  #object({ node, scope, pointer, depth }: Value & { readonly node: SyntaxNode }): boolean {
    let isWhole = true;
    for (const property of children(node, "properties")) {
      if (property.type === "SpreadElement") {
        const argument = bare(child(property, "argument"));
        const spread = argument?.type === "ObjectExpression" ? { node: argument, scope } : constantNode(argument, scope);
        const object = bare(spread?.node);
        const isKnown = object?.type === "ObjectExpression" && spread !== undefined && depth < deepest;
        if (isKnown) isWhole = this.#object({ node: object, scope: spread.scope, pointer, depth: depth + 1 }) && isWhole;
        else {
          isWhole = false;
          this.#doubt(pointer);
        }
        continue;
      }
      const key = propertyKey(property);
      if (key === undefined) {
        isWhole = false;
        this.#doubt(pointer);
        continue;
      }
      // `__proto__: x` sets no member.
      if (key === "__proto__" && property["shorthand"] !== true && property["method"] !== true && property["computed"] !== true) continue;
      const at = `${pointer}/${pointerPart(key)}`;
      this.#forget(at);
      const kind = text(property, "kind");
      if (kind === "get" || kind === "set") isWhole = this.#set(at, "unknown") && isWhole;
      else if (this.#places.size >= mostPlaces) isWhole = false;
      else this.read({ node: child(property, "value"), scope, pointer: at, depth: depth + 1 });
    }
    return isWhole;
  }

  #array({ node, scope, pointer, depth }: Value & { readonly node: SyntaxNode }): boolean {
    const list = elements(node, "elements");
    if (list.length > mostElements || list.some((one) => one?.type === "SpreadElement")) return false;
    for (const [index, one] of list.entries()) {
      if (this.#places.size >= mostPlaces) return false;
      if (one === undefined) this.#set(`${pointer}/${String(index)}`, "undefined");
      else this.read({ node: one, scope, pointer: `${pointer}/${String(index)}`, depth: depth + 1 });
    }
    return true;
  }

  #call({ node, scope, pointer, depth }: Value & { readonly node: SyntaxNode }): void {
    const callee = bare(child(node, "callee"));
    const name = callee?.type === "MemberExpression" ? `${nameOf(bare(child(callee, "object"))) ?? ""}.${memberName(callee) ?? ""}` : (nameOf(callee) ?? "");
    const isGlobal = scope.resolve(name.split(".")[0] ?? "") === undefined;
    const result = isGlobal ? builtIns.get(name) : undefined;
    if (result !== undefined) this.#set(pointer, result);
    else if (isGlobal && passing.has(name)) this.read({ node: argumentAt(node, 0), scope, pointer, depth: depth + 1 });
    else this.#set(pointer, "unknown");
  }

  /** A later member replaces an earlier one of the same key, and what lay below it. */
  #forget(pointer: string): void {
    if (!this.#places.has(pointer)) return;
    for (const one of [...this.#places.keys()]) if (one === pointer || one.startsWith(`${pointer}/`)) this.#places.delete(one);
  }

  /** What is spread behind members may replace them. */
  #doubt(pointer: string): void {
    for (const one of [...this.#places.keys()]) {
      if (!one.startsWith(`${pointer}/`)) continue;
      if (one.indexOf("/", pointer.length + 1) < 0) this.#places.set(one, "unknown");
      else this.#places.delete(one);
    }
  }

  #set(pointer: string, token: string): boolean {
    this.#places.set(pointer, token);
    return true;
  }
}

const builtIns: ReadonlyMap<string, string> = new Map([
  ["String", "string"],
  ["Number", "number"],
  ["Boolean", "boolean"],
  ["parseInt", "number"],
  ["parseFloat", "number"],
  ["JSON.stringify", "string"],
  ["Date.now", "number"],
  ["Math.floor", "number"],
  ["Math.round", "number"],
  ["Array.isArray", "boolean"],
  ["Object.keys", "array+"],
  ["Object.values", "array+"],
  ["Object.entries", "array+"],
  ["Array.from", "array+"],
]);

/** Calls whose value is that of their first argument, as far as its shape goes. */
const passing: ReadonlySet<string> = new Set(["Object.freeze", "Object.seal", "Promise.resolve"]);

const comparing: ReadonlySet<string> = new Set(["==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"]);
const counting: ReadonlySet<string> = new Set(["-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>"]);

/** Token of what has no parts. */
function simpleToken(node: SyntaxNode | undefined, scope: Scope): string | undefined {
  if (node === undefined) return "undefined";
  if (isFunction(node) || node.type === "ClassExpression") return "function";
  switch (node.type) {
    case "Literal":
      return literalToken(node);
    case "TemplateLiteral":
      return textToken(constantText(node, scope));
    case "UnaryExpression":
      return unaryToken(node, scope);
    case "BinaryExpression":
      return binaryToken(node, scope);
    case "NewExpression":
      return "object+";
    case "Identifier":
      return nameOf(node) === "undefined" && scope.resolve("undefined") === undefined ? "undefined" : functionToken(node, scope);
    default:
      return undefined;
  }
}

function functionToken(node: SyntaxNode, scope: Scope): string | undefined {
  const kind = scope.resolve(nameOf(node) ?? "")?.kind;
  return kind === "function" || kind === "class" ? "function" : undefined;
}

function literalToken(node: SyntaxNode): string {
  const { value } = node;
  if (typeof value === "string") return textToken(value);
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : "number";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (node["bigint"] !== undefined) return "bigint";
  return node["regex"] === undefined ? "null" : "object+";
}

function textToken(value: string | undefined): string {
  return value === undefined || value.length > longestLiteral ? "string" : JSON.stringify(value);
}

function unaryToken(node: SyntaxNode, scope: Scope): string | undefined {
  const argument = bare(child(node, "argument"));
  switch (text(node, "operator")) {
    case "void":
      return "undefined";
    case "typeof":
      return "string";
    case "delete":
      return "boolean";
    case "!":
      // `!0` is how minifiers write true.
      return argument?.type === "Literal" && typeof argument["value"] === "number" ? String(argument["value"] === 0) : "boolean";
    case "-": {
      const token = argument === undefined ? undefined : simpleToken(argument, scope);
      return token !== undefined && /^\d/u.test(token) ? `-${token}` : "number";
    }
    default:
      return "number";
  }
}

function binaryToken(node: SyntaxNode, scope: Scope): string | undefined {
  const operator = text(node, "operator") ?? "";
  if (comparing.has(operator)) return "boolean";
  if (counting.has(operator)) return "number";
  const isText = ["left", "right"].some((side) => {
    const token = simpleToken(bare(child(node, side)), scope);
    return token === "string" || token?.startsWith('"') === true;
  });
  return isText ? textToken(constantText(node, scope)) : undefined;
}

/** RFC 6901. */
export function pointerPart(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
