import { type Expr } from "../../../ir/expression.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { lanes, setResult, vectorWord, widened, type VectorWord } from "./vector-words.js";

/** Products with one lane of the second register. */
export function liftByElement(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const opcode = field(word, 12, 4);
  const isFloat = opcode === 1 || opcode === 5 || opcode === 9;
  return isFloat && isSet(word, 23) ? floats(m, v, opcode) : isFloat ? false : integers(m, v, opcode);
}

/** The lane as a vector of its copies. */
function copied(m: A64Machine, { word, second }: VectorWord, lane: number): Expr {
  const [h, l, high] = [field(word, 11, 1), field(word, 21, 1), field(word, 20, 1)];
  if (lane === 16) return m.let(lanes("dup", 16, [m.vector(second & 15)], h * 4 + l * 2 + high));
  return m.let(lanes("dup", lane, [m.vector(second)], lane === 32 ? h * 2 + l : h));
}

function floats(m: A64Machine, given: VectorWord, opcode: number): boolean {
  const lane = isSet(given.word, 22) ? 64 : 32;
  const v = given.isScalar ? { ...given, lane, bits: lane } : { ...given, lane };
  if (given.u) return false;
  const [a, b] = [m.vector(v.first), copied(m, v, lane)];
  if (opcode === 9) return setResult(m, v, lanes("mulf", lane, [a, b]));
  return setResult(m, v, lanes("fmaf", lane, [opcode === 5 ? lanes("negf", lane, [a]) : a, b, m.vector(v.target)]));
}

function integers(m: A64Machine, v: VectorWord, opcode: number): boolean {
  if (v.isScalar || (v.lane !== 16 && v.lane !== 32)) return false;
  const b = copied(m, v, v.lane);
  if (opcode === 8 && !v.u) return setResult(m, v, lanes("mul", v.lane, [m.vector(v.first), b]));
  if ((opcode === 0 || opcode === 4) && v.u) {
    const product = lanes("mul", v.lane, [m.vector(v.first), b]);
    return setResult(m, v, lanes(opcode === 0 ? "add" : "sub", v.lane, [m.vector(v.target), product]));
  }
  if (opcode !== 2 && opcode !== 6 && opcode !== 10) return false;
  const wide = v.lane * 2;
  const a = widened(m, v.first, { lane: wide, isSigned: !v.u, upper: isSet(v.word, 30) });
  const product = lanes("mul", wide, [a, lanes(v.u ? "widen_u" : "widen_s", wide, [b])]);
  const value = opcode === 10 ? product : lanes(opcode === 2 ? "add" : "sub", wide, [m.vector(v.target), product]);
  return setResult(m, { ...v, bits: 128 }, value);
}
