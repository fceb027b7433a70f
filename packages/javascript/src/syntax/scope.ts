import type { SyntaxNode } from "./node.js";

export type BindingKind = "variable" | "constant" | "parameter" | "function" | "class" | "import" | "catch";

/** Where a destructured name takes its value from: the keys below a value. */
export interface BindingSource {
  readonly value: SyntaxNode;
  /** Null for a key that is computed or a rest element. */
  readonly path: readonly (string | null)[];
}

/** A name in its scope. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly scope: Scope;
  readonly declaration: SyntaxNode;
  /** What it is initialised with, or assigned to when that happens once and nowhere else. */
  source: BindingSource | undefined;
  /** Its declaration gives it a value. */
  readonly isInitialised: boolean;
  /** Assignments after the declaration. */
  writes: number;
  /** Position of a parameter; -1 for others, and for names inside a destructured parameter. */
  readonly parameter: number;
  /** Module and exported name of an import; `*` is the namespace. */
  readonly imported: { readonly specifier: string; readonly name: string } | undefined;
}

/** A region of text with names of its own. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly node: SyntaxNode;
  readonly isFunction: boolean;
  readonly bindings = new Map<string, Binding>();

  constructor(node: SyntaxNode, parent: Scope | undefined, isFunction: boolean) {
    this.node = node;
    this.parent = parent;
    this.isFunction = isFunction;
  }

  /** The nearest binding of a name; undefined for a global. */
  resolve(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const found = scope.bindings.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The nearest scope that `var` declares in. */
  functionScope(): Scope {
    let scope: Scope = this;
    while (!scope.isFunction && scope.parent !== undefined) scope = scope.parent;
    return scope;
  }
}
