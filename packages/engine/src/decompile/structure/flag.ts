import { constant, use, type Definition, type Expr } from "../../ir/expression.js";
import { make } from "../../ir/simplify.js";
import type { Code, Variable } from "../lower/code.js";
import type { Node } from "./node.js";

/** A variable that says whether what follows is to be left out. */
export interface Flag {
  readonly variable: Variable;
  readonly def: Definition;
}

export function setFlag({ variable }: Flag, value: 0 | 1): Node {
  return { kind: "lines", lines: [{ kind: "assign", at: -1, to: variable, value: constant(variable.bits, value) }] };
}

export function isSetOf(node: Node, { variable }: Flag): boolean {
  const [line] = node.kind === "lines" ? node.lines : [];
  return line?.kind === "assign" && line.to === variable;
}

export function isSet({ variable, def }: Flag): Expr {
  return make("ne", 1, [use(def), constant(variable.bits, 0)]);
}

/** `nodes` under the condition; one with that of the only `if` among them. */
export function when(condition: Expr, nodes: readonly Node[]): Node {
  const [only] = nodes;
  if (nodes.length === 1 && only?.kind === "if" && only.otherwise.length === 0) return { ...only, condition: make("and", 1, [condition, only.condition]) };
  return { kind: "if", at: -1, condition, then: nodes, otherwise: [] };
}

/** Flags of one function, given out in order; another attempt at the same function begins with the first again. */
export class Flags {
  readonly variableOf: (def: Definition) => Variable;
  readonly #make: () => Flag;
  readonly #made: Flag[] = [];
  /** Labels that a flag stands for, one for each flag given out. */
  #labels: number[] = [];

  constructor({ newFlag, variableOf }: Pick<Code, "newFlag" | "variableOf">) {
    this.#make = newFlag;
    this.variableOf = variableOf;
  }

  get labels(): readonly number[] {
    return this.#labels;
  }

  again(): void {
    this.#labels = [];
  }

  /** The flag that `keep` gives out for good. */
  get next(): Flag {
    const known = this.#made[this.#labels.length];
    if (known !== undefined) return known;
    const made = this.#make();
    this.#made.push(made);
    return made;
  }

  keep(label: number): void {
    this.#labels.push(label);
  }
}
