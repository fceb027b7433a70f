import { sizeOf, type Expr } from "../../ir/expression.js";
import { mapBlock, type Graph } from "../ssa/graph.js";

const largest = 8;

/** Steps of several bytes that are kept in a value of their own stand in each address again, so that it shows what is counted. */
export function scaledIndices(graph: Graph): void {
  for (const block of graph.blocks) {
    mapBlock(block, inAddresses);
    for (const statement of block.statements) if (statement.kind === "store") statement.address = address(statement.address);
  }
}

function inAddresses(expr: Expr): Expr {
  switch (expr.kind) {
    case "load":
      return { ...expr, address: address(inAddresses(expr.address)) };
    case "op":
      return expr.args.length === 0 ? expr : { ...expr, args: expr.args.map(inAddresses) };
    default:
      return expr;
  }
}

/** A sum with its scaled terms written out. */
function address(expr: Expr): Expr {
  if (expr.kind === "op" && expr.op === "add" && expr.bits === 64) return { ...expr, args: expr.args.map(address) };
  if (expr.kind !== "use" || expr.bits !== 64 || expr.def.source.kind !== "expr") return expr;
  const { expr: source } = expr.def.source;
  return isScaled(source) ? source : expr;
}

/** A product of a value, widened at most, and the size of something. */
function isScaled(expr: Expr): boolean {
  if (expr.kind !== "op" || expr.bits !== 64 || sizeOf(expr, largest) >= largest) return false;
  const [a, b] = expr.args;
  if (a === undefined || b?.kind !== "const" || b.isAddress === true) return false;
  if (expr.op === "shl" ? b.value === 0n || b.value > 6n : expr.op !== "mul" || b.value > 4096n) return false;
  return isPlain(a) || (a.kind === "op" && a.op === "add" && a.args.every((arg) => arg.kind === "const" || isPlain(arg)));
}

function isPlain(expr: Expr): boolean {
  if (expr.kind === "use") return true;
  return expr.kind === "op" && (expr.op === "sext" || expr.op === "zext") && expr.args[0]?.kind === "use";
}
