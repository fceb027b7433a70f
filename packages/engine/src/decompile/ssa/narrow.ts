import { type Definition, type Expr, type Op, use } from "../../ir/expression.js";
import { extract, zext } from "../../ir/simplify.js";
import { laneOperation, laneTests, lanewise } from "../../ir/vector-operations.js";
import { forEachExpr, mapBlock, type Graph } from "./graph.js";
import { rewrite } from "./rewrite.js";

const widths = [1, 8, 16, 32, 64, 128, 256];

/**
 * Values of which only low bits are read become values of that width. Returns whether any did. What is not read is not
 * kept: users see zeros above, which they do not look at.
 */
export function narrow(graph: Graph): boolean {
  const demands = new Demands();
  demands.collect(graph);
  const narrowed = new Map<Definition, number>();
  const note = (def: Definition, least: number): void => {
    const wanted = widthFor(demands.of(def));
    if (wanted < def.bits && wanted >= least) narrowed.set(def, def.bits);
  };
  for (const block of graph.blocks) {
    for (const phi of block.phis) note(phi, 1);
    for (const statement of block.statements) {
      if (statement.kind === "def") note(statement.def, 1);
      else if (statement.kind === "call") for (const def of statement.results.values()) note(def, 8);
    }
  }
  for (const def of graph.entryValues.values()) note(def, 8);
  if (narrowed.size === 0) return false;
  for (const def of narrowed.keys()) def.bits = widthFor(demands.of(def));
  const widen = (leaf: Expr): Expr => {
    if (leaf.kind !== "use") return leaf;
    const before = narrowed.get(leaf.def);
    return before === undefined || leaf.bits === leaf.def.bits ? leaf : zext(use(leaf.def), before);
  };
  for (const block of graph.blocks) mapBlock(block, (expr) => rewrite(expr, widen));
  for (const def of narrowed.keys()) {
    if (def.source.kind === "expr") def.source = { kind: "expr", expr: extract(def.source.expr, 0, def.bits) };
    else if (def.source.kind === "phi") def.source = { kind: "phi", args: def.source.args.map((arg) => extract(arg, 0, def.bits)) };
  }
  return true;
}

/** How many low bits of a value are read, what calls and returns only might read left aside. */
export function demandedWidths(graph: Graph): (def: Definition | undefined) => number | undefined {
  const demands = new Demands();
  demands.collect(graph, false);
  return (def) => (def === undefined ? undefined : demands.of(def));
}

function widthFor(bits: number): number {
  return widths.find((width) => width >= bits) ?? bits;
}

/** Operations of whose result low bits depend on low bits only. */
const lowBitsOnly = new Set(["add", "sub", "mul", "or", "xor", "not", "neg"]);

/** How many low bits of each value somebody reads. */
class Demands {
  readonly #bits = new Map<Definition, number>();
  readonly #work: Definition[] = [];

  of(def: Definition): number {
    return this.#bits.get(def) ?? 0;
  }

  collect(graph: Graph, withStates = true): void {
    for (const block of graph.blocks) {
      const statements = block.statements.filter(({ kind }) => kind !== "def");
      const ending = withStates || block.ending.kind !== "return" ? block.ending : { ...block.ending, state: new Map<number, Expr>() };
      const roots = { ...block, phis: [], ending, statements: withStates ? statements : statements.map((each) => (each.kind === "call" ? { ...each, state: new Map<number, Expr>() } : each)) };
      forEachExpr(roots, (expr) => { this.#ask(expr, expr.bits); });
    }
    for (let def = this.#work.pop(); def !== undefined; def = this.#work.pop()) {
      const bits = this.of(def);
      if (def.source.kind === "expr") this.#ask(def.source.expr, Math.min(bits, def.source.expr.bits));
      else if (def.source.kind === "phi") for (const arg of def.source.args) this.#ask(arg, Math.min(bits, arg.bits));
    }
  }

  #ask(expr: Expr, bits: number): void {
    if (bits <= 0) return;
    if (expr.kind === "use") {
      const wanted = Math.min(bits, expr.def.bits);
      if (this.of(expr.def) >= wanted) return;
      this.#bits.set(expr.def, wanted);
      this.#work.push(expr.def);
    } else if (expr.kind === "load") this.#ask(expr.address, expr.address.bits);
    else if (expr.kind === "op") this.#askOp(expr, bits);
  }

  #askOp(expr: Op, bits: number): void {
    const [a, b] = expr.args;
    if (a === undefined) return;
    if (lowBitsOnly.has(expr.op)) {
      for (const arg of expr.args) this.#ask(arg, bits);
      return;
    }
    switch (expr.op) {
      case "and": {
        const limit = b?.kind === "const" ? b.value.toString(2).length : bits;
        this.#ask(a, Math.min(bits, limit));
        if (b !== undefined) this.#ask(b, bits);
        return;
      }
      case "shl":
        this.#ask(a, b?.kind === "const" ? bits - Number(b.value) : bits);
        if (b !== undefined) this.#ask(b, b.bits);
        return;
      case "shr":
        this.#ask(a, b?.kind === "const" ? Math.min(a.bits, bits + Number(b.value)) : a.bits);
        if (b !== undefined) this.#ask(b, b.bits);
        return;
      default:
        this.#askPart(expr, a, bits);
    }
  }

  /** Changes of width and choices. */
  #askPart(expr: Op, a: Expr, bits: number): void {
    const [, b, c] = expr.args;
    switch (expr.op) {
      case "zext":
      case "sext":
        this.#ask(a, Math.min(bits, a.bits));
        return;
      case "extract":
        this.#ask(a, expr.imm + bits);
        return;
      case "concat":
        if (b === undefined) return;
        this.#ask(b, Math.min(bits, b.bits));
        this.#ask(a, bits - b.bits);
        return;
      case "insert":
        if (b === undefined) return;
        this.#ask(b, Math.min(b.bits, bits - expr.imm));
        if (expr.imm > 0 || bits > b.bits) this.#ask(a, bits);
        return;
      case "vector": {
        const found = laneOperation(expr.name);
        const isLanewise = found !== undefined && (found.kind in lanewise || found.kind in laneTests);
        for (const arg of expr.args) this.#ask(arg, isLanewise ? Math.ceil(bits / found.lane) * found.lane : arg.bits);
        return;
      }
      case "select":
        this.#ask(a, 1);
        if (b !== undefined) this.#ask(b, bits);
        if (c !== undefined) this.#ask(c, bits);
        return;
      default:
        for (const arg of expr.args) this.#ask(arg, arg.bits);
    }
  }
}
