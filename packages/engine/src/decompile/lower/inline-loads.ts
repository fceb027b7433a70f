import { forEachUse, readsMemory, sizeOf, type Definition, type Expr } from "../../ir/expression.js";
import { forEachEndingExpr, forEachStatementExpr, mapEnding, mapStatement, type Block, type Graph, type Statement } from "../ssa/graph.js";
import { rewrite } from "../ssa/rewrite.js";
import { countUses } from "../ssa/uses.js";

const largest = 40;

/** Values that are read once and depend on memory move to where they are read, unless memory may change in between. */
export function inlineLoads(graph: Graph): void {
  const uses = countUses(graph);
  for (const block of graph.blocks) new BlockInliner(block, uses).run();
}

class BlockInliner {
  readonly #block: Block;
  readonly #uses: ReadonlyMap<number, number>;

  constructor(block: Block, uses: ReadonlyMap<number, number>) {
    this.#block = block;
    this.#uses = uses;
  }

  run(): void {
    const { statements } = this.#block;
    for (let index = 0; index < statements.length; index += 1) {
      const statement = statements[index];
      if (statement?.kind !== "def" || statement.def.source.kind !== "expr") continue;
      const { def } = statement;
      const { expr } = statement.def.source;
      if (this.#uses.get(def.id) !== 1 || sizeOf(expr, largest) >= largest) continue;
      const at = this.#userOf(def, index);
      if (at === undefined || (readsMemory(expr) && this.#changesBetween(index, at))) continue;
      this.#replace(at, def, expr);
      statements.splice(index, 1);
      index -= 1;
    }
  }

  /** Position of the statement that reads the value; one past the last for the ending or the merges behind. */
  #userOf(def: Definition, from: number): number | undefined {
    const { statements, ending } = this.#block;
    for (let index = from + 1; index < statements.length; index += 1) {
      const statement = statements[index];
      if (statement !== undefined && mentions((visit) => { forEachStatementExpr(statement, visit); }, def)) return index;
    }
    if (mentions((visit) => { forEachEndingExpr(ending, visit); }, def)) return statements.length;
    return undefined;
  }

  #changesBetween(from: number, to: number): boolean {
    return this.#block.statements.slice(from + 1, to).some(({ kind }) => kind !== "def");
  }

  #replace(at: number, def: Definition, expr: Expr): void {
    const map = (tree: Expr): Expr => rewrite(tree, (leaf) => (leaf.kind === "use" && leaf.def === def ? expr : leaf));
    const statement: Statement | undefined = this.#block.statements[at];
    if (statement === undefined) mapEnding(this.#block.ending, map);
    else mapStatement(statement, map);
  }
}

function mentions(each: (visit: (expr: Expr) => void) => void, def: Definition): boolean {
  let found = false;
  each((expr) => {
    if (!found) forEachUse(expr, (used) => { found ||= used === def; });
  });
  return found;
}

