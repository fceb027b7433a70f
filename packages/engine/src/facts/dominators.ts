import type { FlowGraph } from "./flow-graph.js";

/**
 * Immediate dominator of each block: the nearest block that every path from the entry passes before it. -1 for the entry
 * and for blocks no path reaches. Lengauer and Tarjan's method with path compression, "A fast algorithm for finding
 * dominators in a flowgraph" (1979); no recursion.
 */
export function immediateDominators(graph: FlowGraph): Int32Array {
  const { preorder, number, predecessors, parent } = graph;
  const size = preorder.length;
  // All arrays are indexed by number in the walk.
  const up = Int32Array.from(preorder, (block) => at(number, at(parent, block)));
  const semi = Int32Array.from(preorder, (_, index) => index);
  const dominator = new Int32Array(size).fill(-1);
  const forest = new Forest(size, semi);
  const bucket = new Int32Array(size).fill(-1);
  const nextInBucket = new Int32Array(size).fill(-1);
  for (let w = size - 1; w > 0; w -= 1) {
    for (const block of predecessors[preorder[w] ?? -1] ?? []) {
      const v = at(number, block);
      if (v >= 0) semi[w] = Math.min(at(semi, w), at(semi, forest.evaluate(v)));
    }
    nextInBucket[w] = at(bucket, at(semi, w));
    bucket[at(semi, w)] = w;
    const p = at(up, w);
    forest.link(p, w);
    for (let v = at(bucket, p); v >= 0; v = at(nextInBucket, v)) {
      const u = forest.evaluate(v);
      dominator[v] = at(semi, u) < at(semi, v) ? u : p;
    }
    bucket[p] = -1;
  }
  for (let w = 1; w < size; w += 1) {
    const d = at(dominator, w);
    if (d !== semi[w]) dominator[w] = at(dominator, d);
  }
  return inBlocks(graph, dominator);
}

/** -1 outside the array. */
function at(values: Int32Array, index: number): number {
  return values[index] ?? -1;
}

function inBlocks({ blocks, preorder }: FlowGraph, dominator: Int32Array): Int32Array {
  const found = new Int32Array(blocks.length).fill(-1);
  for (const [index, block] of preorder.entries()) {
    const above = dominator[index] ?? -1;
    found[block] = above < 0 ? -1 : (preorder[above] ?? -1);
  }
  return found;
}

/** The forest of blocks already handled; finds the block with the least semidominator on the way to a root. */
class Forest {
  readonly #ancestor: Int32Array;
  readonly #label: Int32Array;
  readonly #semi: Int32Array;
  readonly #path: number[] = [];

  constructor(size: number, semi: Int32Array) {
    this.#ancestor = new Int32Array(size).fill(-1);
    this.#label = Int32Array.from({ length: size }, (_, index) => index);
    this.#semi = semi;
  }

  link(parent: number, child: number): void {
    this.#ancestor[child] = parent;
  }

  evaluate(v: number): number {
    if (this.#ancestorOf(v) < 0) return v;
    this.#compress(v);
    return this.#label[v] ?? v;
  }

  #ancestorOf(v: number): number {
    return this.#ancestor[v] ?? -1;
  }

  #compress(v: number): void {
    const path = this.#path;
    for (let at = v; this.#ancestorOf(this.#ancestorOf(at)) >= 0; at = this.#ancestorOf(at)) path.push(at);
    for (let at = path.pop(); at !== undefined; at = path.pop()) {
      const above = this.#ancestorOf(at);
      const best = this.#label[above] ?? above;
      if (this.#semiOf(best) < this.#semiOf(this.#label[at] ?? at)) this.#label[at] = best;
      this.#ancestor[at] = this.#ancestorOf(above);
    }
  }

  #semiOf(v: number): number {
    return this.#semi[v] ?? v;
  }
}
