import type { Bundle } from "../parts/bundle.js";
import type { Bundler, FoundModule } from "../parts/found-part.js";
import type { ScopeIndex } from "../syntax/build-scopes.js";
import { argumentAt, bare, child, children, isFunction, memberName, nameOf, propertyKey, stringValue, text, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantNode } from "./constant.js";
import type { Detector, Sight } from "./detector.js";
import { returnedValues } from "./returned-values.js";
import { valueShape, type ValueShape } from "./value-shape.js";

/** Something that a file or a bundled module hands out by name. */
export interface ExportFact {
  /** `default`; `module.exports` for the value of a CommonJS module itself. */
  readonly name: string;
  readonly kind: "function" | "class" | "value" | "re-export" | "unknown";
  /** Shapes of what a function returns, or of the value. */
  readonly variants: readonly ValueShape[];
  /** Every return was understood, and there was room for all of them. */
  readonly isComplete: boolean;
  /** Where a re-export comes from. */
  readonly from: { readonly specifier: string; readonly name: string } | null;
}

export interface ExportFacts {
  readonly exports: readonly ExportFact[];
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
  /** False when names are put together at run time, or there were more than are kept. */
  readonly isComplete: boolean;
}

export const noExports: ExportFacts = { exports: [], stars: [], isComplete: true };

const mostExports = 200;
const mostPlaces = 600;

/** Positions of the parameters `module` and `exports` of factories. */
const roles: { readonly [B in Bundler]?: { readonly module: number; readonly exports: number; readonly require: number } } = {
  webpack: { module: 0, exports: 1, require: 2 },
  rspack: { module: 0, exports: 1, require: 2 },
  browserify: { require: 0, module: 1, exports: 2 },
  parcel: { require: 0, module: 1, exports: 2 },
  metro: { require: 1, module: 4, exports: 5 },
  esbuild: { exports: 0, module: 1, require: -1 },
  rolldown: { exports: 0, module: 1, require: -1 },
};

/** What files and bundled modules export, with the shapes of what exported functions return. */
export class ExportedShapes implements Detector {
  readonly types = ["ExportNamedDeclaration", "ExportDefaultDeclaration", "ExportAllDeclaration", "AssignmentExpression", "CallExpression"];
  readonly #bundle: Bundle;
  readonly #index: ScopeIndex;
  readonly #units = new Map<FoundModule | undefined, Unit>();

  constructor(bundle: Bundle, index: ScopeIndex) {
    this.#bundle = bundle;
    this.#index = index;
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    switch (node.type) {
      case "ExportNamedDeclaration":
        this.#named(node, scope);
        return;
      case "ExportDefaultDeclaration":
        this.#unit(undefined).add("default", this.#fact(child(node, "declaration"), scope));
        return;
      case "ExportAllDeclaration":
        this.#star(node);
        return;
      case "AssignmentExpression":
        this.#assigned(node, scope);
        return;
      default:
        this.#getters(node, scope);
    }
  }

  /** Of the file, and of its modules in their order. */
  finish(): { readonly file: ExportFacts; readonly modules: readonly ExportFacts[] } {
    const factsOf = (module: FoundModule | undefined): ExportFacts => this.#units.get(module)?.facts() ?? noExports;
    return { file: factsOf(undefined), modules: this.#bundle.modules.map(factsOf) };
  }

  #unit(module: FoundModule | undefined): Unit {
    const known = this.#units.get(module) ?? new Unit();
    this.#units.set(module, known);
    return known;
  }

  #named(node: SyntaxNode, scope: Scope): void {
    if (text(node, "exportKind") === "type") return;
    const unit = this.#unit(undefined);
    const declaration = child(node, "declaration");
    if (declaration?.type === "VariableDeclaration") {
      for (const one of children(declaration, "declarations")) {
        const id = child(one, "id");
        const name = nameOf(id);
        if (name !== undefined) unit.add(name, this.#fact(child(one, "init"), scope));
        else for (const [key] of patternNames(id)) unit.add(key, unknownFact);
      }
    } else if (declaration !== undefined) {
      const name = nameOf(child(declaration, "id"));
      if (name !== undefined) unit.add(name, this.#fact(declaration, scope));
    }
    const source = stringValue(child(node, "source"));
    for (const one of children(node, "specifiers")) {
      const [exported, local] = [specifierName(child(one, "exported")), specifierName(child(one, "local"))];
      if (exported === undefined || text(one, "exportKind") === "type") continue;
      if (source !== undefined) unit.add(exported, reExport(source, local ?? "*"));
      else unit.add(exported, this.#fact(child(one, "local"), scope));
    }
  }

  #star(node: SyntaxNode): void {
    const source = stringValue(child(node, "source"));
    const name = specifierName(child(node, "exported"));
    if (source === undefined) return;
    if (name === undefined) this.#unit(undefined).star(source);
    else this.#unit(undefined).add(name, reExport(source, "*"));
  }

  /** `exports.a = …`, `module.exports = …`, `t.a = …` in factories. */
  #assigned(node: SyntaxNode, scope: Scope): void {
    const target = child(node, "left");
    if (target?.type !== "MemberExpression") return;
    const owner = this.#owner(bare(child(target, "object")), scope);
    if (owner === undefined) return;
    const name = memberName(target);
    const unit = this.#unit(owner.module);
    const value = child(node, "right");
    if (owner.role === "exports") {
      if (name === undefined) unit.dynamic();
      else if (bare(value)?.type !== "UnaryExpression" || name !== "default") unit.add(name, this.#fact(value, scope));
    } else if (name === "exports") this.#whole(unit, value, scope);
  }

  #whole(unit: Unit, value: SyntaxNode | undefined, scope: Scope): void {
    const node = bare(value);
    unit.add("module.exports", this.#fact(value, scope));
    if (node?.type !== "ObjectExpression") return;
    for (const property of children(node, "properties")) {
      const key = property.type === "Property" ? propertyKey(property) : undefined;
      if (key === undefined) unit.dynamic();
      else unit.add(key, this.#fact(child(property, "value"), scope));
    }
  }

  /** `n.d(t, {a: () => x})` of webpack, `Object.defineProperty(exports, "a", {get: …})`, `__export(t, {a: () => x})`. */
  #getters(node: SyntaxNode, scope: Scope): void {
    const owner = this.#owner(bare(argumentAt(node, 0)), scope);
    if (owner?.role !== "exports") return;
    const unit = this.#unit(owner.module);
    const second = bare(argumentAt(node, 1));
    const key = stringValue(second);
    if (second?.type === "ObjectExpression") {
      for (const property of children(second, "properties")) {
        const name = propertyKey(property);
        const value = child(property, "value");
        if (name !== undefined && isFunction(value)) unit.add(name, this.#returned(value));
      }
    } else if (key !== undefined && key !== "__esModule") {
      const third = bare(argumentAt(node, 2));
      const getter = isFunction(third) ? third : children(third ?? node, "properties").find((one) => propertyKey(one) === "get");
      const value = isFunction(getter) ? getter : getter === undefined ? undefined : child(getter, "value");
      if (isFunction(value)) unit.add(key, this.#returned(value));
    }
  }

  /** What a getter hands out is what it returns. */
  #returned(getter: SyntaxNode): FactOf {
    const [only, ...more] = returnedValues(getter, this.#index).values;
    return only?.node === undefined || more.length > 0 ? unknownFact : this.#fact(only.node, only.scope);
  }

  /** Which `exports` or `module` an expression is: the file's own, or that of a factory. */
  #owner(node: SyntaxNode | undefined, scope: Scope): { readonly module: FoundModule | undefined; readonly role: "exports" | "module" } | undefined {
    if (node?.type === "MemberExpression") {
      const below = memberName(node) === "exports" ? this.#owner(bare(child(node, "object")), scope) : undefined;
      return below?.role === "module" ? { module: below.module, role: "exports" } : undefined;
    }
    const name = nameOf(node);
    if (name === undefined) return undefined;
    const binding = scope.resolve(name);
    if (binding === undefined) return name === "exports" || name === "module" ? { module: undefined, role: name } : undefined;
    const module = binding.kind === "parameter" ? this.#bundle.moduleOfFactory(binding.scope.node) : undefined;
    const places = module === undefined ? undefined : roles[module.bundler];
    if (places === undefined) return undefined;
    if (binding.parameter === places.exports) return { module, role: "exports" };
    return binding.parameter === places.module ? { module, role: "module" } : undefined;
  }

  #fact(given: SyntaxNode | undefined, scope: Scope, depth = 0): FactOf {
    const node = bare(given);
    if (node === undefined || depth > 8) return unknownFact;
    if (isFunction(node)) return this.#functionFact(node);
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") return { kind: "class", variants: [], isComplete: false, from: null };
    if (node.type === "Identifier") return this.#nameFact(node, scope, depth);
    const shape = valueShape(node, scope);
    const isKnown = shape.some(([, token]) => token !== "unknown");
    return isKnown ? { kind: "value", variants: [shape], isComplete: true, from: null } : unknownFact;
  }

  #nameFact(node: SyntaxNode, scope: Scope, depth: number): FactOf {
    const binding = scope.resolve(nameOf(node) ?? "");
    if (binding?.kind === "import" && binding.imported !== undefined) return reExport(binding.imported.specifier, binding.imported.name);
    if (binding?.kind === "class") return { kind: "class", variants: [], isComplete: false, from: null };
    if (binding?.kind === "function" && binding.writes === 0 && isFunction(binding.declaration)) return this.#functionFact(binding.declaration);
    const value = constantNode(node, scope);
    return value === undefined || value.node === node ? unknownFact : this.#fact(value.node, value.scope, depth + 1);
  }

  #functionFact(node: SyntaxNode): FactOf {
    const { values, isComplete } = returnedValues(node, this.#index);
    const shapes = new Map(values.map((value) => valueShape(value.node, value.scope)).map((shape) => [JSON.stringify(shape), shape]));
    return { kind: "function", variants: [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shape]) => shape), isComplete, from: null };
  }
}

type FactOf = Omit<ExportFact, "name">;

const unknownFact: FactOf = { kind: "unknown", variants: [], isComplete: false, from: null };

function reExport(specifier: string, name: string): FactOf {
  return { kind: "re-export", variants: [], isComplete: true, from: { specifier, name } };
}

/** Exports of one file or module. */
class Unit {
  readonly #exports = new Map<string, FactOf>();
  readonly #stars = new Set<string>();
  #places = 0;
  #isComplete = true;

  add(name: string, fact: FactOf): void {
    const known = this.#exports.get(name);
    if (known === undefined && this.#exports.size >= mostExports) {
      this.#isComplete = false;
      return;
    }
    // Given twice: which of them holds is decided when the program runs; `exports.a = void 0` is only a declaration.
    const isEmpty = known?.kind === "value" && known.variants.every((shape) => shape.every(([, token]) => token === "undefined"));
    const chosen = known === undefined || isEmpty ? fact : unknownFact;
    const places = chosen.variants.reduce((sum, shape) => sum + shape.length, 0);
    const hasRoom = this.#places + places <= mostPlaces;
    if (hasRoom) this.#places += places;
    this.#exports.set(name, hasRoom ? chosen : { ...chosen, variants: [], isComplete: false });
  }

  star(specifier: string): void {
    if (this.#stars.size < mostExports) this.#stars.add(specifier);
    else this.#isComplete = false;
  }

  dynamic(): void {
    this.#isComplete = false;
  }

  facts(): ExportFacts {
    return {
      exports: [...this.#exports].map(([name, fact]) => ({ name, ...fact })).sort((a, b) => (a.name < b.name ? -1 : 1)),
      stars: [...this.#stars].sort(),
      isComplete: this.#isComplete,
    };
  }
}

function specifierName(node: SyntaxNode | undefined): string | undefined {
  return nameOf(node) ?? stringValue(node);
}

/** Names that a pattern declares, without what they stand for. */
function* patternNames(pattern: SyntaxNode | undefined, depth = 0): Generator<[string]> {
  if (pattern === undefined || depth > 16) return;
  const name = nameOf(pattern);
  if (name !== undefined) yield [name];
  for (const one of children(pattern, "properties")) yield* patternNames(child(one, "value") ?? child(one, "argument"), depth + 1);
  for (const one of children(pattern, "elements")) yield* patternNames(one, depth + 1);
  yield* patternNames(child(pattern, "left") ?? child(pattern, "argument"), depth + 1);
}
