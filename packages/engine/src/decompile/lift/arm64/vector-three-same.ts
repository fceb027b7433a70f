import { type Expr } from "../../../ir/expression.js";
import { field, type A64Machine } from "./a64-machine.js";
import { chosen, everywhere, inverted, lanes, setResult, vectorWord, whole, type VectorWord } from "./vector-words.js";

/** Three registers of equal lanes. */
export function liftThreeSame(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const opcode = field(word, 11, 5);
  if (opcode === 3) return v.isScalar ? false : logic(m, v);
  if (opcode >= 24) return floats(m, v, opcode);
  if (v.isScalar && v.lane !== 64) return false;
  const value = integers(m, v, opcode);
  return value === undefined ? false : setResult(m, v, value);
}

function logic(m: A64Machine, v: VectorWord): boolean {
  const [a, b, d] = [m.vector(v.first), m.vector(v.second), m.vector(v.target)];
  const kind = field(v.word, 22, 2);
  if (v.u) return setResult(m, v, [() => whole("xor", a, b), () => chosen(d, a, b), () => chosen(b, a, d), () => chosen(b, d, a)][kind]?.() ?? a);
  return setResult(m, v, [() => whole("and", a, b), () => whole("and", a, inverted(b)), () => whole("or", a, b), () => whole("or", a, inverted(b))][kind]?.() ?? a);
}

/** Neighbours of both sources side by side: the even ones, and the odd ones. */
function pairs(m: A64Machine, v: VectorWord, lane: number): readonly [Expr, Expr] {
  const [a, b] = v.bits === 64
    ? [m.let(joinedHalves(m, v)), m.let(joinedHalves(m, v))]
    : [m.vector(v.first), m.vector(v.second)];
  return [m.let(lanes("even", lane, [a, b])), m.let(lanes("odd", lane, [a, b]))];
}

function joinedHalves(m: A64Machine, v: VectorWord): Expr {
  return lanes("even", 64, [m.vector(v.first), m.vector(v.second)]);
}

function integers(m: A64Machine, v: VectorWord, opcode: number): Expr | undefined {
  const { lane, u } = v;
  const sign = u ? "u" : "s";
  const a = (): Expr => m.vector(v.first);
  const b = (): Expr => m.vector(v.second);
  const d = (): Expr => m.vector(v.target);
  const plain = (kind: string): Expr => lanes(kind, lane, [a(), b()]);
  const paired = (kind: string): Expr => lanes(kind, lane, pairs(m, v, lane));
  if (v.isScalar && ![1, 5, 6, 7, 8, 16, 17].includes(opcode)) return undefined;
  switch (opcode) {
    case 0: return plain(`hadd_${sign}`);
    case 1: return plain(`adds_${sign}`);
    case 2: return plain(`avg_${sign}`);
    case 4: return plain(`hsub_${sign}`);
    case 5: return plain(`subs_${sign}`);
    case 6: return plain(u ? "gt_u" : "gt");
    case 7: return inverted(lanes(u ? "gt_u" : "gt", lane, [b(), a()]));
    case 8: return plain(`shift_${sign}`);
    case 12: return plain(`max_${sign}`);
    case 13: return plain(`min_${sign}`);
    case 14: return plain(`absdiff_${sign}`);
    case 15: return lanes("add", lane, [d(), plain(`absdiff_${sign}`)]);
    case 16: return plain(u ? "sub" : "add");
    case 17: return u ? plain("eq") : inverted(lanes("eq", lane, [whole("and", a(), b()), everywhere(0n, lane)]));
    case 18: return lane === 64 ? undefined : lanes(u ? "sub" : "add", lane, [d(), plain("mul")]);
    case 19: return u || lane === 64 ? undefined : plain("mul");
    case 20: return lane === 64 ? undefined : paired(`max_${sign}`);
    case 21: return lane === 64 ? undefined : paired(`min_${sign}`);
    case 23: return u ? undefined : paired("add");
    default: return undefined;
  }
}

function floats(m: A64Machine, given: VectorWord, opcode: number): boolean {
  const lane = field(given.word, 22, 1) === 1 ? 64 : 32;
  const v = given.isScalar ? { ...given, lane, bits: lane } : { ...given, lane };
  const value = floatValue(m, v, opcode);
  return value === undefined ? false : setResult(m, v, value);
}

function floatValue(m: A64Machine, v: VectorWord, opcode: number): Expr | undefined {
  const { lane, u } = v;
  const other = field(v.word, 23, 1) === 1;
  const a = m.vector(v.first);
  const b = m.vector(v.second);
  const plain = (kind: string): Expr => lanes(kind, lane, [a, b]);
  const paired = (kind: string): Expr => lanes(kind, lane, pairs(m, v, lane));
  const size = (value: Expr): Expr => lanes("absf", lane, [value]);
  switch (opcode) {
    case 24: return u ? paired(other ? "minnmf" : "maxnmf") : plain(other ? "minnmf" : "maxnmf");
    case 25: {
      if (u) return undefined;
      const factor = other ? lanes("negf", lane, [a]) : a;
      return lanes("fmaf", lane, [factor, b, m.vector(v.target)]);
    }
    case 26: return u ? (other ? size(plain("subf")) : paired("addf")) : plain(other ? "subf" : "addf");
    case 27: return u ? (other ? undefined : plain("mulf")) : undefined;
    case 28: return u ? (other ? lanes("ltf", lane, [b, a]) : lanes("lef", lane, [b, a])) : other ? undefined : plain("eqf");
    case 29: return u ? lanes(other ? "ltf" : "lef", lane, [size(b), size(a)]) : undefined;
    case 30: return u ? paired(other ? "minnanf" : "maxnanf") : plain(other ? "minnanf" : "maxnanf");
    case 31: return u && !other ? plain("divf") : undefined;
    default: return undefined;
  }
}
