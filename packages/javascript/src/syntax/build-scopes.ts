import { child, children, isFunction, nameOf, propertyKey, stringValue, text, type SyntaxNode } from "./node.js";
import { Scope, type Binding, type BindingKind, type BindingSource } from "./scope.js";
import { visit, type FlatTree } from "./flat-tree.js";
import { kindTable } from "./kinds.js";

/** A program's scopes by the node that opens them. */
export interface ScopeIndex {
  readonly root: Scope;
  readonly scopes: ReadonlyMap<SyntaxNode, Scope>;
}

const blocks: ReadonlySet<string> = new Set(["BlockStatement", "ForStatement", "ForInStatement", "ForOfStatement", "SwitchStatement", "CatchClause", "StaticBlock", "TSModuleBlock"]);
const classes: ReadonlySet<string> = new Set(["ClassDeclaration", "ClassExpression"]);

interface Assignment {
  readonly scope: Scope;
  readonly name: string;
  readonly value: SyntaxNode | undefined;
}

const declaring = kindTable([...blocks, ...classes, "FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "VariableDeclaration", "ImportDeclaration", "TSImportEqualsDeclaration", "AssignmentExpression", "UpdateExpression"]);
const opening = kindTable([...blocks, ...classes, "Program", "FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Whether nodes of a type can open a scope: others need not be asked for. */
export function canOpenScope(kind: number): boolean {
  return opening[kind] === true;
}

/** Declares every name of a program where the language puts it. `seen` is shown each node on the way. */
export function buildScopes(tree: FlatTree, seen: (node: SyntaxNode, kind: number, scope: Scope) => void): ScopeIndex {
  const [program] = tree.nodes;
  if (program === undefined) throw new Error("A tree has a root.");
  const builder = new ScopeBuilder(program, seen);
  visit(tree, builder);
  return builder.finish();
}

class ScopeBuilder {
  readonly #scopes = new Map<SyntaxNode, Scope>();
  readonly #assignments: Assignment[] = [];
  readonly #root: Scope;
  readonly #seen: (node: SyntaxNode, kind: number, scope: Scope) => void;
  #scope: Scope;

  constructor(program: SyntaxNode, seen: (node: SyntaxNode, kind: number, scope: Scope) => void) {
    this.#root = new Scope(program, undefined, true);
    this.#scope = this.#root;
    this.#scopes.set(program, this.#root);
    this.#seen = seen;
  }

  enter = (node: SyntaxNode, kind: number, ancestors: readonly SyntaxNode[]): undefined => {
    if (declaring[kind] === true) this.#declare(node, ancestors);
    this.#seen(node, kind, this.#scope);
  };

  leave = (node: SyntaxNode): void => {
    if (this.#scope.node === node && this.#scope.parent !== undefined) this.#scope = this.#scope.parent;
  };

  finish(): ScopeIndex {
    for (const { scope, name, value } of this.#assignments) {
      const binding = scope.resolve(name);
      if (binding === undefined) continue;
      binding.writes += 1;
      if (binding.source === undefined && binding.kind === "variable" && binding.writes === 1 && value !== undefined) {
        binding.source = { value, path: [] };
      } else if (binding.writes > 1 && binding.kind === "variable") binding.source = undefined;
    }
    return { root: this.#root, scopes: this.#scopes };
  }

  #declare(node: SyntaxNode, ancestors: readonly SyntaxNode[]): void {
    switch (node.type) {
      case "VariableDeclaration":
        this.#variables(node, ancestors.at(-1));
        return;
      case "ImportDeclaration":
        this.#imports(node);
        return;
      case "TSImportEqualsDeclaration":
        this.#importEquals(node);
        return;
      case "AssignmentExpression":
        this.#assign(child(node, "left"), text(node, "operator") === "=" ? child(node, "right") : undefined);
        return;
      case "UpdateExpression":
        this.#assign(child(node, "argument"), undefined);
        return;
      default:
        if (isFunction(node)) this.#function(node);
        else if (classes.has(node.type)) this.#class(node);
        else if (blocks.has(node.type)) this.#block(node, ancestors.at(-1));
    }
  }

  #variables(node: SyntaxNode, parent: SyntaxNode | undefined): void {
    const kind = text(node, "kind");
    const scope = kind === "var" ? this.#scope.functionScope() : this.#scope;
    const isLoop = parent?.type === "ForInStatement" || parent?.type === "ForOfStatement";
    for (const declarator of children(node, "declarations")) {
      const value = isLoop ? undefined : child(declarator, "init");
      const how = { kind: kind === "const" ? "constant" : "variable", scope, parameter: -1 } as const;
      this.#pattern(child(declarator, "id"), value === undefined ? undefined : { value, path: [] }, how);
    }
  }

  #function(node: SyntaxNode): void {
    const id = child(node, "id");
    const name = nameOf(id);
    if (node.type === "FunctionDeclaration" && name !== undefined) {
      this.#add(name, { kind: "function", scope: this.#scope, declaration: node, source: { value: node, path: [] } });
    }
    const scope = this.#open(node, true);
    if (node.type === "FunctionExpression" && name !== undefined) {
      this.#add(name, { kind: "function", scope, declaration: node, source: { value: node, path: [] } });
    }
    children(node, "params").forEach((parameter, index) => this.#pattern(parameter, undefined, { kind: "parameter", scope, parameter: index }));
  }

  #class(node: SyntaxNode): void {
    const name = nameOf(child(node, "id"));
    if (name === undefined) return;
    if (node.type === "ClassDeclaration") this.#add(name, { kind: "class", scope: this.#scope, declaration: node, source: { value: node, path: [] } });
    else this.#add(name, { kind: "class", scope: this.#open(node, false), declaration: node, source: { value: node, path: [] } });
  }

  #block(node: SyntaxNode, parent: SyntaxNode | undefined): void {
    // A function's own block shares the scope of its parameters, as `var` in it does.
    if (node.type === "BlockStatement" && (isFunction(parent) || parent?.type === "CatchClause")) return;
    const scope = this.#open(node, node.type === "StaticBlock" || node.type === "TSModuleBlock");
    if (node.type === "CatchClause") this.#pattern(child(node, "param"), undefined, { kind: "catch", scope, parameter: -1 });
  }

  #imports(node: SyntaxNode): void {
    const specifier = stringValue(child(node, "source"));
    if (specifier === undefined) return;
    for (const part of children(node, "specifiers")) {
      const local = nameOf(child(part, "local"));
      if (local === undefined) continue;
      const imported = part.type === "ImportNamespaceSpecifier" ? "*" : part.type === "ImportDefaultSpecifier" ? "default" : importedName(part);
      this.#add(local, { kind: "import", scope: this.#scope, declaration: part, imported: { specifier, name: imported } });
    }
  }

  #importEquals(node: SyntaxNode): void {
    const reference = child(node, "moduleReference");
    const specifier = reference?.type === "TSExternalModuleReference" ? stringValue(child(reference, "expression")) : undefined;
    const local = nameOf(child(node, "id"));
    if (local === undefined || specifier === undefined) return;
    this.#add(local, { kind: "import", scope: this.#scope, declaration: node, imported: { specifier, name: "*" } });
  }

  #assign(target: SyntaxNode | undefined, value: SyntaxNode | undefined): void {
    const name = nameOf(target);
    if (name !== undefined) this.#assignments.push({ scope: this.#scope, name, value });
  }

  #pattern(given: SyntaxNode | undefined, source: BindingSource | undefined, how: { readonly kind: BindingKind; readonly scope: Scope; readonly parameter: number }): void {
    const stack: { readonly node: SyntaxNode | undefined; readonly source: BindingSource | undefined; readonly parameter: number }[] = [{ node: given, source, parameter: how.parameter }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { node } = next;
      const from = next.source;
      const below = (key: string | null): BindingSource | undefined => (from === undefined ? undefined : { value: from.value, path: [...from.path, key] });
      if (node === undefined) continue;
      const name = nameOf(node);
      if (name !== undefined) this.#add(name, { ...how, parameter: next.parameter, declaration: node, source: from });
      else if (node.type === "AssignmentPattern" || node.type === "TSParameterProperty") {
        stack.push({ ...next, node: child(node, "left") ?? child(node, "parameter") });
      } else if (node.type === "RestElement") stack.push({ node: child(node, "argument"), source: below(null), parameter: -1 });
      else if (node.type === "ArrayPattern") children(node, "elements").forEach((item) => stack.push({ node: item, source: below(null), parameter: -1 }));
      else if (node.type === "ObjectPattern") {
        for (const property of children(node, "properties")) {
          if (property.type === "RestElement") stack.push({ node: property, source: from, parameter: -1 });
          else stack.push({ node: child(property, "value"), source: below(propertyKey(property) ?? null), parameter: -1 });
        }
      }
    }
  }

  #add(name: string, given: Partial<Binding> & Pick<Binding, "kind" | "scope" | "declaration">): void {
    const earlier = given.scope.bindings.get(name);
    if (earlier !== undefined) {
      // `var a = 1; var a = 2;` is one name written twice.
      if (given.source !== undefined && earlier.source !== undefined && earlier.kind !== "function") earlier.writes += 1;
      else earlier.source ??= given.source;
      return;
    }
    given.scope.bindings.set(name, { name, source: undefined, isInitialised: given.source !== undefined, writes: 0, parameter: -1, imported: undefined, ...given });
  }

  #open(node: SyntaxNode, ownsVariables: boolean): Scope {
    const scope = new Scope(node, this.#scope, ownsVariables);
    this.#scopes.set(node, scope);
    this.#scope = scope;
    return scope;
  }
}

function importedName(part: SyntaxNode): string {
  const imported = child(part, "imported");
  return nameOf(imported) ?? stringValue(imported) ?? "default";
}
