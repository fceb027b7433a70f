import type { Expr } from "../../ir/expression.js";
import type { CType } from "./c-type.js";
import type { Printed } from "./printed.js";
import type { Surroundings } from "./surroundings.js";

/** What the reader of a value prefers where the value leaves it open. */
export interface Hint {
  readonly signed?: boolean;
  readonly float?: boolean;
}

/** The printer of expressions, as its parts use it. */
export interface Core {
  readonly surroundings: Surroundings;
  print(expr: Expr, hint?: Hint): Printed;
  integer(expr: Expr, hint?: Hint): Printed;
  toInteger(printed: Printed, bits: number): Printed;
  signed(expr: Expr): Printed;
  unsigned(expr: Expr): Printed;
  float(expr: Expr): Printed;
  condition(expr: Expr): Printed;
  atLeast(printed: Printed, bits: number): Printed;
  call(name: string, args: readonly string[], type: CType): Printed;
}
