import { same, sizeOf, type Expr } from "../../ir/expression.js";
import { make, not1 } from "../../ir/simplify.js";
import type { Block, Graph } from "../ssa/graph.js";
import { unlink } from "../ssa/unlink.js";
import { inOrder } from "./in-order.js";

/** Joins conditions that short-circuit, and gives each way its own return where that is short. */
export function prepareBlocks(graph: Graph): void {
  joinChains(graph);
  joinConditions(graph);
  copyReturns(graph);
  joinChains(graph);
}

/** A block with one way in, from a block with one way out, is part of it. */
function joinChains(graph: Graph): void {
  const gone = new Set<Block>();
  for (const block of graph.blocks) {
    if (gone.has(block)) continue;
    for (;;) {
      const [next] = block.successors;
      if (block.ending.kind !== "jump" || next === undefined || next === block || next.predecessors.length !== 1 || next.phis.length > 0) break;
      block.statements = [...block.statements, ...next.statements];
      block.ending = next.ending;
      block.successors = next.successors;
      for (const after of block.successors) after.predecessors = after.predecessors.map((each) => (each === next ? block : each));
      gone.add(next);
    }
  }
  graph.blocks = graph.blocks.filter((block) => !gone.has(block));
}

const largestCondition = 90;

/** `if (a) if (b)` with the same other way becomes one condition, while nothing else happens between. */
function joinConditions(graph: Graph): void {
  const gone = new Set<Block>();
  let changed = true;
  while (changed) {
    changed = false;
    for (const block of graph.blocks) {
      if (gone.has(block)) continue;
      const joined = joinBoth(block) ?? joinOne(block);
      if (joined.length === 0) continue;
      for (const each of joined) gone.add(each);
      changed = true;
    }
  }
  graph.blocks = graph.blocks.filter((block) => !gone.has(block));
}

function canJoin(block: Block, next: Block): boolean {
  if (block.ending.kind !== "branch" || next.ending.kind !== "branch" || next === block) return false;
  if (next.predecessors.length !== 1 || next.phis.length > 0 || next.statements.length > 0) return false;
  return sizeOf(block.ending.condition) + sizeOf(next.ending.condition) < largestCondition;
}

function joinOne(block: Block): readonly Block[] {
  const second = [...block.successors].find((next) => canJoin(block, next));
  return second !== undefined && join(block, second) ? [second] : [];
}

/** A question whose answer only chooses which one is asked next, of two that lead to the same two ways. */
function joinBoth(first: Block): readonly Block[] | undefined {
  const [yes, no] = first.successors;
  if (first.ending.kind !== "branch" || yes === undefined || no === undefined || yes === no || !canJoin(first, yes) || !canJoin(first, no)) return undefined;
  if (yes.ending.kind !== "branch" || no.ending.kind !== "branch") return undefined;
  const [then, otherwise] = yes.successors;
  if (then === undefined || otherwise === undefined || then === otherwise || !no.successors.includes(then) || !no.successors.includes(otherwise)) return undefined;
  if (!sameArguments(then, yes, no) || !sameArguments(otherwise, yes, no)) return undefined;
  const second = no.successors[0] === then ? no.ending.condition : not1(no.ending.condition);
  first.ending = { kind: "branch", at: first.ending.at, condition: make("select", 1, [first.ending.condition, yes.ending.condition, second]) };
  first.successors = [then, otherwise];
  for (const target of first.successors) {
    unlink(no, target);
    target.predecessors = target.predecessors.map((each) => (each === yes ? first : each));
  }
  return [yes, no];
}

function join(first: Block, second: Block): boolean {
  if (first.ending.kind !== "branch" || second.ending.kind !== "branch") return false;
  const position = first.successors.indexOf(second);
  const other = first.successors[1 - position];
  if (other === undefined) return false;
  const shared = second.successors.indexOf(other);
  const target = second.successors[1 - shared];
  if (shared < 0 || target === undefined || target === other || !sameArguments(other, first, second)) return false;
  // Towards `target` both conditions lead.
  const toSecond = position === 0 ? first.ending.condition : not1(first.ending.condition);
  const toTarget = shared === 1 ? second.ending.condition : not1(second.ending.condition);
  const condition: Expr = make("and", 1, [toSecond, toTarget]);
  unlink(second, other);
  first.ending = { kind: "branch", at: first.ending.at, condition };
  first.successors = [target, other];
  target.predecessors = target.predecessors.map((each) => (each === second ? first : each));
  return true;
}

/** Both ways into a block bring the same values. */
function sameArguments(block: Block, a: Block, b: Block): boolean {
  const [x, y] = [block.predecessors.indexOf(a), block.predecessors.indexOf(b)];
  return block.phis.every(({ source }) => {
    if (source.kind !== "phi") return true;
    const [first, second] = [source.args[x], source.args[y]];
    return first !== undefined && second !== undefined && same(first, second);
  });
}

const largestReturn = 12;
const mostCopies = 12;

/** A block that only returns what its ways bring: each way returns it itself. */
function copyReturns(graph: Graph): void {
  let nextId = Math.max(0, ...graph.blocks.map(({ id }) => id));
  for (const block of [...graph.blocks]) {
    if (block.ending.kind !== "return" || block.statements.length > 0 || block.predecessors.length < 2 || block.predecessors.length > mostCopies) continue;
    const { value, at } = block.ending;
    if (value !== undefined && sizeOf(value) > largestReturn) continue;
    for (const [position, from] of [...block.predecessors].entries()) {
      nextId += 1;
      const made: Block = { id: nextId, start: block.start, phis: [], statements: [], ending: { kind: "return", at, state: new Map(), value: substituted(value, block, position) }, predecessors: [from], successors: [] };
      from.successors = from.successors.map((each) => (each === block ? made : each));
      graph.blocks.push(made);
    }
    graph.blocks = graph.blocks.filter((each) => each !== block);
  }
  graph.blocks = inOrder(graph.blocks);
}

function substituted(value: Expr | undefined, block: Block, position: number): Expr | undefined {
  if (value === undefined) return undefined;
  const replace = (expr: Expr): Expr => {
    if (expr.kind === "use") {
      const phi = block.phis.find((each) => each === expr.def);
      const arg = phi?.source.kind === "phi" ? phi.source.args[position] : undefined;
      return arg ?? expr;
    }
    if (expr.kind === "load") return { ...expr, address: replace(expr.address) };
    return expr.kind === "op" ? make(expr.op, expr.bits, expr.args.map(replace), { imm: expr.imm, name: expr.name }) : expr;
  };
  return replace(value);
}
