import { type Expr } from "../../ir/expression.js";
import { not1 } from "../../ir/simplify.js";
import type { Code, CodeBlock, CodeEnding, Line } from "../lower/code.js";
import type { Case, Node } from "./node.js";
import { Shape } from "./shape.js";

/** Where control goes when a sequence ends, and what `break` and `continue` mean in it. */
interface Context {
  readonly next: CodeBlock | undefined;
  /** Where `break` leads; undefined where there is none. */
  readonly breakTo: CodeBlock | undefined | "nowhere";
  readonly continueTo: CodeBlock | undefined;
}

/**
 * Statements of C for the blocks, after Ramsey, "Beyond Relooper": what a block dominates is nested in it, where ways meet
 * follows behind, and jumps that no statement says are written as `goto`. `nested`: blocks, by id, that stand where a loop is
 * left instead of behind it.
 */
export function structure(code: Code, nested: ReadonlySet<number> = new Set()): Structured {
  const [entry] = code.blocks;
  if (entry === undefined) return { nodes: [], behindLoops: [] };
  const structurer = new Structurer(code, nested);
  return { nodes: structurer.run(entry), behindLoops: structurer.behindLoops };
}

export interface Structured {
  readonly nodes: readonly Node[];
  /** Blocks, by id, that stand behind a loop and could as well stand where it is left. */
  readonly behindLoops: readonly number[];
}

class Structurer {
  readonly behindLoops: number[] = [];
  readonly #nested: ReadonlySet<number>;
  readonly #shape: Shape;
  /** Blocks that stand behind a block, or behind the loop it heads. */
  readonly #behind = new Map<CodeBlock, CodeBlock[]>();
  readonly #behindLoop = new Map<CodeBlock, CodeBlock[]>();
  readonly #placed = new Set<CodeBlock>();
  readonly #inCase = new Set<CodeBlock>();

  constructor(code: Code, nested: ReadonlySet<number>) {
    this.#nested = nested;
    this.#shape = new Shape(code);
    for (const block of code.blocks) this.#place(block);
  }

  run(entry: CodeBlock): readonly Node[] {
    return this.#tree(entry, { next: undefined, breakTo: "nowhere", continueTo: undefined });
  }

  /** Decides where a block that several ways lead to, or that is behind a loop, stands. */
  #place(block: CodeBlock): void {
    const parent = this.#shape.dominator(block);
    if (parent === undefined) return;
    const left = this.#shape.headersAround(parent).filter((header) => !this.#shape.isInLoop(block, header));
    const outermost = left.at(-1);
    const isShared = this.#shape.forwardWays(block) > 1;
    if (outermost !== undefined && (isShared || this.#isMainExit(block, outermost))) {
      add(this.#behindLoop, outermost, block);
      if (!isShared) this.behindLoops.push(block.id);
    } else if (isShared) add(this.#behind, parent, block);
    else return;
    this.#placed.add(block);
  }

  /** A way out of the loop after which the function goes on, or the only one. */
  #isMainExit(block: CodeBlock, header: CodeBlock): boolean {
    if (this.#nested.has(block.id)) return false;
    const [from] = block.predecessors;
    if (from === undefined) return false;
    if (from === header || from.successors.includes(header)) return true;
    return !this.#endsSoon(block);
  }

  #endsSoon(block: CodeBlock): boolean {
    return block.ending.kind === "return" || block.ending.kind === "stop";
  }

  #tree(block: CodeBlock, context: Context): Node[] {
    if (!this.#shape.isHeader(block)) return this.#withBehind(block, this.#behind.get(block) ?? [], context);
    const after = this.#behindLoop.get(block) ?? [];
    const first = after[0] ?? context.next;
    const body = this.#withBehind(block, this.#behind.get(block) ?? [], { next: block, breakTo: first ?? "nowhere", continueTo: block });
    const nodes: Node[] = [{ kind: "label", label: block.id }, { kind: "loop", body }];
    return [...nodes, ...this.#sequence(after, context)];
  }

  /** The block, then those behind it, each leading to the next. */
  #withBehind(block: CodeBlock, behind: readonly CodeBlock[], context: Context): Node[] {
    if (block.ending.kind === "switch") return this.#switch(block, behind, context);
    const own = this.#own(block, { ...context, next: behind[0] ?? context.next });
    return [...own, ...this.#sequence(behind, context)];
  }

  #sequence(blocks: readonly CodeBlock[], context: Context): Node[] {
    return blocks.flatMap((block, index) => this.#labelled(block, { ...context, next: blocks[index + 1] ?? context.next }));
  }

  /** A loop brings its own label. */
  #labelled(block: CodeBlock, context: Context): Node[] {
    const label: Node[] = this.#shape.isHeader(block) ? [] : [{ kind: "label", label: block.id }];
    return [...label, ...this.#tree(block, context)];
  }

  #own(block: CodeBlock, context: Context): Node[] {
    const nodes: Node[] = block.lines.length === 0 ? [] : [{ kind: "lines", lines: block.lines }];
    nodes.push(...this.#ending(block, context));
    return nodes;
  }

  #ending(block: CodeBlock, context: Context): Node[] {
    const { ending } = block;
    switch (ending.kind) {
      case "jump":
        return this.#way(block, 0, context);
      case "branch":
        return this.#branch(block, ending.condition, context);
      case "return":
        return [{ kind: "return", at: ending.at, value: ending.value }];
      case "stop":
        return [{ kind: "stop", at: ending.at, how: ending.how }];
      case "switch":
        return [];
    }
  }

  #branch(block: CodeBlock, condition: Expr, context: Context): Node[] {
    const at = block.ending.kind === "branch" ? block.ending.at : -1;
    const then = this.#way(block, 0, context);
    const otherwise = this.#way(block, 1, context);
    if (then.length === 0 && otherwise.length === 0) return [];
    return then.length === 0
      ? [{ kind: "if", at, condition: not1(condition), then: otherwise, otherwise: [] }]
      : [{ kind: "if", at, condition, then, otherwise }];
  }

  /** The copies on the way to a successor, and how control gets there. */
  #way(block: CodeBlock, index: number, context: Context): Node[] {
    const target = block.successors[index];
    const lines: readonly Line[] = block.edgeLines[index] ?? [];
    const copies: Node[] = lines.length === 0 ? [] : [{ kind: "lines", lines }];
    return target === undefined ? copies : [...copies, ...this.#go(target, block, context)];
  }

  #go(target: CodeBlock, from: CodeBlock, context: Context): Node[] {
    const isBack = this.#shape.dominates(target, from);
    if (!isBack && !this.#placed.has(target) && !this.#inCase.has(target) && this.#shape.dominator(target) === from) return this.#tree(target, context);
    if (target === context.next) return [];
    if (target === context.continueTo) return [{ kind: "continue" }];
    if (target === context.breakTo) return [{ kind: "break" }];
    return [{ kind: "goto", label: target.id }];
  }

  /** Targets that only this switch dominates become its cases, in order, so that one may run into the next. */
  #switch(block: CodeBlock, behind: readonly CodeBlock[], context: Context): Node[] {
    if (block.ending.kind !== "switch") return [];
    const { ending } = block;
    const direct = new Set(block.successors);
    const follow = [...behind].reverse().find((each) => !direct.has(each)) ?? behind.at(-1);
    const position = follow === undefined ? -1 : behind.indexOf(follow);
    const inside = behind.filter((each, index) => direct.has(each) && each !== follow && index < position);
    const rest = behind.filter((each) => !inside.includes(each));
    for (const each of inside) this.#inCase.add(each);
    const after = rest[0] ?? context.next;
    const nodes: Node[] = block.lines.length === 0 ? [] : [{ kind: "lines", lines: block.lines }];
    const targets = [...direct].sort((a, b) => this.#shape.number(a) - this.#shape.number(b));
    const bodied = targets.filter((target) => inside.includes(target) || (!this.#placed.has(target) && this.#shape.dominator(target) === block));
    const cases = targets.map((target): Case => {
      const index = block.successors.indexOf(target);
      const following = bodied[bodied.indexOf(target) + 1];
      const isBodied = bodied.includes(target);
      const inner: Context = { next: isBodied ? following : undefined, breakTo: after ?? "nowhere", continueTo: context.continueTo };
      const way = this.#caseBody(block, index, { target, isInside: inside.includes(target), inner });
      return { ...valuesOf(ending, block, target), body: way };
    });
    const ordered = [...cases.filter((_, index) => !bodied.includes(targets[index] ?? block)), ...cases.filter((_, index) => bodied.includes(targets[index] ?? block))];
    nodes.push({ kind: "switch", at: ending.at, selector: ending.selector, cases: ordered });
    return [...nodes, ...this.#sequence(rest, context)];
  }

  #caseBody(block: CodeBlock, index: number, { target, isInside, inner }: { readonly target: CodeBlock; readonly isInside: boolean; readonly inner: Context }): Node[] {
    const lines = block.edgeLines[index] ?? [];
    const copies: Node[] = lines.length === 0 ? [] : [{ kind: "lines", lines }];
    if (!isInside) return [...copies, ...this.#go(target, block, inner)];
    return [...copies, ...this.#labelled(target, inner)];
  }
}

function add(map: Map<CodeBlock, CodeBlock[]>, key: CodeBlock, block: CodeBlock): void {
  const list = map.get(key) ?? [];
  list.push(block);
  map.set(key, list);
}

function valuesOf(ending: CodeEnding, block: CodeBlock, target: CodeBlock): { values: bigint[]; isDefault: boolean } {
  if (ending.kind !== "switch") return { values: [], isDefault: false };
  const values = ending.cases.filter(({ to }) => to === target.start).map(({ value }) => value);
  return { values, isDefault: ending.hasDefault && block.successors.at(-1) === target };
}
