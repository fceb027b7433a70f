import type { FlowGraph } from "./flow-graph.js";

/** A loop: blocks that can reach each other, entered at the header. Numbers are block positions. */
export interface Loop {
  readonly header: number;
  /** `natural`: every way in leads through the header; `irreducible`: there are other ways in. */
  readonly kind: "natural" | "irreducible";
  /** Blocks inside that are entered from outside, the header aside; empty for natural loops. */
  readonly otherEntries: readonly number[];
  /** Header of the loop around this one; undefined for outermost loops. */
  readonly parent: number | undefined;
  /** 1 for outermost loops. */
  readonly depth: number;
  /** Blocks inside, those of inner loops included. */
  readonly blockCount: number;
  /** Blocks inside with an edge back to the header, by address. */
  readonly latches: readonly number[];
}

export interface LoopForest {
  /** By address of the header. */
  readonly loops: readonly Loop[];
  /** Header of the innermost loop around each block (its own position for headers); -1 outside loops. */
  readonly innermost: Int32Array;
}

/**
 * The loops of a graph by nesting: headers are taken from the innermost outwards and each loop found is folded into one
 * node. After Havlak, "Nesting of reducible and irreducible loops" (1997).
 */
export function findLoops(graph: FlowGraph): LoopForest {
  return new LoopSearch(graph).run();
}

interface OpenLoop {
  readonly header: number;
  readonly latches: readonly number[];
  readonly others: Set<number>;
}

class LoopSearch {
  readonly #graph: FlowGraph;
  /** Union-find over block positions: the header of the loop a block was folded into. */
  readonly #folded: Int32Array;
  readonly #parent: Int32Array;
  readonly #open = new Map<number, OpenLoop>();
  /** Ways into a loop that do not lead through its header, to be seen by the loops around it. */
  readonly #extra = new Map<number, Set<number>>();

  constructor(graph: FlowGraph) {
    this.#graph = graph;
    this.#folded = Int32Array.from(graph.blocks, (_, index) => index);
    this.#parent = new Int32Array(graph.blocks.length).fill(-1);
  }

  run(): LoopForest {
    const { preorder } = this.#graph;
    for (let index = preorder.length - 1; index >= 0; index -= 1) this.#header(preorder[index] ?? -1);
    return this.#result();
  }

  #header(w: number): void {
    const { predecessors } = this.#graph;
    const latches = (predecessors[w] ?? []).filter((v) => this.#isBelow(v, w));
    if (latches.length === 0) return;
    const body = new Set<number>();
    for (const latch of latches) {
      const folded = this.#find(latch);
      if (folded !== w) body.add(folded);
    }
    const loop: OpenLoop = { header: w, latches, others: new Set() };
    const work = [...body];
    for (let x = work.pop(); x !== undefined; x = work.pop()) this.#widen(x, loop, body, work);
    for (const x of body) {
      this.#parent[x] = w;
      this.#folded[x] = w;
    }
    this.#open.set(w, loop);
  }

  /** Takes into the loop what leads to `x`; what comes from elsewhere is another way in. */
  #widen(x: number, { header, others }: OpenLoop, body: Set<number>, work: number[]): void {
    const { predecessors, number } = this.#graph;
    const sources = [...(predecessors[x] ?? []).filter((y) => !this.#isBelow(y, x)), ...(this.#extra.get(x) ?? [])];
    for (const y of sources) {
      if ((number[y] ?? -1) < 0) continue;
      const folded = this.#find(y);
      if (!this.#isBelow(folded, header)) {
        others.add(x);
        const extra = this.#extra.get(header) ?? new Set<number>();
        this.#extra.set(header, extra.add(folded));
      } else if (folded !== header && !body.has(folded)) {
        body.add(folded);
        work.push(folded);
      }
    }
  }

  /** True when `v` was found from `w` or is `w`. */
  #isBelow(v: number, w: number): boolean {
    const { number, last } = this.#graph;
    const at = number[v] ?? -1;
    return at >= (number[w] ?? 0) && at < (last[w] ?? 0);
  }

  #find(v: number): number {
    let root = v;
    while (this.#folded[root] !== root) root = this.#folded[root] ?? root;
    for (let at = v; at !== root; ) {
      const above = this.#folded[at] ?? root;
      this.#folded[at] = root;
      at = above;
    }
    return root;
  }

  #result(): LoopForest {
    const { preorder, blocks } = this.#graph;
    const innermost = new Int32Array(blocks.length).fill(-1);
    const depth = new Int32Array(blocks.length);
    const size = new Int32Array(blocks.length);
    for (const block of preorder) innermost[block] = this.#open.has(block) ? block : (this.#parent[block] ?? -1);
    for (const block of preorder) if (this.#open.has(block)) depth[block] = 1 + this.#depthAround(block, depth);
    for (let index = preorder.length - 1; index >= 0; index -= 1) {
      const block = preorder[index] ?? 0;
      const around = this.#parent[block] ?? -1;
      size[block] = (size[block] ?? 0) + 1;
      if (around >= 0) size[around] = (size[around] ?? 0) + (size[block] ?? 0);
    }
    const loops = [...this.#open.values()].map(({ header, latches, others }) => ({
      header,
      kind: others.size === 0 ? ("natural" as const) : ("irreducible" as const),
      otherEntries: [...others].sort((a, b) => a - b),
      parent: this.#parentOf(header),
      depth: depth[header] ?? 1,
      blockCount: size[header] ?? 1,
      latches: [...latches].sort((a, b) => a - b),
    }));
    return { loops: loops.sort((a, b) => a.header - b.header), innermost };
  }

  #depthAround(header: number, depth: Int32Array): number {
    const around = this.#parent[header] ?? -1;
    return around < 0 ? 0 : (depth[around] ?? 0);
  }

  #parentOf(header: number): number | undefined {
    const around = this.#parent[header] ?? -1;
    return around < 0 ? undefined : around;
  }
}
