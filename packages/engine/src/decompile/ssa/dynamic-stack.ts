import { constant, use, type Definition, type Expr } from "../../ir/expression.js";
import { make } from "../../ir/simplify.js";
import type { Machine } from "../machine-model.js";
import type { Graph } from "./graph.js";

/** Bytes kept free below what is taken from the stack, for arguments that are pushed. */
const below = 128;

/**
 * Where the stack pointer moves down by an amount that only run time knows, memory is taken by a named operation instead.
 */
export function dynamicStack(graph: Graph, machine: Machine): void {
  const entry = graph.entryValues.get(machine.stackPointer);
  if (entry === undefined) return;
  const taken = new Set<Definition>([entry]);
  for (const block of graph.blocks) {
    block.statements = block.statements.flatMap((statement) => {
      if (statement.kind !== "def" || statement.def.place !== machine.stackPointer || statement.def.source.kind !== "expr") return [statement];
      const amount = amountTaken(statement.def.source.expr, taken);
      if (amount === undefined) return [statement];
      const memory = graph.newDefinition(64, -1, { kind: "result" });
      statement.def.source = { kind: "expr", expr: make("add", 64, [use(memory), constant(64, below)]) };
      taken.add(memory);
      return [{ kind: "effect" as const, at: statement.at, name: "alloca", args: [make("add", 64, [amount, constant(64, 2 * below)])], result: memory }, statement];
    });
  }
}

function amountTaken(expr: Expr, taken: ReadonlySet<Definition>): Expr | undefined {
  if (expr.kind !== "op" || expr.bits !== 64) return undefined;
  const [a, b] = expr.args;
  if (a === undefined || b === undefined) return undefined;
  if (expr.op === "sub" && isStack(a, taken)) return b;
  if (expr.op === "add" && b.kind === "const") return amountTaken(a, taken);
  return undefined;
}

function isStack(expr: Expr, taken: ReadonlySet<Definition>): boolean {
  if (expr.kind === "use") {
    if (taken.has(expr.def)) return true;
    return expr.def.source.kind === "expr" && isStack(expr.def.source.expr, taken);
  }
  return expr.kind === "op" && expr.op === "add" && expr.args[0] !== undefined && isStack(expr.args[0], taken);
}
