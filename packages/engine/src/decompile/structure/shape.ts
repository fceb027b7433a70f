import type { Code, CodeBlock } from "../lower/code.js";

/** Loops and dominators of a function's blocks, which are given in reverse postorder. */
export class Shape {
  readonly #number = new Map<CodeBlock, number>();
  readonly #dominator = new Map<CodeBlock, CodeBlock>();
  readonly #children = new Map<CodeBlock, CodeBlock[]>();
  readonly #loops = new Map<CodeBlock, Set<CodeBlock>>();
  /** Headers around each block, the innermost first. */
  readonly #around = new Map<CodeBlock, CodeBlock[]>();
  readonly #forward = new Map<CodeBlock, number>();

  constructor({ blocks }: Code) {
    for (const [index, block] of blocks.entries()) this.#number.set(block, index);
    this.#findDominators(blocks);
    this.#findLoops(blocks);
  }

  number(block: CodeBlock): number {
    return this.#number.get(block) ?? -1;
  }

  dominator(block: CodeBlock): CodeBlock | undefined {
    return this.#dominator.get(block);
  }

  /** Blocks whose nearest dominator this is, in order. */
  children(block: CodeBlock): readonly CodeBlock[] {
    return this.#children.get(block) ?? [];
  }

  isHeader(block: CodeBlock): boolean {
    return this.#loops.has(block);
  }

  isInLoop(block: CodeBlock, header: CodeBlock): boolean {
    return this.#loops.get(header)?.has(block) === true;
  }

  headersAround(block: CodeBlock): readonly CodeBlock[] {
    return this.#around.get(block) ?? [];
  }

  /** Ways into the block that do not close a loop. */
  forwardWays(block: CodeBlock): number {
    return this.#forward.get(block) ?? 0;
  }

  dominates(above: CodeBlock, below: CodeBlock): boolean {
    let at: CodeBlock | undefined = below;
    const limit = this.number(above);
    while (at !== undefined && this.number(at) > limit) at = this.#dominator.get(at);
    return at === above;
  }

  #findDominators(blocks: readonly CodeBlock[]): void {
    // Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
    const [entry] = blocks;
    let changed = true;
    while (changed) {
      changed = false;
      for (const block of blocks) {
        if (block === entry) continue;
        let best: CodeBlock | undefined;
        for (const predecessor of block.predecessors) {
          if (predecessor !== entry && !this.#dominator.has(predecessor)) continue;
          best = best === undefined ? predecessor : this.#common(best, predecessor);
        }
        if (best !== undefined && this.#dominator.get(block) !== best) {
          this.#dominator.set(block, best);
          changed = true;
        }
      }
    }
    for (const block of blocks) {
      const dominator = this.#dominator.get(block);
      if (dominator === undefined) continue;
      const list = this.#children.get(dominator) ?? [];
      list.push(block);
      this.#children.set(dominator, list);
    }
  }

  #common(a: CodeBlock, b: CodeBlock): CodeBlock {
    let [x, y] = [a, b];
    while (x !== y) {
      while (this.number(x) > this.number(y)) x = this.#dominator.get(x) ?? y;
      while (this.number(y) > this.number(x)) y = this.#dominator.get(y) ?? x;
    }
    return x;
  }

  #findLoops(blocks: readonly CodeBlock[]): void {
    for (const block of blocks) {
      let ways = 0;
      for (const predecessor of block.predecessors) {
        if (this.dominates(block, predecessor)) this.#addLoop(block, predecessor);
        else ways += 1;
      }
      this.#forward.set(block, ways);
    }
    const headers = [...this.#loops.keys()].sort((a, b) => (this.#loops.get(a)?.size ?? 0) - (this.#loops.get(b)?.size ?? 0));
    for (const header of headers) {
      for (const member of this.#loops.get(header) ?? []) {
        const around = this.#around.get(member) ?? [];
        around.push(header);
        this.#around.set(member, around);
      }
    }
  }

  #addLoop(header: CodeBlock, latch: CodeBlock): void {
    const members = this.#loops.get(header) ?? new Set([header]);
    this.#loops.set(header, members);
    const work = [latch];
    for (let block = work.pop(); block !== undefined; block = work.pop()) {
      if (members.has(block)) continue;
      members.add(block);
      work.push(...block.predecessors);
    }
  }
}
