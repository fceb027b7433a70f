import { constant, use, type Const, type Definition, type Expr } from "../../ir/expression.js";
import { extract, zext } from "../../ir/simplify.js";
import type { Step } from "../../ir/statement.js";
import type { Line } from "../lower/code.js";
import type { Machine } from "../machine-model.js";
import type { Block, CallStatement, Graph, Statement, ValueType } from "../ssa/graph.js";
import type { FixedLoad } from "../ssa/propagate.js";
import { rewrite } from "../ssa/rewrite.js";
import type { LinearVariables } from "./linear-variables.js";

export interface LinearSurroundings {
  readonly machine: Machine;
  readonly variables: LinearVariables;
  readonly result: ValueType;
  readonly fixedLoad: FixedLoad;
  /** Gives a call its arguments and its one result; statements that stand before it are put in front. */
  resolve(graph: Graph): void;
}

/** The lines of one block, over variables that stand for places of the machine. */
export class LinearBlock {
  readonly lines: Line[] = [];
  readonly #surroundings: LinearSurroundings;
  /** What places surely hold since they were set in this block. */
  readonly #constants = new Map<number, Const>();

  constructor(surroundings: LinearSurroundings) {
    this.#surroundings = surroundings;
  }

  value(expr: Expr): Expr {
    const { variables, fixedLoad } = this.#surroundings;
    return rewrite(
      expr,
      (leaf) => (leaf.kind === "read" ? variables.read(leaf) : leaf),
      (node) => {
        const fixed = node.kind === "load" && node.address.kind === "const" ? fixedLoad(node.address.value, node.bits) : undefined;
        return fixed === undefined ? node : constant(node.bits, fixed);
      },
    );
  }

  step(step: Step): void {
    const { at } = step;
    switch (step.kind) {
      case "set":
        this.#set(at, step.place, this.value(step.value));
        return;
      case "store":
        this.lines.push({ kind: "store", at, address: this.value(step.address), value: this.value(step.value) });
        return;
      case "effect": {
        const to = step.bits === 0 ? undefined : this.#surroundings.variables.place(step.place, step.bits).variable;
        this.#constants.delete(step.place);
        this.lines.push({ kind: "effect", at, name: step.name, args: step.args.map((arg) => this.value(arg)), to });
        return;
      }
      case "call":
        this.call(step);
    }
  }

  call({ at, target }: Pick<Extract<Step, { kind: "call" }>, "at" | "target">): void {
    const { machine, variables } = this.#surroundings;
    const state = new Map<number, Expr>(machine.callReads.map((place) => [place, this.#constants.get(place) ?? variables.readPlace(place)]));
    const results = new Map<number, Definition>(machine.resultPlaces.map((place) => [place, variables.fresh(machine.bitsOf(place), place)]));
    const call: CallStatement = { kind: "call", at, target, address: target.kind === "indirect" ? this.value(target.address) : undefined, state, args: [], results, callee: undefined };
    for (const statement of this.#resolved(call)) this.#statement(statement);
    for (const place of machine.callWrites) this.#constants.delete(place);
    this.#take(call);
  }

  /** What the function gives back where it returns. */
  returned(): Expr | undefined {
    const { machine, result, variables } = this.#surroundings;
    if (result.kind === "void") return undefined;
    const value = variables.readPlace(result.kind === "float" ? machine.floatResult : machine.integerResult);
    return extract(value, 0, result.kind === "pointer" ? 64 : result.bits);
  }

  #resolved(call: CallStatement): readonly Statement[] {
    const { variables } = this.#surroundings;
    const block: Block = { id: 0, start: call.at, phis: [], statements: [call], ending: { kind: "jump" }, predecessors: [], successors: [] };
    this.#surroundings.resolve({ entry: call.at, blocks: [block], entryValues: new Map(), newDefinition: (bits, place, source) => variables.define(bits, place, source) });
    return block.statements;
  }

  #statement(statement: Statement): void {
    const { variables } = this.#surroundings;
    if (statement.kind === "def" && statement.def.source.kind === "expr") {
      this.lines.push({ kind: "assign", at: statement.at, to: variables.ofDefinition(statement.def), value: statement.def.source.expr });
    }
  }

  /** The call, then its result in the place where it stands. */
  #take({ at, callee, address, args, results }: CallStatement): void {
    const { machine, variables } = this.#surroundings;
    const signature = callee?.signature;
    const place = signature?.result.kind === "float" ? machine.floatResult : machine.integerResult;
    if (callee === undefined || signature === undefined || signature.result.kind === "void" || !results.has(place)) {
      if (callee !== undefined) this.lines.push({ kind: "call", at, call: { callee, address, args }, to: undefined });
      return;
    }
    const bits = signature.result.kind === "pointer" ? 64 : signature.result.bits;
    const def = variables.fresh(bits, place);
    const to = variables.ofDefinition(def);
    if (signature.result.kind === "float") variables.floats.add(to);
    this.lines.push({ kind: "call", at, call: { callee, address, args }, to });
    this.#set(at, place, zext(use(def), machine.bitsOf(place)));
  }

  #set(at: number, place: number, value: Expr): void {
    const { machine, variables } = this.#surroundings;
    if (value.kind === "const") this.#constants.set(place, value);
    else this.#constants.delete(place);
    const bits = place >= machine.firstTemporary ? value.bits : machine.bitsOf(place);
    const whole = value.bits === bits ? value : value.bits < bits ? zext(value, bits) : extract(value, 0, bits);
    this.lines.push({ kind: "assign", at, to: variables.place(place, bits).variable, value: whole });
  }
}
