import { childKeys } from "./child-keys.js";
import { isNode, type SyntaxNode } from "./node.js";

export interface Visitor {
  /** Called before the children; `false` passes them over (leave is called all the same). */
  enter(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean | undefined;
  leave(node: SyntaxNode): void;
}

/** Visits every node in source order with a stack of its own: a tree may be deeper than the thread's stack. */
export function walk(root: SyntaxNode, { enter, leave }: Visitor): void {
  const stack: (SyntaxNode | null)[] = [root];
  const ancestors: SyntaxNode[] = [];
  for (;;) {
    const node = stack.pop();
    if (node === undefined) return;
    if (node === null) {
      const left = ancestors.pop();
      if (left !== undefined) leave(left);
      continue;
    }
    const into = enter(node, ancestors);
    ancestors.push(node);
    stack.push(null);
    if (into !== false) pushChildren(node, childKeys(node), stack);
  }
}

/** Puts the nodes a node holds under the keys onto a stack, the first uppermost. */
export function pushChildren(node: SyntaxNode, keys: readonly string[], stack: (SyntaxNode | null)[]): void {
  for (let at = keys.length - 1; at >= 0; at -= 1) {
    const value = node[keys[at] ?? ""];
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1) {
        const item: unknown = value[index];
        if (isNode(item)) stack.push(item);
      }
    } else if (isNode(value)) stack.push(value);
  }
}
