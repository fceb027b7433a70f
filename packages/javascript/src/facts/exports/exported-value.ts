import type { Bundle } from "../../parts/bundle.js";
import type { ScopeIndex } from "../../syntax/build-scopes.js";
import { argumentAt, bare, child, children, isFunction, memberName, nameOf, propertyKey, stringValue, type SyntaxNode } from "../../syntax/node.js";
import type { Scope } from "../../syntax/scope.js";
import { constantNode } from "../constant.js";
import { isInterop, isRequire } from "../origin.js";
import { returnedValues } from "../returned-values.js";
import { valueShape } from "../value-shape.js";
import { classShape } from "./class-shape.js";
import { reExport, unknownExport, type ExportValue } from "./export-fact.js";

const deepest = 8;
const nothing: SyntaxNode = { type: "", start: 0, end: 0 };

/** Tells what an expression hands out: a function with what it returns, a class, a value, or what another module has. */
export class ExportedValues {
  readonly #bundle: Bundle;
  readonly #index: ScopeIndex;

  constructor(bundle: Bundle, index: ScopeIndex) {
    this.#bundle = bundle;
    this.#index = index;
  }

  of(given: SyntaxNode | undefined, scope: Scope, depth = 0): ExportValue {
    const node = bare(given);
    if (node === undefined || depth > deepest) return unknownExport;
    if (isFunction(node)) return this.#function(node);
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") return this.#class(node, scope);
    if (node.type === "Identifier") return this.#name(node, scope, depth);
    const foreign = this.#foreign(node, scope);
    if (foreign !== undefined) return foreign;
    const shape = valueShape(node, scope);
    const isKnown = shape.some(([, token]) => token !== "unknown");
    return isKnown ? { kind: "value", variants: [shape], isComplete: true, from: null } : unknownExport;
  }

  /** What a getter hands out is what it returns. */
  returned(getter: SyntaxNode): ExportValue {
    const [only, ...more] = returnedValues(getter, this.#index).values;
    return only?.node === undefined || more.length > 0 ? unknownExport : this.of(only.node, only.scope);
  }

  /** The one expression that the getter of a descriptor returns. */
  gotten(descriptor: SyntaxNode | undefined): SyntaxNode | undefined {
    const getter = children(bare(descriptor) ?? nothing, "properties").find((one) => propertyKey(one) === "get");
    const value = getter === undefined ? undefined : child(getter, "value");
    const [only, ...more] = isFunction(value) ? returnedValues(value, this.#index).values : [];
    return more.length > 0 ? undefined : only?.node;
  }

  /** The value of a module whose loader takes what the factory returns; undefined when that returns nothing. */
  ofFactory(factory: SyntaxNode): ExportValue | undefined {
    const values = returnedValues(factory, this.#index).values.filter(({ node }) => node !== undefined);
    return values.length === 0 ? undefined : this.returned(factory);
  }

  /** The one object that a factory returns. */
  objectOf(factory: SyntaxNode): { readonly node: SyntaxNode; readonly scope: Scope } | undefined {
    const [only, ...more] = returnedValues(factory, this.#index).values;
    const object = only === undefined || more.length > 0 ? undefined : constantNode(only.node, only.scope);
    const node = bare(object?.node ?? only?.node);
    return node?.type === "ObjectExpression" && only !== undefined ? { node, scope: object?.scope ?? only.scope } : undefined;
  }

  /** The module that an expression is the exports of: a specifier, or an id of the bundle. */
  moduleOf(given: SyntaxNode | undefined, scope: Scope, depth = 0): string | undefined {
    const node = bare(given);
    if (node === undefined || depth > deepest) return undefined;
    if (node.type === "Identifier") {
      const binding = scope.resolve(nameOf(node) ?? "");
      if (binding?.imported !== undefined) return binding.imported.name === "*" ? binding.imported.specifier : undefined;
      const isOnce = binding?.source?.path.length === 0 && (binding.kind === "constant" || binding.writes === 0);
      return isOnce ? this.moduleOf(binding.source?.value, binding.scope, depth + 1) : undefined;
    }
    if (node.type !== "CallExpression") return undefined;
    const asked = this.#asked(node, scope);
    if (asked !== undefined) return asked;
    const isWrapped = children(node, "arguments").length <= 2 && isInterop(bare(child(node, "callee")));
    return isWrapped ? this.moduleOf(argumentAt(node, 0), scope, depth + 1) : undefined;
  }

  #asked(call: SyntaxNode, scope: Scope): string | undefined {
    const inside = this.#bundle.requestedId(call, scope)?.id;
    return inside ?? (isRequire(bare(child(call, "callee")), scope) ? stringValue(argumentAt(call, 0)) : undefined);
  }

  /** `a.x` and `a` of a module that is asked for. */
  #foreign(node: SyntaxNode, scope: Scope): ExportValue | undefined {
    const whole = node.type === "CallExpression" ? this.#asked(node, scope) : undefined;
    if (whole !== undefined) return reExport(whole, "*");
    if (node.type !== "MemberExpression") return undefined;
    const name = memberName(node);
    const module = name === undefined ? undefined : this.moduleOf(child(node, "object"), scope);
    return module === undefined || name === undefined ? undefined : reExport(module, name);
  }

  #name(node: SyntaxNode, scope: Scope, depth: number): ExportValue {
    const binding = scope.resolve(nameOf(node) ?? "");
    if (binding?.kind === "import" && binding.imported !== undefined) return reExport(binding.imported.specifier, binding.imported.name);
    if (binding?.kind === "class") return this.#class(binding.declaration, binding.scope);
    if (binding?.kind === "function" && binding.writes === 0 && isFunction(binding.declaration)) return this.#function(binding.declaration);
    const module = this.moduleOf(node, scope);
    if (module !== undefined) return reExport(module, "*");
    const value = constantNode(node, scope);
    return value === undefined || value.node === node ? unknownExport : this.of(value.node, value.scope, depth + 1);
  }

  #class(node: SyntaxNode, scope: Scope): ExportValue {
    if (node.type !== "ClassDeclaration" && node.type !== "ClassExpression") return { kind: "class", variants: [], isComplete: false, from: null };
    return { kind: "class", variants: [classShape(node, this.#index.scopes.get(node) ?? scope)], isComplete: true, from: null };
  }

  #function(node: SyntaxNode): ExportValue {
    const { values, isComplete } = returnedValues(node, this.#index);
    const shapes = new Map(values.map((value) => valueShape(value.node, value.scope)).map((shape) => [JSON.stringify(shape), shape]));
    return { kind: "function", variants: [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shape]) => shape), isComplete, from: null };
  }
}
