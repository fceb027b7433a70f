import { constant, type Expr } from "../../../ir/expression.js";
import { extract, make } from "../../../ir/simplify.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { repeated } from "./vector-immediates.js";

/** The fields that most vector instructions share. */
export interface VectorWord {
  readonly word: number;
  readonly target: number;
  readonly first: number;
  readonly second: number;
  /** Bits of a lane by the size field. */
  readonly lane: number;
  /** True for the forms of one lane. */
  readonly isScalar: boolean;
  /** Bits that are written: 128, 64, or one lane. */
  readonly bits: number;
  /** The bit that tells two forms apart, usually unsigned from signed. */
  readonly u: boolean;
}

export function vectorWord(word: number): VectorWord {
  const isScalar = isSet(word, 28);
  const lane = 8 << field(word, 22, 2);
  return {
    word,
    target: field(word, 0, 5),
    first: field(word, 5, 5),
    second: field(word, 16, 5),
    lane,
    isScalar,
    bits: isScalar ? lane : isSet(word, 30) ? 128 : 64,
    u: isSet(word, 29),
  };
}

/** An operation on the lanes of 128-bit values. */
export function lanes(kind: string, lane: number, args: readonly Expr[], imm = 0): Expr {
  return make("vector", 128, args, { name: `${kind}${String(lane)}`, imm });
}

export function whole(name: "and" | "or" | "xor", a: Expr, b: Expr): Expr {
  return make(name, 128, [a, b]);
}

export function inverted(value: Expr): Expr {
  return make("not", 128, [value]);
}

/** Of two values by the bits of a mask: the first where they are set. */
export function chosen(where: Expr, a: Expr, b: Expr): Expr {
  return whole("or", whole("and", where, a), whole("and", inverted(where), b));
}

/** A number in every lane. */
export function everywhere(value: bigint, lane: number): Expr {
  return constant(128, repeated(value, lane));
}

/** Lanes shifted by a fixed amount. */
export function shifted(kind: "shl" | "shr" | "sar", lane: number, value: Expr, by: number): Expr {
  return by === 0 ? value : lanes(kind, lane, [value, constant(128, by)]);
}

/** Shifted right and rounded: half of the last place is added first, as if lanes were wider. */
export function rounded(kind: "shr" | "sar", lane: number, value: Expr, by: number): Expr {
  if (by === 0) return value;
  const last = whole("and", shifted(kind, lane, value, by - 1), everywhere(1n, lane));
  return lanes("add", lane, [shifted(kind, lane, value, by), last]);
}

/** Lanes of the lower half, or of the upper, made twice as wide; `lane` is the new width. */
export function widened(m: A64Machine, register: number, given: { readonly lane: number; readonly isSigned: boolean; readonly upper: boolean }): Expr {
  const half = extract(m.vector(register), given.upper ? 64 : 0, 64);
  return m.let(lanes(given.isSigned ? "widen_s" : "widen_u", given.lane, [make("zext", 128, [half])]));
}

/** Writes the part of a value that the instruction writes, zeros above. */
export function setResult(m: A64Machine, { target, bits }: VectorWord, value: Expr): true {
  m.setVector(target, m.let(extract(value, 0, bits)));
  return true;
}

/** Writes narrow lanes, which stand in the low half of the value, to the lower or the upper half of the target. */
export function setNarrowed(m: A64Machine, { target, word }: VectorWord, value: Expr): true {
  const low = m.let(extract(value, 0, 64));
  if (isSet(word, 30)) m.setVector(target, make("concat", 128, [low, m.vector(target, 64)]));
  else m.setVector(target, low);
  return true;
}

