import type { BasicBlock } from "../program.js";

/**
 * The blocks of one function as numbers (positions in address order) with their edges both ways, and the order in which
 * a depth-first walk from the entry meets them.
 */
export interface FlowGraph {
  readonly blocks: readonly BasicBlock[];
  /** Position of the entry block; -1 when the function has no blocks. */
  readonly entry: number;
  readonly successors: readonly (readonly number[])[];
  readonly predecessors: readonly (readonly number[])[];
  /** Reachable blocks, each before those found from it. */
  readonly preorder: readonly number[];
  /** Place of a block in `preorder`, -1 when it is not reachable. */
  readonly number: Int32Array;
  /** One past the number of the last block found below this one: descendants of w have numbers in [number w, last w). */
  readonly last: Int32Array;
  /** Block it was first reached from; -1 for the entry and unreachable blocks. */
  readonly parent: Int32Array;
  /** Reachable blocks so that, back edges aside, each stands after its predecessors. */
  readonly reversePostorder: readonly number[];
}

/** Builds the graph; walks without recursion. */
export function flowGraph(blocks: readonly BasicBlock[], entryRva: number): FlowGraph {
  const position = new Map(blocks.map((block, index) => [block.start, index]));
  const successors = blocks.map((block) => {
    const targets = block.successors.flatMap(({ target }) => position.get(target) ?? []);
    return [...new Set(targets)];
  });
  const predecessors: number[][] = blocks.map(() => []);
  for (const [from, targets] of successors.entries()) for (const to of targets) predecessors[to]?.push(from);
  const entry = position.get(entryRva) ?? -1;
  return { blocks, entry, successors, predecessors, ...walk(successors, entry) };
}

function walk(successors: readonly (readonly number[])[], entry: number) {
  const count = successors.length;
  const number = new Int32Array(count).fill(-1);
  const last = new Int32Array(count);
  const parent = new Int32Array(count).fill(-1);
  const next = new Int32Array(count);
  const preorder: number[] = [];
  const postorder: number[] = [];
  const stack: number[] = [];
  const enter = (block: number, from: number) => {
    number[block] = preorder.length;
    parent[block] = from;
    preorder.push(block);
    stack.push(block);
  };
  if (entry >= 0) enter(entry, -1);
  for (let block = stack[stack.length - 1]; block !== undefined; block = stack[stack.length - 1]) {
    const to = successors[block]?.[next[block] ?? 0];
    next[block] = (next[block] ?? 0) + 1;
    if (to === undefined) {
      stack.pop();
      postorder.push(block);
      last[block] = preorder.length;
    } else if (number[to] === -1) enter(to, block);
  }
  return { preorder, number, last, parent, reversePostorder: postorder.reverse() };
}
