import type { Bundle } from "../../parts/bundle.js";
import type { FoundModule } from "../../parts/found-part.js";
import { argumentAt, bare, child, children, elements, isFunction, memberName, nameOf, stringValue, type SyntaxNode } from "../../syntax/node.js";
import type { Scope } from "../../syntax/scope.js";
import { walk } from "../../syntax/walk.js";

/** Positions of the parameters of a factory; -1 for what it is not given. */
interface Roles {
  readonly module: number;
  readonly exports: number;
  /** A function that is called with names and values, or methods that are. */
  readonly setter: number;
}

/** By the bundler's way to write a factory. */
const factories: { readonly [basis: string]: Roles } = {
  "webpack-modules": { module: 0, exports: 1, setter: -1 },
  "webpack-chunk-modules": { module: 0, exports: 1, setter: -1 },
  "browserify-pack": { module: 1, exports: 2, setter: -1 },
  "parcel-pack": { module: 1, exports: 2, setter: -1 },
  "parcel-register": { module: 0, exports: 1, setter: -1 },
  "metro-define": { module: 4, exports: 5, setter: -1 },
  "wrapped-module": { exports: 0, module: 1, setter: -1 },
  "turbopack-module": { setter: 0, module: 1, exports: 2 },
  "system-register": { setter: 0, module: -1, exports: -1 },
};

export interface ExportsOwner {
  /** Undefined for the file itself. */
  readonly module: FoundModule | undefined;
  readonly role: "exports" | "module" | "setter";
}

/** Tells which `exports` or `module` an expression is: the file's own, or that of a factory. */
export class ExportsOwners {
  readonly #bundle: Bundle;
  /** Factories that loaders call, with what they hand them. */
  readonly #loaded = new Map<SyntaxNode, Roles>();

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  of(node: SyntaxNode | undefined, scope: Scope): ExportsOwner | undefined {
    if (node?.type === "MemberExpression") {
      const below = memberName(node) === "exports" ? this.of(bare(child(node, "object")), scope) : undefined;
      return below?.role === "module" ? { module: below.module, role: "exports" } : undefined;
    }
    const name = nameOf(node);
    if (name === undefined) return undefined;
    const binding = scope.resolve(name);
    if (binding === undefined) return name === "exports" || name === "module" ? { module: undefined, role: name } : undefined;
    if (binding.kind !== "parameter") return undefined;
    const module = this.#bundle.moduleOfFactory(binding.scope.node);
    const roles = this.#loaded.get(binding.scope.node) ?? (module === undefined ? undefined : factories[module.basis]);
    if (roles === undefined || binding.parameter < 0) return undefined;
    for (const role of ["exports", "module", "setter"] as const) if (binding.parameter === roles[role]) return { module, role };
    return undefined;
  }

  /** Notes what `define` and the wrapper of universal modules hand to a factory. Returns the factory whose value is the module's. */
  see(call: SyntaxNode, scope: Scope): SyntaxNode | undefined {
    const callee = bare(child(call, "callee"));
    if (nameOf(callee) === "define" && scope.resolve("define") === undefined) return this.#defined(call);
    return isFunction(callee) ? this.#universal(call, callee) : undefined;
  }

  /** `define("id", ["exports", "./a"], function (exports, a) {…})` */
  #defined(call: SyntaxNode): SyntaxNode | undefined {
    const list = children(call, "arguments");
    const factory = list.find(isFunction);
    if (factory === undefined) return undefined;
    const given = list.find(({ type }) => type === "ArrayExpression");
    const names = given === undefined ? ["require", "exports", "module"] : elements(given, "elements").map((one) => stringValue(one));
    this.#loaded.set(factory, { exports: names.indexOf("exports"), module: names.indexOf("module"), setter: -1 });
    return factory;
  }

  /** `(function (root, factory) { … define(["exports"], factory) … factory(exports) … })(this, function (exports) {…})` */
  #universal(call: SyntaxNode, wrapper: SyntaxNode): SyntaxNode | undefined {
    const position = children(call, "arguments").findIndex((one) => isFunction(bare(one)));
    const factory = bare(argumentAt(call, position));
    const parameter = nameOf(children(wrapper, "params")[position]);
    if (factory === undefined || parameter === undefined || wrapper.end - wrapper.start > longestWrapper) return undefined;
    const given = givenBy(wrapper, parameter);
    if (given === undefined) return undefined;
    this.#loaded.set(factory, { exports: given.exports, module: -1, setter: -1 });
    return factory;
  }
}

const longestWrapper = 4000;

/** What a wrapper that asks for both `define` and `exports` hands to its factory. */
function givenBy(wrapper: SyntaxNode, factory: string): { readonly exports: number } | undefined {
  const named = new Set<string>();
  let exports = -1;
  walk(wrapper, {
    enter: (node) => {
      const name = nameOf(node);
      if (name === "define" || name === "exports" || name === "module") named.add(name);
      if (node.type === "CallExpression" && nameOf(bare(child(node, "callee"))) === factory && exports < 0) exports = children(node, "arguments").findIndex((one) => nameOf(one) === "exports" || memberName(one) === "exports");
      return undefined;
    },
    leave: () => undefined,
  });
  return named.has("exports") && (named.has("define") || named.has("module")) ? { exports } : undefined;
}
