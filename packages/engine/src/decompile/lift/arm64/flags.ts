import { constant, type Expr } from "../../../ir/expression.js";
import { make, not1 } from "../../../ir/simplify.js";
import type { A64Machine } from "./a64-machine.js";
import { flagNames, type FlagName } from "./places.js";

export type FlagValues = Readonly<Record<FlagName, Expr>>;

const one = constant(1, 1);
const none = constant(1, 0);

export function isNegative(value: Expr): Expr {
  return make("slt", 1, [value, constant(value.bits, 0)]);
}

function isZero(value: Expr): Expr {
  return make("eq", 1, [value, constant(value.bits, 0)]);
}

/** Flags after `a - b`. */
export function subtractFlags(a: Expr, b: Expr, result: Expr): FlagValues {
  const differ = make("and", a.bits, [make("xor", a.bits, [a, b]), make("xor", a.bits, [a, result])]);
  return {
    n: isNegative(result),
    z: make("eq", 1, [a, b]),
    c: make("ule", 1, [b, a]),
    v: isNegative(differ),
    ls: make("ule", 1, [a, b]),
    lt: make("slt", 1, [a, b]),
    le: make("sle", 1, [a, b]),
  };
}

export function addOverflow(a: Expr, b: Expr, result: Expr): Expr {
  return isNegative(make("and", a.bits, [make("xor", a.bits, [a, result]), make("xor", a.bits, [b, result])]));
}

/** Flags after `a + b`. */
export function addFlags(m: A64Machine, a: Expr, b: Expr, result: Expr): FlagValues {
  return derived(m, { n: isNegative(result), z: isZero(result), c: make("ult", 1, [result, a]), v: addOverflow(a, b, result) });
}

/** What several flags say together, from the four. */
export function derived(m: A64Machine, { n, z, c, v }: { readonly n: Expr; readonly z: Expr; readonly c: Expr; readonly v: Expr }): FlagValues {
  const lt = m.let(make("xor", 1, [n, v]));
  return { n, z, c, v, lt, ls: make("or", 1, [not1(c), z]), le: make("or", 1, [lt, z]) };
}

export function logicFlags(result: Expr): FlagValues {
  const n = isNegative(result);
  return { n, z: isZero(result), c: none, v: none, ls: one, lt: n, le: make("sle", 1, [result, constant(result.bits, 0)]) };
}

/** Flags after a comparison of floating numbers; unordered sets carry and overflow. */
export function floatFlags(a: Expr, b: Expr): FlagValues {
  return {
    n: make("flt", 1, [a, b]),
    z: make("feq", 1, [a, b]),
    c: not1(make("flt", 1, [a, b])),
    v: make("funord", 1, [a, b]),
    ls: make("fle", 1, [a, b]),
    lt: not1(make("fle", 1, [b, a])),
    le: not1(make("flt", 1, [b, a])),
  };
}

/** Flags given as a number, N the highest of four bits. */
export function fixedFlags(nzcv: number): FlagValues {
  const bit = (at: number): boolean => ((nzcv >> at) & 1) === 1;
  const truth = (value: boolean): Expr => (value ? one : none);
  const [n, z, c, v] = [bit(3), bit(2), bit(1), bit(0)];
  return { n: truth(n), z: truth(z), c: truth(c), v: truth(v), ls: truth(!c || z), lt: truth(n !== v), le: truth(z || n !== v) };
}

export function setFlags(m: A64Machine, values: FlagValues): void {
  // All are made of what stood before, so none may be written before all are read.
  const made = flagNames.map((name) => [name, m.let(values[name])] as const);
  for (const [name, value] of made) m.setFlag(name, value);
}

/** Of two sets of flags the first where the condition holds. */
export function chosenFlags(condition: Expr, yes: FlagValues, no: FlagValues): FlagValues {
  const choose = (name: FlagName): Expr => {
    const other = no[name];
    if (other.kind === "const") return other.value === 0n ? make("and", 1, [condition, yes[name]]) : make("or", 1, [not1(condition), yes[name]]);
    return make("select", 1, [condition, yes[name], other]);
  };
  return { n: choose("n"), z: choose("z"), c: choose("c"), v: choose("v"), ls: choose("ls"), lt: choose("lt"), le: choose("le") };
}

/** What a condition code of four bits asks. */
export function conditionOf(m: A64Machine, code: number): Expr {
  if (code >= 14) return one;
  const asked = (["z", "c", "n", "v", "ls", "lt", "le"] as const)[code >> 1] ?? "z";
  // The last three are asked the other way round: higher, greater or equal, greater.
  const negated = (code & 1) === (code >= 8 ? 0 : 1);
  return negated ? not1(m.flag(asked)) : m.flag(asked);
}
