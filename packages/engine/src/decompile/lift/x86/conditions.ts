import type { Expr } from "../../../ir/expression.js";
import { not1 } from "../../../ir/simplify.js";
import type { Machine } from "./machine.js";
import type { FlagName } from "./x86-places.js";

const tests: Readonly<Record<string, { readonly flag: FlagName; readonly negated: boolean }>> = {
  o: { flag: "of", negated: false },
  no: { flag: "of", negated: true },
  b: { flag: "cf", negated: false },
  ae: { flag: "cf", negated: true },
  e: { flag: "zf", negated: false },
  ne: { flag: "zf", negated: true },
  be: { flag: "be", negated: false },
  a: { flag: "be", negated: true },
  s: { flag: "sf", negated: false },
  ns: { flag: "sf", negated: true },
  p: { flag: "pf", negated: false },
  np: { flag: "pf", negated: true },
  l: { flag: "l", negated: false },
  ge: { flag: "l", negated: true },
  le: { flag: "le", negated: false },
  g: { flag: "le", negated: true },
};

/** The condition a suffix such as `ne` asks; undefined for other texts. */
export function conditionOf(m: Machine, suffix: string): Expr | undefined {
  const test = tests[suffix];
  if (test === undefined) return undefined;
  return test.negated ? not1(m.flag(test.flag)) : m.flag(test.flag);
}
