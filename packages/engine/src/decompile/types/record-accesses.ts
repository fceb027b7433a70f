import type { Expr, Load } from "../../ir/expression.js";
import type { Code, Line, Variable } from "../lower/code.js";
import { addressParts } from "./address-parts.js";
import type { CType } from "./value-type.js";

/** A value read or written behind a variable. */
export interface Access {
  /** From where the variable points to; undefined where more than a number is added. */
  readonly offset: number | undefined;
  readonly bits: number;
  readonly isFloat: boolean;
  /** Where what is read goes to, or what is written comes from. */
  readonly variable: Variable | undefined;
  /** True where what is read is itself an address that is read at. */
  readonly isBase: boolean;
}

/** Operations that read floating numbers. */
const floatOperation = /^(?:f(?!round$)|fround)/;
const floatResult = /^(?:f(?!eq|lt|le|unord|tos|tou)|sitof|uitof)/;

/** Collects what code reads and writes behind each pointer. */
export class AccessReader {
  readonly #code: Code;
  readonly #types: ReadonlyMap<Variable, CType>;
  readonly #found = new Map<Variable, Access[]>();

  constructor(code: Code, types: ReadonlyMap<Variable, CType>) {
    this.#code = code;
    this.#types = types;
  }

  read(): ReadonlyMap<Variable, readonly Access[]> {
    for (const { lines, edgeLines, ending } of this.#code.blocks) {
      for (const line of [...lines, ...edgeLines.flat()]) this.#line(line);
      if (ending.kind === "branch") this.#visit(ending.condition, false);
      else if (ending.kind === "switch") this.#visit(ending.selector, false);
      else if (ending.kind === "return" && ending.value !== undefined) this.#visit(ending.value, false);
    }
    return this.#found;
  }

  #line(line: Line): void {
    switch (line.kind) {
      case "assign":
        if (line.value.kind === "load") this.#load(line.value, { isFloat: this.#types.get(line.to)?.kind === "float", variable: line.to, isBase: false });
        else this.#visit(line.value, false);
        return;
      case "store":
        this.#store(line.address, line.value);
        return;
      case "call":
        for (const arg of line.call.args) this.#visit(arg, false);
        if (line.call.address !== undefined) this.#visit(line.call.address, false);
        return;
      case "effect":
        for (const arg of line.args) this.#visit(arg, false);
        return;
      case "comment":
        return;
    }
  }

  #store(address: Expr, value: Expr): void {
    const variable = value.kind === "use" ? this.#code.variableOf(value.def) : undefined;
    const isFloat = variable === undefined ? value.kind === "op" && floatResult.test(value.op) : this.#types.get(variable)?.kind === "float";
    this.#access(address, { bits: value.bits === 1 ? 8 : value.bits, isFloat, variable, isBase: false });
    this.#visit(value, false);
  }

  #visit(expr: Expr, isFloat: boolean): void {
    if (expr.kind === "load") this.#load(expr, { isFloat, variable: undefined, isBase: false });
    else if (expr.kind === "op") for (const arg of expr.args) this.#visit(arg, floatOperation.test(expr.op));
  }

  #load({ address, bits }: Load, how: Omit<Access, "offset" | "bits">): void {
    this.#access(address, { bits, ...how });
  }

  #access(address: Expr, how: Omit<Access, "offset">): void {
    const { terms, offset, address: fixed } = addressParts(address);
    for (const term of terms) {
      if (term.kind === "use") this.#note(this.#code.variableOf(term.def), { ...how, offset: terms.length === 1 && fixed === undefined ? offset : undefined });
      else if (term.kind === "load") this.#load(term, { isFloat: false, variable: undefined, isBase: terms.length === 1 });
      else this.#visit(term, false);
    }
  }

  #note(variable: Variable, access: Access): void {
    const known = this.#found.get(variable);
    if (known === undefined) this.#found.set(variable, [access]);
    else known.push(access);
  }
}
