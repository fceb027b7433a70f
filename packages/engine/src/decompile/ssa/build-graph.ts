import { read, type Definition, type Expr, use } from "../../ir/expression.js";
import type { Ending, LiftedBlock, Step } from "../../ir/statement.js";
import type { LiftedFunction } from "../lift/lifted-function.js";
import type { Machine } from "../machine-model.js";
import type { Block, BlockEnding, Graph, Statement } from "./graph.js";
import { Renaming } from "./renaming.js";
import { rewrite } from "./rewrite.js";

/** Whether a place that the convention lets a called function write surely holds after the call at `at` what it held before. */
type Keeps = (target: number, at: number, place: number) => boolean;

/** Gives each value one definition. Blocks that the entry does not reach are left out. */
export function buildGraph(lifted: LiftedFunction, machine: Machine, keeps: Keeps = () => false): Graph {
  let next = 0;
  const graph: Graph = {
    entry: lifted.entry,
    blocks: [],
    entryValues: new Map(),
    newDefinition: (bits, place, source) => {
      next += 1;
      return { id: next, bits, place, source };
    },
  };
  const pairs = connect(lifted);
  graph.blocks = pairs.map(({ block }) => block);
  new StepRenaming(graph, machine, keeps).run(pairs);
  return graph;
}

interface Pair {
  readonly block: Block;
  readonly lifted: LiftedBlock | undefined;
}

function connect({ blocks, entry }: LiftedFunction): readonly Pair[] {
  const byStart = new Map(blocks.map((block) => [block.start, block]));
  const made = new Map<number, Block>();
  let nextId = 0;
  const newBlock = (start: number): Block => {
    nextId += 1;
    return { id: nextId, start, phis: [], statements: [], ending: { kind: "jump" }, predecessors: [], successors: [] };
  };
  const get = (start: number): Block => {
    let block = made.get(start);
    if (block === undefined) made.set(start, (block = newBlock(start)));
    return block;
  };
  const root = newBlock(entry);
  const order: Pair[] = [];
  // Depth first without recursion; reverse of the order in which blocks are left.
  const stack: { readonly block: Block; readonly targets: readonly number[]; at: number }[] = [];
  const seen = new Set<number>();
  const enter = (start: number): void => {
    seen.add(start);
    const lifted = byStart.get(start);
    stack.push({ block: get(start), targets: lifted === undefined ? [] : targetsOf(lifted.ending), at: 0 });
  };
  enter(entry);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const target = top.targets[top.at];
    top.at += 1;
    if (target === undefined) {
      order.push({ block: top.block, lifted: byStart.get(top.block.start) });
      stack.pop();
    } else if (!seen.has(target)) enter(target);
  }
  order.reverse();
  for (const { block, lifted } of order) {
    for (const target of lifted === undefined ? [] : targetsOf(lifted.ending)) link(block, get(target));
  }
  const first = get(entry);
  if (first.predecessors.length === 0) return order;
  link(root, first);
  return [{ block: root, lifted: { start: entry, steps: [], ending: { kind: "jump", to: entry } } }, ...order];
}

function link(from: Block, to: Block): void {
  from.successors.push(to);
  to.predecessors.push(from);
}

function targetsOf(ending: Ending): readonly number[] {
  switch (ending.kind) {
    case "jump":
      return [ending.to];
    case "branch":
      return ending.then === ending.otherwise ? [ending.then] : [ending.then, ending.otherwise];
    case "switch": {
      const cases = [...new Set(ending.cases.map(({ to }) => to))];
      return ending.otherwise === undefined ? cases : [...cases, ending.otherwise];
    }
    default:
      return [];
  }
}

class StepRenaming {
  readonly #graph: Graph;
  readonly #machine: Machine;
  readonly #renaming: Renaming;
  readonly #keeps: Keeps;
  #block: Block | undefined;

  constructor(graph: Graph, machine: Machine, keeps: Keeps) {
    this.#graph = graph;
    this.#keeps = keeps;
    this.#machine = machine;
    this.#renaming = new Renaming(graph, (place) => machine.bitsOf(place));
  }

  run(pairs: readonly Pair[]): void {
    for (const { block, lifted } of pairs) {
      this.#block = block;
      const statements: Statement[] = [];
      for (const step of lifted?.steps ?? []) this.#step(block, step, statements);
      block.statements = statements;
      block.ending = this.#ending({ block, ending: lifted?.ending ?? leftOut(block.start), steps: lifted?.steps ?? [] }, statements);
      this.#renaming.fill(block);
    }
    this.#renaming.finish();
  }

  #value(block: Block, expr: Expr): Expr {
    return rewrite(expr, (leaf) => (leaf.kind === "read" ? this.#renaming.read(block, leaf.place) : leaf));
  }

  #define(block: Block, place: number, source: Definition["source"], bits: number): Definition {
    const def = this.#graph.newDefinition(bits, place, source);
    this.#renaming.write(block, place, use(def));
    return def;
  }

  #step(block: Block, step: Step, out: Statement[]): void {
    const { at } = step;
    if (step.kind === "set") {
      const expr = this.#value(block, step.value);
      // Constants and other values need no definition of their own.
      if (expr.kind === "const" || expr.kind === "use") this.#renaming.write(block, step.place, expr);
      else out.push({ kind: "def", at, def: this.#define(block, step.place, { kind: "expr", expr }, expr.bits) });
    } else if (step.kind === "store") out.push({ kind: "store", at, address: this.#value(block, step.address), value: this.#value(block, step.value) });
    else if (step.kind === "effect") {
      const args = step.args.map((arg) => this.#value(block, arg));
      const result = step.bits === 0 ? undefined : this.#define(block, step.place, { kind: "result" }, step.bits);
      out.push({ kind: "effect", at, name: step.name, args, result });
    } else out.push(this.#call(block, step));
  }

  #call(block: Block, { at, target }: Extract<Step, { kind: "call" }>): Statement {
    const address = target.kind === "indirect" ? this.#value(block, target.address) : undefined;
    const state = this.#state(block, this.#machine.callReads);
    const results = new Map<number, Definition>();
    for (const place of this.#machine.callWrites) {
      if (target.kind === "direct" && this.#keeps(target.rva, at, place)) continue;
      const isResult = this.#machine.resultPlaces.includes(place);
      const def = this.#define(block, place, { kind: isResult ? "result" : "clobber" }, this.#machine.bitsOf(place));
      if (isResult) results.set(place, def);
    }
    return { kind: "call", at, target, address, state, args: [], results, callee: undefined };
  }

  #state(block: Block, places: readonly number[]): Map<number, Expr> {
    return new Map(places.map((place) => [place, this.#value(block, read(place, this.#machine.bitsOf(place)))]));
  }

  #lastSet(steps: readonly Step[]): { readonly lastSet?: number } {
    const { integerResult, floatResult } = this.#machine;
    const last = steps.findLast((step) => step.kind === "set" && (step.place === integerResult || step.place === floatResult));
    return last?.kind === "set" ? { lastSet: last.place } : {};
  }

  #ending({ block, ending, steps }: { readonly block: Block; readonly ending: Ending; readonly steps: readonly Step[] }, out: Statement[]): BlockEnding {
    switch (ending.kind) {
      case "jump":
        return { kind: "jump" };
      case "branch":
        if (block.successors.length < 2) return { kind: "jump" };
        return { kind: "branch", at: ending.at, condition: this.#value(block, ending.condition) };
      case "switch":
        return { kind: "switch", at: ending.at, selector: this.#value(block, ending.selector), cases: ending.cases, hasDefault: ending.otherwise !== undefined };
      case "return":
        return { kind: "return", at: ending.at, state: this.#state(block, this.#machine.resultPlaces), value: undefined, ...this.#lastSet(steps) };
      case "tail":
        out.push(this.#call(block, { kind: "call", at: ending.at, target: ending.target }));
        return { kind: "return", at: ending.at, state: this.#state(block, this.#machine.resultPlaces), value: undefined };
      case "stop":
        return { kind: "stop", at: ending.at, how: ending.how };
    }
  }
}

/** A block that a jump leads to outside the function's known ranges: control goes on there as in a tail call. */
function leftOut(start: number): Ending {
  return { kind: "tail", at: start, target: { kind: "direct", rva: start } };
}
