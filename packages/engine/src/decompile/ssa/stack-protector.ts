import { constant, same, someExpr, type Expr } from "../../ir/expression.js";
import { mapBlock, type Block, type Graph } from "./graph.js";
import { unlink } from "./unlink.js";

/**
 * Takes out what compilers add against overwritten return addresses: the copy of the guard on the stack, its comparison at
 * the end, and the way to the function that ends the program when they differ. Calls must be resolved.
 */
export function removeStackProtector(graph: Graph): void {
  const compared: Expr[] = [];
  for (const block of graph.blocks) {
    const { ending } = block;
    if (ending.kind !== "branch") continue;
    const failing = block.successors.find(onlyFails);
    const other = block.successors.find((each) => each !== failing);
    if (failing === undefined || other === undefined) continue;
    collectAddresses(ending.condition, compared);
    unlink(block, failing);
    block.ending = { kind: "jump" };
    block.successors = [other];
  }
  if (compared.length === 0) return;
  graph.blocks = graph.blocks.filter((block, index) => index === 0 || block.predecessors.length > 0);
  const isGuard = (expr: Expr): boolean => {
    const whole = resolved(expr);
    return whole.kind === "load" && isAmong(whole.address, compared);
  };
  for (const block of graph.blocks) {
    // What the comparison leaves in a register is nothing when it is passed.
    mapBlock(block, (expr) => (expr.kind === "op" && (expr.op === "sub" || expr.op === "xor") && expr.args.every(isGuard) ? constant(expr.bits, 0) : expr));
    block.statements = block.statements.filter((statement) => {
      if (statement.kind !== "store") return true;
      return !(isGuard(statement.value) && isAmong(statement.address, compared));
    });
  }
}

const failures: ReadonlySet<string> = new Set(["__stack_chk_fail", "__stack_chk_fail_local", "___stack_chk_fail", "__stack_smash_handler"]);

/** A block that does nothing but tell of an overwritten stack, and does not come back. */
function onlyFails({ statements, ending }: Block): boolean {
  if (ending.kind !== "stop") return false;
  const [call, ...more] = statements.filter(({ kind }) => kind !== "def");
  return call?.kind === "call" && more.length === 0 && failures.has(call.callee?.name ?? "");
}

/** Where the values that a condition compares are loaded from. */
function collectAddresses(condition: Expr, into: Expr[]): void {
  const visit = (expr: Expr, depth: number): void => {
    const whole = resolved(expr);
    if (whole.kind === "load") into.push(whole.address);
    else if (whole.kind === "op" && depth < 4) for (const arg of whole.args) visit(arg, depth + 1);
  };
  visit(condition, 0);
}

/** What a value is made of, where that is one expression. */
function resolved(expr: Expr): Expr {
  return expr.kind === "use" && expr.def.source.kind === "expr" ? resolved(expr.def.source.expr) : expr;
}

function isAmong(address: Expr, addresses: readonly Expr[]): boolean {
  return addresses.some((each) => sameCell(each, address));
}

/** Equal addresses. The guard's own may be loaded from a table of addresses, which does not change. */
function sameCell(a: Expr, b: Expr): boolean {
  const [x, y] = [resolved(a), resolved(b)];
  if (x.kind === "load" && y.kind === "load") return !someExpr(x.address, ({ kind }) => kind === "load") && sameCell(x.address, y.address);
  return same(x, y);
}
