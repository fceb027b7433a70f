import { constant, type Definition, type Expr, type Op } from "../../ir/expression.js";
import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import type { Block, Graph } from "../ssa/graph.js";

/** Makes computed jumps through tables into switches over the index: the tables' order gives each case its number. */
export function resolveSwitches(graph: Graph, program: AnalyzedProgram): void {
  for (const block of graph.blocks) {
    if (block.ending.kind !== "switch") continue;
    const targets = program.parts.switches.get(block.ending.at);
    const index = indexOf(block.ending.selector, new Set());
    if (targets === undefined || index === undefined) continue;
    const known = new Set(block.successors.map(({ start }) => start));
    const cases = targets.flatMap((to, value) => (known.has(to) ? [{ value: BigInt(value), to }] : []));
    const { selector } = block.ending;
    block.ending = { ...block.ending, selector: index, cases };
    // The address jumped to is nothing that a function goes on with or returns.
    if (selector.kind === "use" && selector.def.source.kind === "expr" && selector !== index) selector.def.source = { kind: "clobber" };
  }
}

/** The index of the table access that an address of code is made of. */
export function indexOf(expr: Expr, seen: Set<Definition>): Expr | undefined {
  if (expr.kind === "use") {
    if (seen.has(expr.def) || expr.def.source.kind !== "expr") return undefined;
    seen.add(expr.def);
    return indexOf(expr.def.source.expr, seen);
  }
  if (expr.kind === "load") return indexOfAddress(expr.address, expr.bits / 8, seen);
  if (expr.kind !== "op") return undefined;
  for (const arg of expr.args) {
    const found = indexOf(arg, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The term of a table access that counts entries; of single bytes that is the whole offset. */
function indexOfAddress(address: Expr, entryBytes: number, seen: Set<Definition>): Expr | undefined {
  if (address.kind === "use") {
    if (seen.has(address.def) || address.def.source.kind !== "expr") return undefined;
    seen.add(address.def);
    return indexOfAddress(address.def.source.expr, entryBytes, seen);
  }
  if (address.kind !== "op" || address.op !== "add") return undefined;
  const [first, second] = address.args;
  if (entryBytes === 1 && first !== undefined && second?.kind === "const") return first;
  for (const arg of address.args) {
    const found = arg.kind === "op" ? scaledIndex(arg, entryBytes, seen) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a term of an address multiplies by the size of an entry. */
function scaledIndex(term: Op, entryBytes: number, seen: Set<Definition>): Expr | undefined {
  const [value, factor] = term.args;
  if (value === undefined || factor?.kind !== "const") return undefined;
  if (term.op === "mul" && isEntrySize(Number(factor.value), entryBytes)) return value;
  if (term.op === "shl" && factor.value < 4n && isEntrySize(1 << Number(factor.value), entryBytes)) return value;
  return term.op === "add" ? indexOfAddress(term, entryBytes, seen) : undefined;
}

/** A switch over what was reduced by a number, over the value itself. */
export function shiftCases(block: Block): void {
  if (block.ending.kind !== "switch") return;
  const { selector, cases } = block.ending;
  if (selector.kind !== "op") return;
  const inner = selector.op === "zext" ? selector.args[0] : selector;
  if (inner?.kind !== "op" || inner.op !== "add" || inner.args[1]?.kind !== "const" || inner.args[0] === undefined) return;
  const by = inner.args[1].value;
  const shifted = cases.map(({ value, to }) => ({ value: constant(inner.bits, value - by).value, to }));
  block.ending = { ...block.ending, selector: inner.args[0], cases: shifted };
}

function isEntrySize(factor: number, entryBytes: number): boolean {
  return factor === 4 || factor === 8 || (factor === 2 && entryBytes === 2);
}
