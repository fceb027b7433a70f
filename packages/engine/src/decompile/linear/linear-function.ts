import { constant, op, use, type Definition, type Expr } from "../../ir/expression.js";
import { make, zext } from "../../ir/simplify.js";
import type { LiftedBlock } from "../../ir/statement.js";
import type { FunctionRecord } from "../../program.js";
import type { Code, Line, Variable } from "../lower/code.js";
import type { Machine } from "../machine-model.js";
import { intType, type CType } from "../print/c-type.js";
import { printFunction } from "../print/function-printer.js";
import { References } from "../print/references.js";
import { VariableNames } from "../print/variable-names.js";
import { computedJumps, type FunctionAnalyzer } from "../pipeline/analyze.js";
import { notesOf, withJumpNote, withRemark } from "../pipeline/notes.js";
import type { DecompiledFunction } from "../pipeline/decompile.js";
import type { Signature } from "../ssa/graph.js";
import { rewrite } from "../ssa/rewrite.js";
import { inlineTemporaries } from "./inline-temporaries.js";
import { LinearBlock, type LinearSurroundings } from "./linear-block.js";
import { linearNodes, type LinearPart } from "./linear-nodes.js";
import { planSelection, type Selection, type SelectionPlan } from "./linear-switch.js";
import { LinearVariables } from "./linear-variables.js";
import { withoutDeadSteps } from "./live-places.js";
import { stackDepth } from "./stack-depth.js";

/** Room above the entry's stack pointer: the return address and what a caller may have passed there. */
const above = 512;
const spare = 256;
const largestFrame = 16 * 1024 * 1024;

/**
 * One function as C in the order of its instructions: a variable a register, a label a block, `goto` for its jumps. It costs time in
 * proportion to the function's size, whatever its shape. `reason` says why it is so. Undefined where the stack is taken by amounts that only run time knows.
 */
export function decompileLinear(analyzer: FunctionAnalyzer, fn: FunctionRecord, reason: string): DecompiledFunction | undefined {
  const { view, machine } = analyzer;
  const lifted = analyzer.lifted(fn);
  const signature = analyzer.signatureByRegisters(fn);
  const depth = stackDepth(lifted.blocks, fn.entry, machine);
  if (depth === undefined || depth > largestFrame) return undefined;
  const live = withoutDeadSteps(lifted, machine, analyzer.checkpoint);
  const blocks = live.blocks.map((block) => inlineTemporaries(block, machine.firstTemporary)).sort((a, b) => a.start - b.start);
  const variables = new LinearVariables(machine, live.readFirst);
  const frame = frameOf(machine, depth, variables);
  const surroundings: LinearSurroundings = { machine, variables, result: signature.result, fixedLoad: (va, bits) => view.fixedLoad(va, bits), resolve: (graph) => { analyzer.resolve(graph, fn, signature); } };
  const { parameters, lines } = entryLines(signature, { machine, variables, frame: frame.def });
  const parts = blocks.map((block) => partOf(block, surroundings, view.program.parts.switches.get(endOf(block))));
  const nodes = [{ kind: "lines" as const, lines }, ...linearNodes(parts, fn.entry)];
  const code: Code = { blocks: [], parameters, variables: variables.all, variableOf: (def) => variables.variableOf(def), newFlag: () => flagOf(variables), flags: [] };
  const references = new References(view);
  const name = references.plain(view.nameOf(fn));
  const analyzed = { fn, graph: emptyGraph(fn), signature, machine, named: lifted.named, computedJumps: computedJumps(lifted) };
  const text = printFunction({ analyzed, code, nodes, types: typesOf(code.variables, variables.floats), readOnly: new Set(), references, frame, name, variableNames: new VariableNames(variables.names(), view) });
  return { ...text, lines: withRemark(withJumpNote(text.lines, analyzed.computedJumps), `${reason} ${linearNote}`), fn, name, referenced: references, notes: [reason, linearNote, ...notesOf(analyzed)] };
}

const linearNote = "The text follows the instructions one by one: a variable is a register, and jumps are goto.";

function emptyGraph({ entry }: FunctionRecord) {
  return { entry, blocks: [], entryValues: new Map<number, Definition>(), newDefinition: (bits: number, place: number, source: Definition["source"]): Definition => ({ id: 0, bits, place, source }) };
}

function flagOf(variables: LinearVariables): { readonly variable: Variable; readonly def: Definition } {
  const def = variables.fresh(32, -1);
  return { variable: variables.ofDefinition(def), def };
}

function endOf({ ending }: LiftedBlock): number {
  return ending.kind === "switch" ? ending.at : -1;
}

function frameOf(machine: Machine, depth: number, variables: LinearVariables): { readonly def: Definition; readonly size: number; readonly top: number } {
  const def = variables.define(64, machine.stackPointer, { kind: "entry" });
  // The entry stands 8 above a multiple of 64 where calls push, as everywhere.
  const top = Math.ceil((depth + spare) / 64) * 64 + (machine.entryMisaligned ? 8 : 0);
  return { def, size: Math.ceil((top + above) / 64) * 64, top };
}

function partOf(lifted: LiftedBlock, surroundings: LinearSurroundings, targets: readonly number[] | undefined): LinearPart {
  const block = new LinearBlock(surroundings);
  const plan = planSelection(lifted);
  const kept = keptValues(plan, surroundings.variables);
  const keep = (step: number): void => {
    for (const { place, def } of kept.byStep.get(step) ?? []) block.lines.push({ kind: "assign", at: -1, to: surroundings.variables.ofDefinition(def), value: surroundings.variables.readWide(place, def.bits) });
  };
  keep(-1);
  for (const [index, step] of lifted.steps.entries()) {
    block.step(step);
    keep(index);
  }
  if (lifted.ending.kind === "tail") block.call(lifted.ending);
  return { lifted, block, selection: plan === undefined || targets === undefined ? undefined : selectionOf(lifted, { index: kept.replace(plan.index), targets }) };
}

function selectionOf({ ending }: LiftedBlock, { index, targets }: { readonly index: Expr; readonly targets: readonly number[] }): Selection {
  const known = new Set(ending.kind === "switch" ? ending.cases.map(({ to }) => to) : []);
  return { index, cases: targets.flatMap((to, value) => (known.has(to) ? [{ value: BigInt(value), to }] : [])) };
}

interface Kept {
  readonly byStep: ReadonlyMap<number, readonly { readonly place: number; readonly def: Definition }[]>;
  replace(expr: Expr): Expr;
}

/** Variables for the values that an index is made of, which the block may overwrite before its end. */
function keptValues(plan: SelectionPlan | undefined, variables: LinearVariables): Kept {
  const byStep = new Map<number, { readonly place: number; readonly def: Definition }[]>();
  const made = new Map<Definition, Definition>();
  if (plan !== undefined) {
    rewrite(plan.index, (leaf) => {
      const where = leaf.kind === "use" ? plan.kept.get(leaf.def) : undefined;
      if (leaf.kind !== "use" || where === undefined || made.has(leaf.def)) return leaf;
      const def = variables.fresh(leaf.def.bits, -1);
      made.set(leaf.def, def);
      byStep.set(where.step, [...(byStep.get(where.step) ?? []), { place: where.place, def }]);
      return leaf;
    });
  }
  return { byStep, replace: (expr) => rewrite(expr, (leaf) => (leaf.kind === "use" ? use(made.get(leaf.def) ?? leaf.def) : leaf)) };
}

interface Entry {
  readonly machine: Machine;
  readonly variables: LinearVariables;
  readonly frame: Definition;
}

/** What the registers hold when the function is entered. */
function entryLines(signature: Signature, { machine, variables, frame }: Entry): { readonly parameters: readonly Variable[]; readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  const set = (place: number, value: Expr): void => { lines.push({ kind: "assign", at: -1, to: variables.setFirst(place), value }); };
  set(machine.stackPointer, use(frame));
  const thread = variables.readFirst("fs");
  if (thread !== undefined) set(thread, op("intrinsic", 64, [], { name: "thread_pointer" }));
  const parameters = signature.parameters.map(({ type, place }, position) => {
    const bits = type.kind === "int" || type.kind === "float" ? type.bits : 64;
    const def = variables.define(bits, place ?? -1, { kind: "entry" });
    const variable = variables.ofDefinition(def, position);
    if (type.kind === "float") variables.floats.add(variable);
    if (place !== undefined && place < machine.firstTemporary) set(place, zext(use(def), machine.bitsOf(place)));
    else lines.push({ kind: "store", at: -1, address: make("add", 64, [use(frame), constant(64, machine.stackArguments + 8 * stackPosition(signature, position, machine))]), value: zext(use(def), 64) });
    return variable;
  });
  return { parameters, lines };
}

/** How many arguments on the stack stand before that one. */
function stackPosition({ parameters }: Signature, position: number, { firstTemporary }: Machine): number {
  return parameters.slice(0, position).filter(({ place }) => place === undefined || place >= firstTemporary).length;
}

/** Registers are numbers of their width; what is passed and given back is what it is passed as. */
function typesOf(all: readonly Variable[], floats: ReadonlySet<Variable>): ReadonlyMap<Variable, CType> {
  return new Map(all.map((variable) => [variable, floats.has(variable) ? { kind: "float", bits: variable.bits } : intType(variable.bits, variable.bits <= 64)]));
}
