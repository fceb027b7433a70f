import { constant, forEachUse, readsMemory, use, type Definition, type Expr } from "../../ir/expression.js";
import { make } from "../../ir/simplify.js";
import { forEachExpr, type Block, type BlockEnding, type Graph, type Callee, type Signature, type Statement } from "../ssa/graph.js";
import type { Code, CodeBlock, CodeEnding, Line, Variable } from "./code.js";
import { variableClasses, type VariableClasses } from "./variables.js";

/** Turns values into variables and merges into copies. `checkpoint` counts values looked at. */
export function lower(graph: Graph, signature: Signature, checkpoint: (work: number) => void): Code {
  return new Lowering(graph, signature, checkpoint).run();
}

class Lowering {
  readonly #graph: Graph;
  readonly #signature: Signature;
  readonly #classes: VariableClasses;
  readonly #variables = new Map<Definition, Variable>();
  readonly #members = new Map<Definition, Definition[]>();
  readonly #flags: Variable[] = [];

  constructor(graph: Graph, signature: Signature, checkpoint: (work: number) => void) {
    this.#graph = graph;
    this.#signature = signature;
    this.#classes = variableClasses(graph, checkpoint);
  }

  run(): Code {
    const parameters = this.#parameters();
    const made = new Map<Block, CodeBlock>();
    for (const block of this.#graph.blocks) made.set(block, this.#block(block));
    const blocks = [...made.values()];
    for (const [block, code] of made) {
      for (const successor of block.successors) {
        const to = made.get(successor);
        if (to === undefined) continue;
        code.successors.push(to);
        code.edgeLines.push(this.#edge(block, successor));
      }
      for (const predecessor of block.predecessors) {
        const from = made.get(predecessor);
        if (from !== undefined) code.predecessors.push(from);
      }
    }
    this.#nameRest();
    return { blocks, parameters, variables: [...new Set(this.#variables.values())], variableOf: (def) => this.#variable(def), newFlag: () => this.#newFlag(), flags: this.#flags };
  }

  #newFlag(): { readonly variable: Variable; readonly def: Definition } {
    const def = this.#graph.newDefinition(32, -1, { kind: "result" });
    const variable = this.#variable(def);
    this.#flags.push(variable);
    return { variable, def };
  }

  #parameters(): Variable[] {
    return this.#signature.parameters.map(({ place, type }, position) => {
      const def = place === undefined ? undefined : this.#graph.entryValues.get(place);
      const bits = type.kind === "int" || type.kind === "float" ? type.bits : 64;
      if (def === undefined) return { id: -1 - position, bits, parameter: position, place: place ?? -1, members: [] };
      return this.#variable(def, position);
    });
  }

  #variable(def: Definition, parameter?: number): Variable {
    const leader = this.#classes.classOf(def);
    let variable = this.#variables.get(leader);
    if (variable === undefined) {
      const members = [def];
      this.#members.set(leader, members);
      variable = { id: leader.id, bits: leader.bits, parameter, place: leader.place, members };
      this.#variables.set(leader, variable);
    }
    const members = this.#members.get(leader);
    if (members !== undefined && !members.includes(def)) members.push(def);
    return variable;
  }

  #nameRest(): void {
    for (const block of this.#graph.blocks) forEachExpr(block, (expr) => { forEachUse(expr, (def) => { this.#variable(def); }); });
  }

  #block(block: Block): CodeBlock {
    const merges = this.#classes.merges.get(block) ?? [];
    const copies = merges.map(({ phi, carrier }) => ({ to: this.#variable(phi), value: use(carrier) }));
    const lines = [...this.#sequence(copies), ...block.statements.flatMap((statement) => this.#line(statement))];
    return { id: block.id, start: block.start, lines, ending: ending(block.ending), successors: [], predecessors: [], edgeLines: [] };
  }

  #edge(block: Block, successor: Block): Line[] {
    const position = successor.predecessors.indexOf(block);
    const merges = this.#classes.merges.get(successor) ?? [];
    const copies = merges.flatMap(({ phi, carrier }) => {
      const value = phi.source.kind === "phi" ? phi.source.args[position] : undefined;
      return value === undefined ? [] : [{ to: this.#variable(carrier), value }];
    });
    return this.#sequence(copies);
  }

  #line(statement: Statement): Line[] {
    const { at } = statement;
    switch (statement.kind) {
      case "def":
        return statement.def.source.kind === "expr" ? this.#assign(at, this.#variable(statement.def), statement.def.source.expr) : [];
      case "store":
        return storeLines(at, statement.address, statement.value);
      case "effect": {
        const to = statement.result === undefined ? undefined : this.#variable(statement.result);
        return [{ kind: "effect", at, name: statement.name, args: statement.args, to }];
      }
      case "call": {
        const [result] = statement.results.values();
        const callee = withResultOf(result, statement.callee ?? { name: "", entry: undefined, signature: unknownSignature });
        const to = result === undefined ? undefined : this.#variable(result);
        return [{ kind: "call", at, call: { callee, address: statement.address, args: statement.args }, to }];
      }
    }
  }

  #assign(at: number, to: Variable, value: Expr): Line[] {
    return value.kind === "use" && this.#variable(value.def) === to ? [] : [{ kind: "assign", at, to, value }];
  }

  /** Copies that happen at once, one after another: each after those that still read its target. */
  #sequence(copies: readonly { readonly to: Variable; readonly value: Expr }[]): Line[] {
    let pending = copies.filter(({ to, value }) => !(value.kind === "use" && this.#variable(value.def) === to));
    const lines: Line[] = [];
    while (pending.length > 0) {
      const ready = pending.find(({ to }) => !pending.some((other) => other.to !== to && this.#reads(other.value, to)));
      if (ready !== undefined) {
        lines.push({ kind: "assign", at: -1, to: ready.to, value: ready.value });
        pending = pending.filter((copy) => copy !== ready);
        continue;
      }
      // A ring: what the first target held is kept aside.
      const [first] = pending;
      if (first === undefined) break;
      const aside = this.#graph.newDefinition(first.to.bits, -1, { kind: "result" });
      const kept = this.#variable(aside);
      lines.push({ kind: "assign", at: -1, to: kept, value: this.#use(first.to) });
      pending = pending.map((copy) => (copy === first ? copy : { to: copy.to, value: this.#replace(copy.value, first.to, use(aside)) }));
    }
    return lines;
  }

  #use(variable: Variable): Expr {
    const [member] = variable.members;
    return member === undefined ? use(this.#graph.newDefinition(variable.bits, -1, { kind: "clobber" })) : use(member);
  }

  #reads(expr: Expr, variable: Variable): boolean {
    let found = false;
    forEachUse(expr, (def) => { found ||= this.#variable(def) === variable; });
    return found;
  }

  #replace(expr: Expr, variable: Variable, by: Expr): Expr {
    if (expr.kind === "use") return this.#variable(expr.def) === variable ? by : expr;
    if (expr.kind === "load") return { ...expr, address: this.#replace(expr.address, variable, by) };
    return expr.kind === "op" ? { ...expr, args: expr.args.map((arg) => this.#replace(arg, variable, by)) } : expr;
  }
}

/** Two halves that are put together only to be stored are stored one after the other. */
function storeLines(at: number, address: Expr, value: Expr): Line[] {
  const [high, low] = value.kind === "op" && value.op === "concat" ? value.args : [];
  const isPlain = address.kind !== "load" && !readsMemory(address);
  if (high === undefined || low === undefined || low.bits < 64 || high.bits < 64 || !isPlain || readsMemory(value)) return [{ kind: "store", at, address, value }];
  const above = make("add", 64, [address, constant(64, low.bits / 8)]);
  return [...storeLines(at, address, low), ...storeLines(at, above, high)];
}

/** Registers alone do not tell how wide a floating result is; what is read of it does. */
function withResultOf(result: Definition | undefined, callee: Callee): Callee {
  const { signature } = callee;
  if (signature.source !== "code" || signature.result.kind !== "float" || result?.bits !== 32 || signature.result.bits === 32) return callee;
  return { ...callee, signature: { ...signature, result: { kind: "float", bits: 32 } } };
}

const unknownSignature: Signature = { parameters: [], variadic: true, result: { kind: "int", bits: 64, signed: undefined }, source: "guess" };

function ending(given: BlockEnding): CodeEnding {
  return given.kind === "return" ? { kind: "return", at: given.at, value: given.value } : given;
}
