import { signed, type Definition, type Expr } from "../../ir/expression.js";
import { forEachEndingExpr, forEachStatementExpr, type Graph, type Statement } from "./graph.js";

export interface StackAccess {
  readonly offset: number;
  readonly bytes: number;
  readonly writes: boolean;
}

export interface StackUse {
  readonly accesses: readonly StackAccess[];
  /** Offsets whose address is used other than for a plain access, ascending. */
  readonly escapes: readonly number[];
}

/** The offset of an address from the stack pointer at the entry; undefined for other addresses. */
export function stackOffset(address: Expr, stackPointer: Definition): number | undefined {
  if (address.kind === "use") return address.def === stackPointer ? 0 : undefined;
  if (address.kind !== "op" || address.op !== "add") return undefined;
  const [base, offset] = address.args;
  if (base?.kind !== "use" || base.def !== stackPointer || offset?.kind !== "const") return undefined;
  return Number(signed(offset.value, 64));
}

/** Everything the function does with addresses counted from its stack pointer. */
export function stackUse(graph: Graph, stackPointer: Definition): StackUse {
  const collector = new Collector(stackPointer);
  for (const block of graph.blocks) {
    for (const phi of block.phis) if (phi.source.kind === "phi") for (const arg of phi.source.args) collector.value(arg);
    for (const statement of block.statements) visitStatement(statement, collector, stackPointer);
    if (block.ending.kind !== "return") forEachEndingExpr(block.ending, (expr) => { collector.value(expr); });
    else for (const value of block.ending.state.values()) if (stackOffset(value, stackPointer) === undefined) collector.value(value);
  }
  return collector.found();
}

function visitStatement(statement: Statement, collector: Collector, stackPointer: Definition): void {
  if (statement.kind === "store") {
    collector.access(statement.address, statement.value.bits / 8, true);
    collector.value(statement.value);
  } else if (statement.kind === "call") {
    if (statement.address !== undefined) collector.value(statement.address);
    for (const arg of statement.args) collector.value(arg);
    for (const arg of statement.state.values()) if (stackOffset(arg, stackPointer) === undefined || statement.callee !== undefined) collector.value(arg);
  } else forEachStatementExpr(statement, (expr) => { collector.value(expr); });
}

class Collector {
  readonly #stackPointer: Definition;
  readonly #accesses: StackAccess[] = [];
  readonly #escapes = new Set<number>();

  constructor(stackPointer: Definition) {
    this.#stackPointer = stackPointer;
  }

  found(): StackUse {
    return { accesses: this.#accesses, escapes: [...this.#escapes].sort((a, b) => a - b) };
  }

  access(address: Expr, bytes: number, writes: boolean): void {
    const offset = stackOffset(address, this.#stackPointer);
    if (offset === undefined) this.value(address);
    else this.#accesses.push({ offset, bytes, writes });
  }

  value(expr: Expr): void {
    if (expr.kind === "use") {
      if (expr.def === this.#stackPointer) this.#escapes.add(0);
    } else if (expr.kind === "load") this.access(expr.address, expr.bits / 8, false);
    else if (expr.kind === "op") this.#operation(expr.op === "add" ? sumParts(expr) : { terms: expr.args, offset: undefined });
  }

  #operation({ terms, offset }: { readonly terms: readonly Expr[]; readonly offset: number | undefined }): void {
    for (const term of terms) {
      if (term.kind === "use" && term.def === this.#stackPointer) this.#escapes.add(offset ?? Number.MIN_SAFE_INTEGER);
      else this.value(term);
    }
  }
}

/** Terms of a sum, with its constants added up. */
function sumParts(expr: Expr): { readonly terms: readonly Expr[]; readonly offset: number } {
  if (expr.kind === "const") return { terms: [], offset: Number(signed(expr.value, expr.bits)) };
  if (expr.kind !== "op" || expr.op !== "add") return { terms: [expr], offset: 0 };
  const parts = expr.args.map(sumParts);
  return { terms: parts.flatMap(({ terms }) => terms), offset: parts.reduce((sum, part) => sum + part.offset, 0) };
}
