import type { Code, Variable } from "../src/decompile/lower/code.js";
import type { Node } from "../src/decompile/structure/node.js";
import type { Definition, Expr } from "../src/ir/expression.js";

export function variable(id: number, bits: number): { readonly variable: Variable; readonly def: Definition } {
  const def: Definition = { id, bits, place: -1, source: { kind: "result" } };
  return { def, variable: { id, bits, parameter: undefined, place: -1, members: [def] } };
}

export const variables = [0, 1, 2].map((id) => variable(id, 1).variable);
const firstFlag = 100;

export function withFlags(): Pick<Code, "newFlag" | "variableOf"> {
  const all = [...variables];
  const variableOf = (def: Definition): Variable => {
    const found = all.find(({ id }) => id === def.id);
    if (found === undefined) throw new Error("There is no such variable.");
    return found;
  };
  const newFlag = (): ReturnType<Code["newFlag"]> => {
    const made = variable(firstFlag + all.length, 32);
    all.push(made.variable);
    return made;
  };
  return { variableOf, newFlag };
}

/** Answers questions by their number and by what was said before, as memory would; asking changes nothing. Variables hold what they were set to. */
export class Oracle {
  readonly trace: string[] = [];
  readonly #variables = new Map<number, number>();
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  set(to: Variable, value: Expr): void {
    this.#variables.set(to.id, this.answer(value));
  }

  answer(expr: Expr): number {
    if (expr.kind === "const") return Number(expr.value);
    if (expr.kind === "read") {
      const mixed = Math.imul(this.#seed ^ Math.imul(expr.place + 1, 0x9e3779b1) ^ Math.imul(this.trace.length + 1, 0x85ebca6b), 0xc2b2ae35);
      return (mixed >>> 13) % (expr.bits === 1 ? 2 : 4);
    }
    if (expr.kind === "use") {
      const value = this.#variables.get(expr.def.id);
      if (value === undefined && expr.def.id < firstFlag) return this.#seed % 2;
      if (value === undefined) throw new Error("A flag is asked for before it is set.");
      return value;
    }
    if (expr.kind !== "op") throw new Error(`no ${expr.kind} was drawn`);
    const [a = 0, b = 0] = expr.args.map((arg) => this.answer(arg));
    if (expr.op === "not") return a ^ 1;
    if (expr.op === "xor" || expr.op === "ne") return a === b ? 0 : 1;
    if (expr.op === "eq") return a === b ? 1 : 0;
    if (expr.op === "and") return a & b;
    if (expr.op === "or") return a | b;
    throw new Error(`no ${expr.op} was drawn`);
  }
}

export const mostSteps = 400;

type Step =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "set"; readonly to: Variable; readonly value: Expr }
  | { readonly kind: "end" }
  | { readonly kind: "jump"; to: number }
  | { readonly kind: "unless"; readonly condition: Expr; to: number }
  | { readonly kind: "goto"; readonly label: number }
  | { readonly kind: "choose"; readonly selector: Expr; readonly cases: Map<bigint, number>; otherwise: number };

/** Statements as steps with jumps; where `goto` leads is looked up when it is run. */
class Flat {
  readonly steps: Step[] = [];
  readonly labels = new Map<number, number>();

  add(nodes: readonly Node[], breaks: { to: number }[], continues: { to: number }[]): void {
    for (const node of nodes) this.#node(node, breaks, continues);
  }

  #jump(): Extract<Step, { kind: "jump" }> {
    const step = { kind: "jump" as const, to: -1 };
    this.steps.push(step);
    return step;
  }

  #node(node: Node, breaks: { to: number }[], continues: { to: number }[]): void {
    switch (node.kind) {
      case "lines":
        for (const line of node.lines) {
          if (line.kind === "comment") this.steps.push({ kind: "say", text: line.text });
          if (line.kind === "assign") this.steps.push({ kind: "set", to: line.to, value: line.value });
        }
        return;
      case "return":
      case "stop":
        this.steps.push({ kind: "end" });
        return;
      case "goto":
        this.steps.push({ kind: "goto", label: node.label });
        return;
      case "label":
        this.labels.set(node.label, this.steps.length);
        return;
      case "break":
        breaks.push(this.#jump());
        return;
      case "continue":
        continues.push(this.#jump());
        return;
      case "if": {
        const unless = { kind: "unless" as const, condition: node.condition, to: -1 };
        this.steps.push(unless);
        this.add(node.then, breaks, continues);
        const past = this.#jump();
        unless.to = this.steps.length;
        this.add(node.otherwise, breaks, continues);
        past.to = this.steps.length;
        return;
      }
      case "switch":
        this.#switch(node, continues);
        return;
      default:
        this.#loop(node);
    }
  }

  #loop(node: Extract<Node, { readonly body: readonly Node[] }>): void {
    if (node.kind === "for") throw new Error("No loop counts without variables.");
    const [inner, again]: [{ to: number }[], { to: number }[]] = [[], []];
    const start = this.steps.length;
    const test = (condition: Expr): void => {
      const unless = { kind: "unless" as const, condition, to: -1 };
      this.steps.push(unless);
      inner.push(unless);
    };
    if (node.kind === "while") test(node.condition);
    this.add(node.body, inner, again);
    const end = this.steps.length;
    if (node.kind === "do") test(node.condition);
    this.#jump().to = start;
    for (const each of again) each.to = node.kind === "do" ? end : start;
    for (const each of inner) each.to = this.steps.length;
  }

  #switch(node: Extract<Node, { readonly kind: "switch" }>, continues: { to: number }[]): void {
    const inner: { to: number }[] = [];
    const choose = { kind: "choose" as const, selector: node.selector, cases: new Map<bigint, number>(), otherwise: -1 };
    this.steps.push(choose);
    for (const { values, isDefault, body } of node.cases) {
      for (const value of values) choose.cases.set(value, this.steps.length);
      if (isDefault) choose.otherwise = this.steps.length;
      this.add(body, inner, continues);
    }
    if (choose.otherwise < 0) choose.otherwise = this.steps.length;
    for (const each of inner) each.to = this.steps.length;
  }
}

export function runNodes(nodes: readonly Node[], oracle: Oracle): string[] {
  const flat = new Flat();
  flat.add(nodes, [], []);
  const { trace } = oracle;
  let at = 0;
  for (let count = 0; count < mostSteps * 20; count += 1) {
    const step = flat.steps[at];
    if (step === undefined) throw new Error("Control ran out of the function.");
    at += 1;
    if (step.kind === "end") return [...trace, "end"];
    if (step.kind === "say") trace.push(step.text);
    else if (step.kind === "set") oracle.set(step.to, step.value);
    else if (step.kind === "jump") at = step.to;
    else if (step.kind === "unless") at = oracle.answer(step.condition) === 1 ? at : step.to;
    else if (step.kind === "choose") at = step.cases.get(BigInt(oracle.answer(step.selector))) ?? step.otherwise;
    else {
      const place = flat.labels.get(step.label);
      if (place === undefined) throw new Error("A jump leads to no label.");
      at = place;
    }
  }
  return trace;
}
