import type { Bundle } from "../parts/bundle.js";
import type { FoundModule } from "../parts/found-part.js";
import type { ScopeIndex } from "../syntax/build-scopes.js";
import { argumentAt, bare, child, children, elements, isFunction, memberName, nameOf, propertyKey, stringValue, text, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import type { Detector, Sight } from "./detector.js";
import { noExports, reExport, unknownExport, type ExportFacts, type ExportValue } from "./exports/export-fact.js";
import { ExportUnit } from "./exports/export-unit.js";
import { ExportedValues } from "./exports/exported-value.js";
import { ExportsOwners, type ExportsOwner } from "./exports/exports-owner.js";

/** What files and bundled modules export, with the shapes of what exported functions return. */
export class ExportedShapes implements Detector {
  readonly types = ["ExportNamedDeclaration", "ExportDefaultDeclaration", "ExportAllDeclaration", "AssignmentExpression", "CallExpression"];
  readonly #bundle: Bundle;
  readonly #values: ExportedValues;
  readonly #owners: ExportsOwners;
  readonly #units = new Map<FoundModule | undefined, ExportUnit>();

  constructor(bundle: Bundle, index: ScopeIndex) {
    this.#bundle = bundle;
    this.#values = new ExportedValues(bundle, index);
    this.#owners = new ExportsOwners(bundle);
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    switch (node.type) {
      case "ExportNamedDeclaration":
        this.#named(node, scope);
        return;
      case "ExportDefaultDeclaration":
        this.#unit(undefined).add("default", this.#values.of(child(node, "declaration"), scope));
        return;
      case "ExportAllDeclaration":
        this.#star(node);
        return;
      case "AssignmentExpression":
        this.#assigned(node, scope);
        return;
      default:
        this.#call(node, scope);
    }
  }

  /** Of the file, and of its modules in their order. */
  finish(): { readonly file: ExportFacts; readonly modules: readonly ExportFacts[] } {
    const factsOf = (module: FoundModule | undefined): ExportFacts => this.#units.get(module)?.facts() ?? noExports;
    return { file: factsOf(undefined), modules: this.#bundle.modules.map(factsOf) };
  }

  #unit(module: FoundModule | undefined): ExportUnit {
    const known = this.#units.get(module) ?? new ExportUnit();
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
        if (name !== undefined) unit.add(name, this.#values.of(child(one, "init"), scope));
        else for (const key of patternNames(id)) unit.add(key, unknownExport);
      }
    } else if (declaration !== undefined) {
      const name = nameOf(child(declaration, "id"));
      if (name !== undefined) unit.add(name, this.#values.of(declaration, scope));
    }
    const source = stringValue(child(node, "source"));
    for (const one of children(node, "specifiers")) {
      const [exported, local] = [specifierName(child(one, "exported")), specifierName(child(one, "local"))];
      if (exported === undefined || text(one, "exportKind") === "type") continue;
      if (source !== undefined) unit.add(exported, reExport(source, local ?? "*"));
      else unit.add(exported, this.#values.of(child(one, "local"), scope));
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
    const owner = this.#owners.of(bare(child(target, "object")), scope);
    if (owner === undefined) return;
    const name = memberName(target);
    const unit = this.#unit(owner.module);
    const value = child(node, "right");
    if (owner.role === "exports") {
      if (name === undefined) this.#copiedBy(unit, { key: child(target, "property"), value, scope });
      else if (bare(value)?.type !== "UnaryExpression" || name !== "default") unit.add(name, this.#values.of(value, scope));
    } else if (owner.role === "module" && name === "exports") this.#whole(unit, value, scope);
  }

  #whole(unit: ExportUnit, value: SyntaxNode | undefined, scope: Scope): void {
    const node = bare(value);
    const fact = this.#values.of(value, scope);
    unit.add("module.exports", fact);
    if (fact.from?.name === "*") unit.star(fact.from.specifier);
    if (node?.type === "ObjectExpression") this.#members(unit, node, scope);
  }

  #members(unit: ExportUnit, object: SyntaxNode, scope: Scope): void {
    for (const property of children(object, "properties")) {
      const key = property.type === "Property" ? propertyKey(property) : undefined;
      if (key === undefined) unit.dynamic();
      else unit.add(key, this.#values.of(child(property, "value"), scope));
    }
  }

  #call(node: SyntaxNode, scope: Scope): void {
    const factory = this.#owners.see(node, scope);
    if (factory !== undefined) this.#factory(factory);
    const callee = bare(child(node, "callee"));
    const method = callee?.type === "MemberExpression" ? memberName(callee) : undefined;
    const setter = this.#owners.of(method === undefined ? callee : bare(child(callee ?? node, "object")), scope);
    if (setter?.role === "setter") this.#set(node, { unit: this.#unit(setter.module), method, scope });
    else this.#copied(node, { callee, method, scope });
  }

  /** What a factory returns is its module, where loaders take it. */
  #factory(factory: SyntaxNode): void {
    const value = this.#values.ofFactory(factory);
    const unit = this.#unit(this.#bundle.moduleOfFactory(factory));
    if (value === undefined) return;
    unit.add("module.exports", value);
    const returned = this.#values.objectOf(factory);
    if (returned !== undefined) this.#members(unit, returned.node, returned.scope);
  }

  /** `e.s(["a", () => a])`, `e.v(value)` of Turbopack; `exports("a", a)`, `exports({a: a})` of SystemJS. */
  #set(node: SyntaxNode, { unit, method, scope }: { readonly unit: ExportUnit; readonly method: string | undefined; readonly scope: Scope }): void {
    const first = bare(argumentAt(node, 0));
    const name = stringValue(first);
    if (method === undefined && name !== undefined) unit.add(name, this.#values.of(argumentAt(node, 1), scope));
    else if (method === undefined && first?.type === "ObjectExpression") this.#members(unit, first, scope);
    else if (method === undefined || method === "j" || method === "n") unit.dynamic();
    else if (method === "s") this.#getters(unit, first, scope);
    else if (method === "v") this.#whole(unit, argumentAt(node, 0), scope);
  }

  /** Calls that are given an `exports`: as the object to fill, or as what copies go to. */
  #copied(node: SyntaxNode, { callee, method, scope }: { readonly callee: SyntaxNode | undefined; readonly method: string | undefined; readonly scope: Scope }): void {
    const [first, second] = [bare(argumentAt(node, 0)), bare(argumentAt(node, 1))];
    if (first === undefined) return;
    const owner = this.#filled(first, scope, callee);
    if (owner !== undefined) this.#filling(node, { unit: this.#unit(owner.module), name: method ?? nameOf(callee) ?? "", scope });
    else if (second !== undefined && this.#owners.of(second, scope)?.role === "exports") this.#starred(this.#owners.of(second, scope), first, scope);
  }

  /** The library that a bundle is hands its exports out through an object of the module it begins with. */
  #filled(first: SyntaxNode, scope: Scope, callee: SyntaxNode | undefined): ExportsOwner | undefined {
    const owner = this.#owners.of(first, scope);
    if (owner !== undefined) return owner.role === "exports" ? owner : undefined;
    const isRuntime = callee?.type === "MemberExpression" && memberName(callee) === "d" && this.#bundle.isRuntime(bare(child(callee, "object")), scope);
    return isRuntime && first.type === "Identifier" && this.#bundle.entry !== undefined ? { module: this.#bundle.entry, role: "exports" } : undefined;
  }

  #filling(node: SyntaxNode, { unit, name, scope }: { readonly unit: ExportUnit; readonly name: string; readonly scope: Scope }): void {
    const second = bare(argumentAt(node, 1));
    const key = stringValue(second);
    if (name === "assign") {
      for (const one of children(node, "arguments").slice(1)) if (bare(one)?.type === "ObjectExpression") this.#members(unit, bare(one) ?? one, scope);
      else unit.dynamic();
    } else if (/star$|^reExport$|^__reExport$/iu.test(name)) this.#starredIn(unit, second, scope);
    else if (second?.type === "ObjectExpression" || second?.type === "ArrayExpression") this.#getters(unit, second, scope);
    else if (name === "defineProperty" && key === undefined) this.#copiedBy(unit, { key: second, value: this.#values.gotten(argumentAt(node, 2)), scope });
    else if (key !== undefined && key !== "__esModule") unit.add(key, this.#described(argumentAt(node, 2), scope));
    else if (name === "d") unit.dynamic();
  }

  /** `{get: () => x}`, `{value: x}`, or the getter itself. */
  #described(given: SyntaxNode | undefined, scope: Scope): ExportValue {
    const third = bare(given);
    if (isFunction(third)) return this.#values.returned(third);
    const property = (name: string): SyntaxNode | undefined => children(third ?? { type: "", start: 0, end: 0 }, "properties").find((one) => propertyKey(one) === name);
    const [getter, value] = [property("get"), property("value")];
    const get = getter === undefined ? undefined : child(getter, "value");
    if (isFunction(get)) return this.#values.returned(get);
    return value === undefined ? unknownExport : this.#values.of(child(value, "value"), scope);
  }

  /** `{a: () => a}`, and the list form `["a", () => a, "b", 0, value]`. */
  #getters(unit: ExportUnit, given: SyntaxNode | undefined, scope: Scope): void {
    if (given?.type === "ArrayExpression") this.#list(unit, given, scope);
    else if (given?.type !== "ObjectExpression") unit.dynamic();
    else
      for (const property of children(given, "properties")) {
        const name = propertyKey(property);
        const value = child(property, "value");
        if (name === undefined) unit.dynamic();
        else if (isFunction(value)) unit.add(name, this.#values.returned(value));
        else if (value?.type === "ArrayExpression") unit.add(name, this.#described(elements(value, "elements")[0], scope));
        else if (value?.type === "ObjectExpression") unit.add(name, this.#described(value, scope));
        else unit.add(name, this.#values.of(value, scope));
      }
  }

  #list(unit: ExportUnit, list: SyntaxNode, scope: Scope): void {
    const items = elements(list, "elements");
    for (let at = 0; at < items.length; at += 1) {
      const name = stringValue(items[at]);
      const next = bare(items[at + 1]);
      // Setters follow getters and name nothing.
      if (name === undefined) continue;
      if (next?.type === "Literal" && next["value"] === 0) unit.add(name, this.#values.of(items[at + 2], scope));
      else unit.add(name, isFunction(next) ? this.#values.returned(next) : unknownExport);
      at += next?.type === "Literal" ? 2 : 1;
    }
  }

  /** `exports[key] = a[key]`, in whatever loop over the names of `a` that stands. */
  #copiedBy(unit: ExportUnit, { key, value, scope }: { readonly key: SyntaxNode | undefined; readonly value: SyntaxNode | undefined; readonly scope: Scope }): void {
    const from = bare(value);
    const isSame = from?.type === "MemberExpression" && from["computed"] === true && nameOf(child(from, "property")) === nameOf(key) && nameOf(key) !== undefined;
    if (isSame) this.#starredIn(unit, child(from, "object"), scope);
    else unit.dynamic();
  }

  /** `__exportStar(require("./a"), exports)` */
  #starred(owner: ExportsOwner | undefined, source: SyntaxNode, scope: Scope): void {
    if (owner !== undefined) this.#starredIn(this.#unit(owner.module), source, scope);
  }

  #starredIn(unit: ExportUnit, source: SyntaxNode | undefined, scope: Scope): void {
    const module = this.#values.moduleOf(source, scope);
    if (module === undefined) unit.dynamic();
    else unit.star(module);
  }
}

function specifierName(node: SyntaxNode | undefined): string | undefined {
  return nameOf(node) ?? stringValue(node);
}

/** Names that a pattern declares, without what they stand for. */
function* patternNames(pattern: SyntaxNode | undefined, depth = 0): Generator<string> {
  if (pattern === undefined || depth > 16) return;
  const name = nameOf(pattern);
  if (name !== undefined) yield name;
  for (const one of children(pattern, "properties")) yield* patternNames(child(one, "value") ?? child(one, "argument"), depth + 1);
  for (const one of children(pattern, "elements")) yield* patternNames(one, depth + 1);
  yield* patternNames(child(pattern, "left") ?? child(pattern, "argument"), depth + 1);
}
