import { op, read, type Expr } from "../../ir/expression.js";
import type { Step } from "../../ir/statement.js";

/** Collects the steps of instructions; values that are used often are made once, in temporary places. */
export class StepBuilder {
  readonly steps: Step[] = [];
  /** RVA of the instruction whose steps are made. */
  at = 0;
  #temporary: number;

  constructor(firstTemporary: number) {
    this.#temporary = firstTemporary;
  }

  /** Makes a value once, so that it can be used often. */
  let(value: Expr): Expr {
    if (value.kind === "const") return value;
    const place = this.temporary();
    this.set(place, value);
    return read(place, value.bits);
  }

  temporary(): number {
    const place = this.#temporary;
    this.#temporary += 1;
    return place;
  }

  set(place: number, value: Expr): void {
    this.steps.push({ kind: "set", at: this.at, place, value });
  }

  store(address: Expr, value: Expr): void {
    this.steps.push({ kind: "store", at: this.at, address, value });
  }

  effect(name: string, args: readonly Expr[], bits = 0): Expr {
    const place = this.temporary();
    this.steps.push({ kind: "effect", at: this.at, name, args, place, bits });
    return read(place, bits);
  }

  unknown(bits: number): Expr {
    return op("unknown", bits, []);
  }
}
