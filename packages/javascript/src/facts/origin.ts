import { argumentAt, bare, child, children, memberName, nameOf, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { Binding, Scope } from "../syntax/scope.js";

/** Where a value comes from: the exports of a module, or a global; then property names. */
export interface Origin {
  /** As the module is asked for; null for a global, whose name is the first of the path. */
  readonly module: string | null;
  readonly path: readonly string[];
}

/** What the ids of a bundle's require function stand for, where they stand for a module outside the bundle. */
export interface BundleRequires {
  /** The module that a call of a factory's require function asks for; undefined when it is no such call. */
  requested(call: SyntaxNode, scope: Scope): string | undefined;
}

const deepest = 24;
const interop = /interop|toESM|importStar|importDefault|toModule|getter|namespace|_default|wildcard/iu;

/** Follows names, members, `require` calls and the wrappers that compilers put around them. */
export class Origins {
  readonly #bundle: BundleRequires;
  readonly #known = new Map<Binding, Origin | undefined>();

  constructor(bundle: BundleRequires) {
    this.#bundle = bundle;
  }

  /** Undefined when it does not lead to a module or global by names alone. */
  of(given: SyntaxNode | undefined, scope: Scope, depth = 0): Origin | undefined {
    const node = bare(given);
    if (node === undefined || depth > deepest) return undefined;
    switch (node.type) {
      case "Identifier":
        return this.#identifier(node, scope, depth);
      case "MemberExpression":
        return this.#member(node, scope, depth);
      case "CallExpression":
        return this.#call(node, scope, depth);
      case "AwaitExpression":
        return this.of(child(node, "argument"), scope, depth + 1);
      case "ImportExpression": {
        const specifier = stringValue(child(node, "source"));
        return specifier === undefined ? undefined : { module: specifier, path: [] };
      }
      default:
        return undefined;
    }
  }

  /** True when the value is this global, by itself or as a property of the global object. */
  isGlobal(node: SyntaxNode | undefined, scope: Scope, name: string): boolean {
    const origin = this.of(node, scope);
    return origin?.module === null && withoutGlobalObject(origin.path).join(".") === name;
  }

  #identifier(node: SyntaxNode, scope: Scope, depth: number): Origin | undefined {
    const name = nameOf(node) ?? "";
    const binding = scope.resolve(name);
    if (binding === undefined) return { module: null, path: [name] };
    return this.ofBinding(binding, depth + 1);
  }

  ofBinding(binding: Binding, depth = 0): Origin | undefined {
    if (this.#known.has(binding)) return this.#known.get(binding);
    // A name that leads back to itself leads nowhere.
    this.#known.set(binding, undefined);
    const origin = this.#ofBinding(binding, depth);
    this.#known.set(binding, origin);
    return origin;
  }

  #ofBinding(binding: Binding, depth: number): Origin | undefined {
    if (binding.imported !== undefined) {
      const { specifier, name } = binding.imported;
      return { module: specifier, path: name === "*" || name === "default" ? [] : [name] };
    }
    if (binding.source === undefined || binding.kind === "function" || binding.kind === "class") return undefined;
    const from = this.of(binding.source.value, binding.scope, depth + 1);
    if (from === undefined) return undefined;
    let path = from.path;
    for (const key of binding.source.path) {
      if (key === null) return undefined;
      path = key === "default" ? path : [...path, key];
    }
    return { ...from, path };
  }

  #member(node: SyntaxNode, scope: Scope, depth: number): Origin | undefined {
    const from = this.of(child(node, "object"), scope, depth + 1);
    const name = memberName(node);
    if (from === undefined || name === undefined) return undefined;
    // `default` of a module is the module for what REA asks of it; `x.a` of webpack's `n(x)` likewise.
    if (from.module !== null && from.path.length === 0 && name === "default") return from;
    return { module: from.module, path: [...from.path, name] };
  }

  #call(node: SyntaxNode, scope: Scope, depth: number): Origin | undefined {
    const required = requireSpecifier(node, scope) ?? this.#bundle.requested(node, scope);
    if (required !== undefined) return { module: required, path: [] };
    const list = children(node, "arguments");
    const callee = bare(child(node, "callee"));
    // `x()` of `x = n(module)`: the getter that webpack makes for a default export.
    if (list.length === 0 && callee?.type === "Identifier") {
      const origin = this.#identifier(callee, scope, depth + 1);
      return origin !== undefined && origin.module !== null && origin.path.length === 0 ? origin : undefined;
    }
    if (!isInterop(callee) || list.length === 0 || list.length > 2) return undefined;
    const inner = this.of(argumentAt(node, 0), scope, depth + 1);
    return inner !== undefined && inner.module !== null && inner.path.length === 0 ? inner : undefined;
  }
}

/** `require("x")` where `require` is not a name of the file's own, `module.require("x")`, `__require("x")`. */
function requireSpecifier(call: SyntaxNode, scope: Scope): string | undefined {
  const callee = bare(child(call, "callee"));
  if (!isRequire(callee, scope)) return undefined;
  return stringValue(argumentAt(call, 0));
}

const requireNames: ReadonlySet<string> = new Set(["require", "__require", "__non_webpack_require__", "nodeRequire"]);

/** `window.require` is what pages with Node's powers have. */
const requireOwners: ReadonlySet<string> = new Set(["module", "window", "globalThis", "self"]);

export function isRequire(callee: SyntaxNode | undefined, scope: Scope): boolean {
  if (callee?.type === "MemberExpression") {
    const owner = nameOf(child(callee, "object")) ?? "";
    return memberName(callee) === "require" && requireOwners.has(owner) && scope.resolve(owner) === undefined;
  }
  const name = nameOf(callee);
  if (name === undefined) return false;
  const binding = scope.resolve(name);
  if (binding === undefined) return requireNames.has(name);
  return name === "__require" || isCreateRequire(binding);
}

/** `const require = createRequire(import.meta.url)` */
function isCreateRequire({ source }: Binding): boolean {
  const value = bare(source?.value);
  if (value?.type !== "CallExpression" || source?.path.length !== 0) return false;
  const callee = bare(child(value, "callee"));
  const name = callee?.type === "MemberExpression" ? memberName(callee) : nameOf(callee);
  return name !== undefined && /createRequire/u.test(name);
}

/** A call whose value stands for that of its argument: what compilers put around `require`. */
export function isInterop(callee: SyntaxNode | undefined): boolean {
  const name = callee?.type === "MemberExpression" ? memberName(callee) : nameOf(callee);
  return name !== undefined && (name.length <= 2 || interop.test(name));
}

const globalObjects: ReadonlySet<string> = new Set(["window", "self", "globalThis", "global", "top", "parent"]);

/** `window.localStorage` is `localStorage`. */
export function withoutGlobalObject(path: readonly string[]): readonly string[] {
  const [first, ...rest] = path;
  return first !== undefined && rest.length > 0 && globalObjects.has(first) ? withoutGlobalObject(rest) : path;
}
