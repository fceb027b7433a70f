import { use, type Definition, type Expr } from "../../ir/expression.js";
import type { Block, Graph } from "./graph.js";

/**
 * Finds the value a place holds, making merges where paths join (Braun et al., "Simple and Efficient Construction of Static
 * Single Assignment Form"). Blocks are given in reverse postorder; each is sealed once all its predecessors are filled.
 */
export class Renaming {
  readonly #graph: Graph;
  readonly #bitsOf: (place: number) => number;
  readonly #values = new Map<Block, Map<number, Expr>>();
  readonly #filled = new Set<Block>();
  readonly #open: { readonly block: Block; readonly place: number; readonly phi: Definition }[] = [];

  constructor(graph: Graph, bitsOf: (place: number) => number) {
    this.#graph = graph;
    this.#bitsOf = bitsOf;
  }

  write(block: Block, place: number, value: Expr): void {
    this.#of(block).set(place, value);
  }

  read(block: Block, place: number): Expr {
    return this.#of(block).get(place) ?? this.#readBefore(block, place);
  }

  /** Says that all statements of the block are known. */
  fill(block: Block): void {
    this.#filled.add(block);
  }

  /** Completes merges whose predecessors were not all known. Call it when all blocks are filled. */
  finish(): void {
    // Completing one may open others.
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) this.#complete(next.block, next.place, next.phi);
  }

  #of(block: Block): Map<number, Expr> {
    let values = this.#values.get(block);
    if (values === undefined) this.#values.set(block, (values = new Map<number, Expr>()));
    return values;
  }

  /** Walks up while there is one way, without recursion, so that long chains of blocks are no trouble. */
  #readBefore(block: Block, place: number): Expr {
    const passed: Block[] = [];
    let at = block;
    let value: Expr | undefined;
    while (value === undefined) {
      passed.push(at);
      const [first, ...others] = at.predecessors;
      if (first === undefined) value = this.#entry(place);
      else if (others.length === 0 && this.#filled.has(first)) {
        at = first;
        value = this.#of(at).get(place);
      } else value = this.#merge(at, place);
    }
    for (const each of passed) this.write(each, place, value);
    return value;
  }

  #entry(place: number): Expr {
    const known = this.#graph.entryValues.get(place);
    if (known !== undefined) return use(known);
    const def = this.#graph.newDefinition(this.#bitsOf(place), place, { kind: "entry" });
    this.#graph.entryValues.set(place, def);
    return use(def);
  }

  #merge(block: Block, place: number): Expr {
    const phi = this.#graph.newDefinition(this.#bitsOf(place), place, { kind: "phi", args: [] });
    block.phis.push(phi);
    this.write(block, place, use(phi));
    // Arguments are looked up at the end: every predecessor is filled then, and no recursion gets deep.
    this.#open.push({ block, place, phi });
    return use(phi);
  }

  #complete(block: Block, place: number, phi: Definition): void {
    phi.source = { kind: "phi", args: block.predecessors.map((predecessor) => this.read(predecessor, place)) };
  }
}
