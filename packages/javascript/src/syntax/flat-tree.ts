import { childKeys, plainKeys } from "./child-keys.js";
import { kindOf } from "./kinds.js";
import type { SyntaxNode } from "./node.js";
import { pushChildren } from "./walk.js";

/** A program's nodes in source order, each before what it holds: looked through many times, taken apart once. */
export interface FlatTree {
  readonly nodes: readonly SyntaxNode[];
  /** Of each node: the number of its type, see `kindOf`. */
  readonly kinds: readonly number[];
  /** Of each node: position behind the last node that it holds. */
  readonly ends: readonly number[];
  /** The program has more nodes than were taken. */
  readonly isCut: boolean;
}

/** Takes at most so many nodes, with a stack of its own: a tree may be deeper than the thread's stack. */
export function flatten(program: SyntaxNode, most: number): FlatTree {
  const [nodes, kinds, ends]: [SyntaxNode[], number[], number[]] = [[], [], []];
  // Only Babel gives its nodes a location; acorn's have the same keys in every program.
  const isPlain = program["loc"] === undefined;
  const stack: (SyntaxNode | null)[] = [program];
  const open: number[] = [];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === null) {
      const at = open.pop();
      if (at !== undefined) ends[at] = nodes.length;
      continue;
    }
    if (nodes.length >= most) {
      while (open.length > 0) ends[open.pop() ?? 0] = nodes.length;
      return { nodes, kinds, ends, isCut: true };
    }
    const at = nodes.length;
    nodes.push(node);
    kinds.push(kindOf(node.type));
    ends.push(at + 1);
    const keys = isPlain ? plainKeys(node) : childKeys(node);
    if (keys.length === 0) continue;
    const height = stack.length;
    stack.push(null);
    pushChildren(node, keys, stack);
    if (stack.length > height + 1) open.push(at);
    else stack.pop();
  }
  return { nodes, kinds, ends, isCut: false };
}

export interface TreeVisitor {
  /** Called before what the node holds; `false` passes that over (leave is called all the same). */
  enter(node: SyntaxNode, kind: number, ancestors: readonly SyntaxNode[]): boolean | undefined;
  leave(node: SyntaxNode, kind: number): void;
}

/** Visits every node in source order. */
export function visit({ nodes, kinds, ends }: FlatTree, visitor: TreeVisitor): void {
  const ancestors: SyntaxNode[] = [];
  const open: number[] = [];
  let next = Infinity;
  const close = (until: number): void => {
    while (next <= until) {
      const at = open.pop();
      const node = ancestors.pop();
      if (at === undefined || node === undefined) return;
      visitor.leave(node, kinds[at] ?? 0);
      const around = open.at(-1);
      next = around === undefined ? Infinity : (ends[around] ?? 0);
    }
  };
  for (let at = 0; at < nodes.length; at += 1) {
    if (next <= at) close(at);
    const node = nodes[at];
    if (node === undefined) break;
    const kind = kinds[at] ?? 0;
    const into = visitor.enter(node, kind, ancestors);
    const end = ends[at] ?? 0;
    if (into === false || end === at + 1) {
      visitor.leave(node, kind);
      at = end - 1;
      continue;
    }
    ancestors.push(node);
    open.push(at);
    next = end;
  }
  close(nodes.length);
}
