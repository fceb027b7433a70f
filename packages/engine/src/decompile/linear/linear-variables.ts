import { use, type Definition, type Expr, type Read } from "../../ir/expression.js";
import type { Code, Variable } from "../lower/code.js";
import type { Machine } from "../machine-model.js";

interface PlaceVariable {
  readonly def: Definition;
  readonly variable: Variable;
}

/** One variable for each place of the machine, and for each value that has no place. */
export class LinearVariables implements Pick<Code, "variableOf"> {
  readonly #machine: Machine;
  readonly #places = new Map<string, PlaceVariable>();
  readonly #variables = new Map<Definition, Variable>();
  readonly #readBefore: Set<number>;
  /** Variables of floating numbers; all others are bits. */
  readonly floats = new Set<Variable>();
  #next = 0;

  /** `readBefore`: places that are read before they are set. */
  constructor(machine: Machine, readBefore: ReadonlySet<number>) {
    this.#machine = machine;
    this.#readBefore = new Set(readBefore);
  }

  get all(): readonly Variable[] {
    return [...new Set(this.#variables.values())];
  }

  /** Names of registers for the variables that stand for them. */
  names(): ReadonlyMap<Variable, string> {
    return new Map([...this.#places.values()].flatMap(({ def, variable }) => (def.place < this.#machine.firstTemporary ? [[variable, this.#machine.nameOf(def.place)]] : [])));
  }

  read({ place, bits }: Read): Expr {
    return this.readWide(place, bits);
  }

  readPlace(place: number): Expr {
    return use(this.place(place, this.#machine.bitsOf(place)).def);
  }

  place(place: number, bits: number): PlaceVariable {
    const key = `${String(place)} ${String(bits)}`;
    let found = this.#places.get(key);
    if (found === undefined) {
      const def = this.define(bits, place, this.#readBefore.has(place) ? { kind: "clobber" } : { kind: "result" });
      this.#places.set(key, (found = { def, variable: this.ofDefinition(def) }));
    }
    return found;
  }

  /** What a place holds that is read as wide as it is, or as a temporary is. */
  readWide(place: number, bits: number): Expr {
    return use(this.place(place, place >= this.#machine.firstTemporary ? bits : this.#machine.bitsOf(place)).def);
  }

  /** Says that the function's first lines set the place. */
  setFirst(place: number): Variable {
    this.#readBefore.delete(place);
    return this.place(place, this.#machine.bitsOf(place)).variable;
  }

  /** The place of that name, where it is read before it is set. */
  readFirst(name: string): number | undefined {
    return [...this.#readBefore].find((place) => this.#machine.nameOf(place) === name);
  }

  /** A value that nothing is known of but where it stands. */
  fresh(bits: number, place: number): Definition {
    return this.define(bits, place, { kind: "result" });
  }

  define(bits: number, place: number, source: Definition["source"]): Definition {
    this.#next += 1;
    return { id: this.#next, bits, place, source };
  }

  ofDefinition(def: Definition, parameter?: number): Variable {
    let variable = this.#variables.get(def);
    if (variable === undefined) {
      variable = { id: def.id, bits: def.bits, parameter, place: def.place, members: [def] };
      this.#variables.set(def, variable);
    }
    return variable;
  }

  variableOf(def: Definition): Variable {
    return this.ofDefinition(def);
  }
}
