import { readsMemory, sizeOf, use, type Definition, type Expr, type Op } from "../../ir/expression.js";
import { make } from "../../ir/simplify.js";
import { mapBlock, mapStatement, type Graph } from "./graph.js";
import { dissolveMerges } from "./merges.js";
import { rewrite } from "./rewrite.js";
import { countUses, removeDeadCode } from "./uses.js";

/** Values of loads that are fixed in the file; undefined for others. */
export type FixedLoad = (address: bigint, bits: number) => bigint | undefined;

interface Options {
  readonly fixedLoad: FixedLoad;
  /** Counts values looked at. */
  readonly checkpoint: (work: number) => void;
  /** Reduces a node further, with what only the caller knows. */
  readonly special?: (expr: Expr) => Expr;
}

const mostRounds = 12;
/** Trees are not grown beyond this. */
const largest = 120;

/** Brings values to where they are used and reduces what comes together, until nothing changes. */
export function propagate(graph: Graph, options: Options): void {
  for (let round = 0; round < mostRounds; round += 1) {
    options.checkpoint(graph.blocks.reduce((sum, { phis, statements }) => sum + phis.length + statements.length, 0));
    let changed = dissolveMerges(graph);
    const pass = new Pass(countUses(graph), options);
    for (const block of graph.blocks) {
      const reduce = (expr: Expr): Expr => {
        const made = pass.reduce(expr);
        changed ||= made !== expr;
        return made;
      };
      const wrappers = block.statements.filter((statement) => statement.kind === "def" && isWrapper(statement.def.source));
      for (const statement of wrappers) mapStatement(statement, (expr) => pass.reduceWrapper(expr));
      mapBlock({ ...block, statements: block.statements.filter((statement) => !wrappers.includes(statement)) }, reduce);
    }
    removeDeadCode(graph);
    if (!changed) return;
  }
}

class Pass {
  readonly #uses: ReadonlyMap<number, number>;
  readonly #options: Options;

  constructor(uses: ReadonlyMap<number, number>, options: Options) {
    this.#uses = uses;
    this.#options = options;
  }

  reduce(expr: Expr): Expr {
    return rewrite(
      expr,
      (leaf) => (leaf.kind === "use" ? this.#replacement(leaf.def) : leaf),
      (node) => this.#node(node),
    );
  }

  /** What only widens a value stays apart from the value, which others may want in its own width. */
  reduceWrapper(expr: Expr): Expr {
    return rewrite(
      expr,
      (leaf) => {
        const made = leaf.kind === "use" ? this.#replacement(leaf.def) : leaf;
        return made.kind === "const" || made.kind === "use" || (made.kind === "op" && isCheap(made)) ? made : leaf;
      },
      (node) => this.#node(node),
    );
  }

  #replacement(def: Definition): Expr {
    if (def.source.kind !== "expr") return use(def);
    const { expr } = def.source;
    if (expr.kind === "const" || expr.kind === "use") return expr;
    if (expr.kind !== "op") return use(def);
    if (isCheap(expr)) return expr;
    if ((this.#uses.get(def.id) ?? 0) === 1 && !readsMemory(expr) && sizeOf(expr, largest) < largest) return expr;
    return use(def);
  }

  #node(node: Expr): Expr {
    if (node.kind === "load") {
      if (node.address.kind !== "const") return node;
      const value = this.#options.fixedLoad(node.address.value, node.bits);
      return value === undefined ? node : { kind: "const", bits: node.bits, value };
    }
    if (node.kind !== "op") return node;
    const seen = lookThrough(node) ?? node;
    return this.#options.special?.(seen) ?? seen;
  }
}

/** Worth repeating wherever it is used: offsets of bases, changes of width, small parts. */
function isCheap(expr: Op): boolean {
  const [a, b] = expr.args;
  if (a?.kind !== "use") return false;
  if (expr.op === "zext" || expr.op === "sext" || expr.op === "extract") return true;
  return expr.op === "add" && b?.kind === "const" && expr.bits === 64;
}

function isWrapper(source: Definition["source"]): boolean {
  if (source.kind !== "expr" || source.expr.kind !== "op") return false;
  const { op, args } = source.expr;
  return op === "zext" || op === "sext" ? args[0]?.kind === "use" : op === "insert" && args[1]?.kind === "use";
}

/** `extract` of a value whose parts are seen in its definition; a comparison of a widened truth value. */
function lookThrough(node: Op): Expr | undefined {
  const [a, b] = node.args;
  if (a?.kind !== "use" || a.def.source.kind !== "expr") return undefined;
  const inner = a.def.source.expr;
  if (inner.kind !== "op" || readsMemory(inner)) return undefined;
  if (node.op === "extract" && (inner.op === "insert" || inner.op === "concat" || inner.op === "zext" || inner.op === "sext")) {
    const made = make("extract", node.bits, [inner], { imm: node.imm });
    return sizeOf(made, 20) <= 3 && !(made.kind === "op" && made.op === "extract" && made.args[0] === inner) ? made : undefined;
  }
  if ((node.op === "eq" || node.op === "ne") && b?.kind === "const" && isTruth(inner)) return make(node.op, 1, [inner, b]);
  return undefined;
}

function isTruth(expr: Op): boolean {
  return (expr.op === "zext" || expr.op === "sext") && expr.args[0]?.bits === 1;
}
