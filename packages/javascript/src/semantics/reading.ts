import type { Origins } from "../facts/origin.js";
import type { Bundle } from "../parts/bundle.js";
import { argumentAt, bare, child, isFunction, memberName, nameOf, type FunctionNode, type SyntaxNode } from "../syntax/node.js";
import type { Binding, Scope } from "../syntax/scope.js";
import { partialText } from "../facts/constant.js";
import type { ImportedName, ModuleReference } from "./file-semantics.js";
import type { FunctionShape } from "./function-shape.js";
import type { SemanticTable } from "./semantic-table.js";

/** What is known of one file while its nodes pass by: which node of the graph stands for what. */
export class SemanticReading {
  readonly table: SemanticTable;
  readonly origins: Origins;
  readonly bundle: Bundle;
  readonly functions = new Map<SyntaxNode, number>();
  readonly calls = new Map<SyntaxNode, number>();
  readonly configuration = new Map<SyntaxNode, number>();
  readonly imports: ImportedName[] = [];
  readonly #bindings = new Map<Binding, number>();
  readonly #fields = new Map<SyntaxNode, Map<string, number>>();
  /** Counts the modules of a bundle; 0 is the file. */
  module = 0;
  /** Of the module that is being read. */
  literals = new Map<string, number>();
  scope: Scope;
  /** Innermost last. */
  readonly open: FunctionShape[] = [];
  readonly classes: SyntaxNode[] = [];

  constructor(parts: { readonly table: SemanticTable; readonly origins: Origins; readonly bundle: Bundle; readonly scope: Scope }) {
    this.table = parts.table;
    this.origins = parts.origins;
    this.bundle = parts.bundle;
    this.scope = parts.scope;
  }

  /** The function that is being read; -1 when it has no node. */
  get here(): number {
    return this.open.at(-1)?.node ?? -1;
  }

  effect(name: string): void {
    this.open.at(-1)?.effects.add(name);
  }

  functionNode(node: FunctionNode, name: string, within: number): number {
    const known = this.functions.get(node);
    if (known !== undefined) return known;
    const index = this.table.add({ kind: "function", name, start: node.start, end: node.end, within });
    this.functions.set(node, index);
    return index;
  }

  /** The node of a name: its function where it names one, else a binding or parameter. */
  bindingNode(binding: Binding): number {
    const known = this.#bindings.get(binding);
    if (known !== undefined) return known;
    const { declaration, name, kind } = binding;
    const around = this.#around(binding);
    if (kind === "function" && isFunction(declaration)) return this.#keep(binding, this.functionNode(declaration, name, around));
    const index = this.table.add({ kind: kind === "parameter" ? "parameter" : "binding", name, start: declaration.start, end: declaration.end, within: around });
    this.#keep(binding, index);
    if (kind === "class") this.table.tell(index, "class", true);
    const reference = this.referenceOf(binding);
    if (reference !== undefined && index >= 0) this.imports.push({ node: index, ...reference });
    return index;
  }

  fieldNode(owner: SyntaxNode, name: string, at: SyntaxNode): number {
    const fields = this.#fields.get(owner) ?? new Map<string, number>();
    this.#fields.set(owner, fields);
    const known = fields.get(name);
    if (known !== undefined) return known;
    const index = this.table.add({ kind: "binding", name: `this.${name}`, start: at.start, end: at.end, within: this.here });
    fields.set(name, index);
    return index;
  }

  literalNode(value: string, at: SyntaxNode, isPartial: boolean): number {
    if (value === "" || value.length > 2048) return -1;
    const known = this.literals.get(value);
    if (known !== undefined) return known;
    const index = this.table.add({ kind: "literal", name: value, start: at.start, end: at.end, within: this.here });
    this.literals.set(value, index);
    if (isPartial) this.table.tell(index, "partial", true);
    return index;
  }

  /** What a name or expression is of another module; undefined for everything of this one. */
  reference(given: SyntaxNode | undefined, scope: Scope): ModuleReference | undefined {
    const node = bare(given);
    if (node === undefined) return undefined;
    const origin = this.origins.of(node, scope);
    if (origin !== undefined) return origin.module === null ? undefined : { specifier: origin.module, inside: null, path: origin.path };
    return this.#inside(node, scope, 0);
  }

  referenceOf(binding: Binding): ModuleReference | undefined {
    if (binding.imported !== undefined) {
      const { specifier, name } = binding.imported;
      return { specifier, inside: null, path: name === "*" ? [] : [name] };
    }
    const { source } = binding;
    if (source === undefined || binding.kind === "class" || binding.kind === "function") return undefined;
    const from = this.reference(source.value, binding.scope);
    if (from === undefined) return undefined;
    const path: string[] = [...from.path];
    for (const key of source.path) {
      if (key === null) return undefined;
      path.push(key);
    }
    return { ...from, path };
  }

  text(node: SyntaxNode): { readonly value: string; readonly isDynamic: boolean } | undefined {
    return partialText(node, this.scope);
  }

  /** `n(12)`, a name that is given it, and members of either. */
  #inside(node: SyntaxNode, scope: Scope, depth: number): ModuleReference | undefined {
    if (depth > 6) return undefined;
    if (node.type === "CallExpression") {
      const asked = this.bundle.requestedId(node, scope);
      if (asked !== undefined) return { specifier: null, inside: asked.id, path: [] };
      return this.#interop(node, scope, depth);
    }
    if (node.type === "Identifier") return this.#insideName(node, scope, depth);
    if (node.type !== "MemberExpression") return undefined;
    const object = bare(child(node, "object"));
    const from = object === undefined ? undefined : this.#inside(object, scope, depth + 1);
    const name = memberName(node);
    return from === undefined || name === undefined ? undefined : { ...from, path: [...from.path, name] };
  }

  #insideName(node: SyntaxNode, scope: Scope, depth: number): ModuleReference | undefined {
    const binding = scope.resolve(nameOf(node) ?? "");
    const value = bare(binding?.source?.value);
    if (binding?.source === undefined || value === undefined || value === node || binding.writes > 1) return undefined;
    const [key, ...more] = binding.source.path;
    if (key === null || more.length > 0) return undefined;
    const from = this.#inside(value, binding.scope, depth + 1);
    return from === undefined || key === undefined ? from : { ...from, path: [...from.path, key] };
  }

  /** `n.n(x)` and `x()` of it: webpack's getter for a default export. */
  #interop(node: SyntaxNode, scope: Scope, depth: number): ModuleReference | undefined {
    const callee = bare(child(node, "callee"));
    const first = argumentAt(node, 0);
    if (callee?.type === "Identifier" && first === undefined) return this.#inside(callee, scope, depth + 1);
    const value = callee?.type === "MemberExpression" && memberName(callee) === "n" ? bare(first) : undefined;
    return value === undefined ? undefined : this.#inside(value, scope, depth + 1);
  }

  #keep(binding: Binding, index: number): number {
    this.#bindings.set(binding, index);
    return index;
  }

  #around(binding: Binding): number {
    const owner = binding.scope.functionScope().node;
    return this.functions.get(owner) ?? this.open[0]?.node ?? -1;
  }
}
