import { constant, type Expr } from "../../../ir/expression.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { everywhere, lanes, setNarrowed, setResult, shifted, vectorWord, widened, type VectorWord } from "./vector-words.js";

/** Sources and target of different lanes: long, wide and narrowing forms. */
export function liftThreeDifferent(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  if (v.isScalar || v.lane === 64) return false;
  const opcode = field(word, 12, 4);
  if (opcode === 4 || opcode === 6) return highNarrow(m, v, opcode);
  const value = long(m, v, opcode);
  return value === undefined ? false : setResult(m, { ...v, bits: 128 }, value);
}

function long(m: A64Machine, v: VectorWord, opcode: number): Expr | undefined {
  const wide = v.lane * 2;
  const upper = isSet(v.word, 30);
  const a = (): Expr => widened(m, v.first, { lane: wide, isSigned: !v.u, upper });
  const b = (): Expr => widened(m, v.second, { lane: wide, isSigned: !v.u, upper });
  const product = (): Expr => lanes("mul", wide, [a(), b()]);
  // Widened lanes differ by less than a signed lane holds.
  const difference = (): Expr => lanes("abs", wide, [lanes("sub", wide, [a(), b()])]);
  const on = (kind: string, value: Expr): Expr => lanes(kind, wide, [m.vector(v.target), value]);
  switch (opcode) {
    case 0: return lanes("add", wide, [a(), b()]);
    case 1: return lanes("add", wide, [m.vector(v.first), b()]);
    case 2: return lanes("sub", wide, [a(), b()]);
    case 3: return lanes("sub", wide, [m.vector(v.first), b()]);
    case 5: return on("add", difference());
    case 7: return difference();
    case 8: return on("add", product());
    case 10: return on("sub", product());
    case 12: return product();
    default: return undefined;
  }
}

/** The upper halves of sums or differences. */
function highNarrow(m: A64Machine, v: VectorWord, opcode: number): boolean {
  const wide = v.lane * 2;
  const plain = lanes(opcode === 4 ? "add" : "sub", wide, [m.vector(v.first), m.vector(v.second)]);
  const value = v.u ? lanes("add", wide, [plain, everywhere(1n << BigInt(v.lane - 1), wide)]) : plain;
  return setNarrowed(m, v, lanes("even", v.lane, [shifted("shr", wide, value, v.lane), constant(128, 0)]));
}
