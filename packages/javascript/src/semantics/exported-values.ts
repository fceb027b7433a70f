import { argumentAt, bare, child, children, isFunction, memberName, nameOf, propertyKey, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { ExportedName } from "./file-semantics.js";
import { settledFunction } from "./call-sites.js";
import type { SemanticReading } from "./reading.js";
import { namesIn } from "./flows.js";
import { valuesOf } from "./values.js";

const most = 5000;

/** What a file, or a module of its bundle, gives to others. */
export class ExportedValues {
  readonly found: ExportedName[] = [];
  readonly #reading: SemanticReading;

  constructor(reading: SemanticReading) {
    this.#reading = reading;
  }

  leave(node: SyntaxNode): void {
    switch (node.type) {
      case "ExportNamedDeclaration":
        this.#named(node);
        return;
      case "ExportDefaultDeclaration": {
        const declaration = child(node, "declaration");
        const name = nameOf(declaration === undefined ? undefined : child(declaration, "id"));
        this.#add("default", node, name === undefined ? this.#values(declaration) : this.#ofName(name));
        return;
      }
      case "ExportAllDeclaration": {
        const specifier = stringValue(child(node, "source"));
        if (specifier !== undefined) this.#push({ name: nameOf(child(node, "exported")) ?? "*", at: node.start, nodes: [], from: { specifier, inside: null, path: [] } });
        return;
      }
      case "AssignmentExpression":
        this.#assigned(node);
        return;
      case "CallExpression":
        this.#defined(node);
        return;
      default:
    }
  }

  #named(node: SyntaxNode): void {
    const specifier = stringValue(child(node, "source"));
    for (const one of children(node, "specifiers")) {
      const exported = child(one, "exported");
      const local = child(one, "local");
      const name = nameOf(exported) ?? stringValue(exported);
      const localName = nameOf(local) ?? stringValue(local);
      if (name === undefined || localName === undefined) continue;
      if (specifier === undefined) this.#add(name, one, this.#ofName(localName));
      else this.#push({ name, at: one.start, nodes: [], from: { specifier, inside: null, path: [localName] } });
    }
    const declaration = child(node, "declaration");
    if (declaration === undefined) return;
    const own = nameOf(child(declaration, "id"));
    const names = own !== undefined ? [own] : children(declaration, "declarations").flatMap((one) => namesIn(child(one, "id") ?? one));
    for (const name of names) this.#add(name, declaration, this.#ofName(name));
  }

  /** `exports.a = …`, `module.exports = …`, in a bundle also of the factory's parameters. */
  #assigned(node: SyntaxNode): void {
    const target = bare(child(node, "left"));
    if (target?.type !== "MemberExpression") return;
    const object = bare(child(target, "object"));
    const name = memberName(target);
    if (object === undefined || name === undefined) return;
    const value = bare(child(node, "right"));
    const isModule = name === "exports" && object.type === "Identifier";
    if (isModule && value?.type === "ObjectExpression") this.#members(value);
    if (isModule) this.#add("default", node, this.#values(value), value);
    else if (this.#isExports(object)) this.#add(name, node, this.#values(value), value);
  }

  #members(object: SyntaxNode): void {
    for (const property of children(object, "properties")) {
      const key = property.type === "Property" ? propertyKey(property) : undefined;
      if (key !== undefined) this.#add(key, property, this.#values(child(property, "value")), bare(child(property, "value")));
    }
  }

  /** `n.d(t, {a: () => b})`, `n.d(t, "a", function () { return b })`, `Object.defineProperty(exports, "a", {get: …})` */
  #defined(node: SyntaxNode): void {
    const callee = bare(child(node, "callee"));
    if (callee?.type !== "MemberExpression") return;
    const method = memberName(callee);
    if (method !== "d" && method !== "defineProperty") return;
    const table = bare(argumentAt(node, 1));
    if (method === "d" && table?.type === "ObjectExpression") {
      for (const property of children(table, "properties")) {
        const key = propertyKey(property);
        if (key !== undefined) this.#add(key, property, this.#given(bare(child(property, "value"))));
      }
      return;
    }
    const name = stringValue(table);
    const last = bare(argumentAt(node, 2));
    if (name === undefined || last === undefined || (method === "defineProperty" && !this.#isExports(bare(argumentAt(node, 0))))) return;
    const getter = isFunction(last) ? last : children(last, "properties").map((one) => bare(child(one, "value"))).find((one) => isFunction(one));
    this.#add(name, node, this.#given(getter));
  }

  /** What a getter gives back. */
  #given(getter: SyntaxNode | undefined): readonly number[] {
    if (!isFunction(getter)) return [];
    const body = child(getter, "body");
    const value = body?.type === "BlockStatement" ? children(body, "body").map((one) => (one.type === "ReturnStatement" ? child(one, "argument") : undefined)).find((one) => one !== undefined) : body;
    const name = nameOf(bare(value));
    return name === undefined ? this.#values(value) : this.#ofName(name);
  }

  #isExports(object: SyntaxNode | undefined): boolean {
    if (object?.type === "MemberExpression") return memberName(object) === "exports";
    const name = nameOf(object);
    if (name === undefined) return false;
    const binding = this.#reading.scope.resolve(name);
    if (binding === undefined) return name === "exports";
    // Factories take what they export as a parameter.
    return binding.kind === "parameter" && this.#reading.bundle.moduleOfFactory(binding.scope.node) !== undefined && binding.parameter < 3;
  }

  #values(value: SyntaxNode | undefined): readonly number[] {
    return valuesOf(value, this.#reading);
  }

  /** The name and, where it is one, its function. */
  #ofName(name: string): readonly number[] {
    const binding = this.#reading.scope.resolve(name);
    if (binding === undefined) return [];
    const node = settledFunction(binding);
    const found = node === undefined ? undefined : this.#reading.functions.get(node);
    const own = this.#reading.bindingNode(binding);
    return found === undefined || found === own ? [own] : [own, found];
  }

  #add(name: string, at: SyntaxNode, nodes: readonly number[], value?: SyntaxNode): void {
    const from = value === undefined ? undefined : this.#reading.reference(value, this.#reading.scope);
    const alias = nameOf(value);
    const found = alias === undefined ? nodes : [...new Set([...nodes, ...this.#ofName(alias)])];
    this.#push({ name, at: at.start, nodes: found.filter((node) => node >= 0), from: from ?? null });
  }

  #push(one: ExportedName): void {
    if (this.found.length < most && (one.nodes.length > 0 || one.from !== null)) this.found.push(one);
  }
}
