import type { Expr } from "./expression.js";
import { evaluate } from "./evaluate.js";
import { interpretAtomic, type InterpretedMemory } from "./interpret-atomic.js";
import type { Step } from "./statement.js";

/**
 * Runs steps on values of places, for checking a lifter against a processor. A place or result that nothing defines is
 * `undefined`, and so is what depends on it. Effects that are only named, but for atomic operations, leave their result undefined.
 */
export class Interpreter {
  readonly places: Map<number, bigint | undefined>;
  readonly #memory: InterpretedMemory;

  constructor(places: ReadonlyMap<number, bigint | undefined>, memory: InterpretedMemory) {
    this.places = new Map(places);
    this.#memory = memory;
  }

  run(steps: readonly Step[]): void {
    for (const step of steps) this.#step(step);
  }

  #step(step: Step): void {
    switch (step.kind) {
      case "set":
        this.places.set(step.place, this.value(step.value));
        return;
      case "store": {
        const address = this.value(step.address);
        const value = this.value(step.value);
        if (address !== undefined && value !== undefined) this.#memory.write(address, step.value.bits / 8, value);
        return;
      }
      case "effect":
        this.places.set(step.place, this.#effect(step.name, step.args));
        return;
      case "call":
        return;
    }
  }

  #effect(name: string, args: readonly Expr[]): bigint | undefined {
    const values: bigint[] = [];
    for (const arg of args) {
      const value = this.value(arg);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return interpretAtomic(name, values, this.#memory);
  }

  value(expr: Expr): bigint | undefined {
    switch (expr.kind) {
      case "const":
        return expr.value;
      case "read":
        return this.places.get(expr.place);
      case "use":
        return undefined;
      case "load": {
        const address = this.value(expr.address);
        return address === undefined ? undefined : this.#memory.read(address, expr.bits / 8);
      }
      case "op": {
        const values: bigint[] = [];
        for (const arg of expr.args) {
          const value = this.value(arg);
          if (value === undefined) return undefined;
          values.push(value);
        }
        return evaluate(expr, values);
      }
    }
  }
}
