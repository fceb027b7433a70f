import type { Definition, Expr } from "../../ir/expression.js";
import type { FunctionRecord } from "../../program.js";
import { statedLocals, type StatedLocals } from "../../debug-types/stated-locals.js";
import type { Code } from "../lower/code.js";
import type { ProgramView } from "../program/program-view.js";
import { VariableNames } from "../print/variable-names.js";
import { inlineLoads } from "../lower/inline-loads.js";
import { lower } from "../lower/lower.js";
import { prepareBlocks } from "../lower/prepare.js";
import { withoutConstantBranches } from "../lower/constant-branches.js";
import { withoutEmptyBlocks } from "../lower/empty-blocks.js";
import { shareConditions } from "../lower/shared-conditions.js";
import { printFunction, type FunctionText } from "../print/function-printer.js";
import { References, type Referenced } from "../print/references.js";
import { forEachExpr, type Signature } from "../ssa/graph.js";
import { stackUse } from "../ssa/stack-accesses.js";
import { removeStackProtector } from "../ssa/stack-protector.js";
import { removeDeadCode } from "../ssa/uses.js";
import { forLoops } from "../structure/for-loops.js";
import { fewJumps } from "../structure/few-jumps.js";
import { inferTypes } from "../types/infer.js";
import { inferredRecords } from "../types/inferred-records.js";
import { readOnlyParameters } from "../types/read-only.js";
import { scaledIndices } from "../types/scaled-indices.js";
import { forEachUse } from "../../ir/expression.js";
import type { AnalyzedFunction, FunctionAnalyzer } from "./analyze.js";
import { notesOf, withJumpNote } from "./notes.js";

export interface DecompiledFunction extends FunctionText {
  readonly fn: FunctionRecord;
  readonly name: string;
  readonly referenced: Referenced;
  /** What is not understood, each in a sentence. */
  readonly notes: readonly string[];
}

/** One function as C. */
export function decompileFunction(analyzer: FunctionAnalyzer, fn: FunctionRecord): DecompiledFunction {
  const analyzed = analyzer.take(fn);
  const { graph, machine } = analyzed;
  removeStackProtector(graph);
  dropMeaninglessStores(analyzed);
  scaledIndices(graph);
  inlineLoads(graph);
  prepareBlocks(graph);
  inlineLoads(graph);
  removeDeadCode(graph);
  const frame = frameOf(analyzed);
  const code = shareConditions(withoutEmptyBlocks(withoutConstantBranches(lower(graph, analyzed.signature, analyzer.checkpoint))));
  const nodes = forLoops(fewJumps(code), (def) => code.variableOf(def));
  const references = new References(analyzer.view);
  const stated = statedLocals({ program: analyzer.view.program, fn, code, graph, machine });
  const plain = inferTypes(code, { signature: analyzed.signature, machine, stated: stated.types, typedObject: (address) => references.typedObject(address) });
  const name = references.plain(analyzer.view.nameOf(fn));
  const types = new Map([...plain, ...inferredRecords(code, plain, name)]);
  const text = printFunction({ analyzed, code, nodes, types, readOnly: readOnlyParameters(code), references, frame, name, variableNames: variableNames(analyzer.view, code, { signature: analyzed.signature, stated }) });
  return { ...text, lines: withJumpNote(text.lines, analyzed.computedJumps), fn, name, referenced: references, notes: notesOf(analyzed) };
}

/** Names of the source that parameters and locals have. */
function variableNames(view: ProgramView, code: Code, { signature, stated }: { readonly signature: Signature; readonly stated: StatedLocals }): VariableNames {
  const wanted = new Map([...code.flags.map((flag) => [flag, "done"] as const), ...stated.names]);
  for (const [position, variable] of code.parameters.entries()) {
    const name = signature.parameters[position]?.name;
    if (name !== undefined) wanted.set(variable, name);
  }
  return new VariableNames(wanted, view);
}

/** Registers that are kept for the caller are nothing to the function: their copies on the stack say nothing. */
function dropMeaninglessStores(analyzed: AnalyzedFunction): void {
  const { graph } = analyzed;
  for (const block of graph.blocks) {
    block.statements = block.statements.filter((statement) => statement.kind !== "store" || !isKept(statement.value, analyzed));
  }
  removeDeadCode(graph);
}

function isKept(value: Expr, analyzed: AnalyzedFunction): boolean {
  // Of a vector register only the low half is kept.
  if (value.kind === "op" && value.op === "extract" && value.args[0] !== undefined) return isKept(value.args[0], analyzed);
  const { graph, machine } = analyzed;
  return value.kind === "use" && value.def.source.kind === "entry" && graph.entryValues.get(value.def.place) === value.def && machine.kept.has(value.def.place);
}

interface Frame {
  readonly def: Definition;
  readonly size: number;
  readonly top: number;
}

/** What of the stack stays in memory; undefined where nothing does. */
function frameOf({ graph, machine }: AnalyzedFunction): Frame | undefined {
  const def = graph.entryValues.get(machine.stackPointer);
  if (def === undefined) return undefined;
  let isUsed = false;
  for (const block of graph.blocks) forEachExpr(block, (expr) => { forEachUse(expr, (used) => { isUsed ||= used === def; }); });
  if (!isUsed) return undefined;
  const { accesses, escapes } = stackUse(graph, def);
  const offsets = [...accesses.map(({ offset }) => offset), ...escapes].filter((offset) => offset > -largestFrame);
  const lowest = Math.min(0, ...offsets);
  const highest = Math.max(0, ...accesses.map(({ offset, bytes }) => offset + bytes), ...escapes.filter((offset) => offset >= 0).map((offset) => offset + 64));
  // The entry stands 8 above a multiple of 64, see the rules for aligned stacks.
  const down = Math.ceil((-lowest + spare) / 64) * 64;
  const top = down + (machine.entryMisaligned ? 8 : 0);
  return { def, size: Math.ceil((top + highest + 8) / 64) * 64, top };
}

const largestFrame = 16 * 1024 * 1024;
const spare = 16;
