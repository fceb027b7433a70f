import { constant, mask, type Expr } from "../../../ir/expression.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { powerOfTwo } from "./float.js";
import { everywhere, lanes, rounded, setNarrowed, setResult, shifted, vectorWord, whole, widened, type VectorWord } from "./vector-words.js";

/** Shifts by a fixed amount. */
export function liftShiftByImmediate(m: A64Machine, word: number): boolean {
  const high = field(word, 19, 4);
  if (high === 0) return false;
  const lane = 8 << (31 - Math.clz32(high));
  const base = vectorWord(word);
  const v: VectorWord = { ...base, lane, bits: base.isScalar ? lane : base.bits };
  const amount = field(word, 16, 7);
  const opcode = field(word, 11, 5);
  if (opcode >= 16 && opcode <= 19) return narrows(m, v, { opcode, by: lane * 2 - amount });
  if (opcode === 20) return lengthens(m, v, amount - lane);
  if (v.isScalar && lane !== 64 && opcode < 28) return false;
  const value = plain(m, v, { opcode, right: lane * 2 - amount, left: amount - lane });
  return value === undefined ? false : setResult(m, v, value);
}

function plain(m: A64Machine, v: VectorWord, { opcode, right, left }: { readonly opcode: number; readonly right: number; readonly left: number }): Expr | undefined {
  const { lane, u } = v;
  const a = m.vector(v.first);
  const d = m.vector(v.target);
  const kind = u ? "shr" : "sar";
  switch (opcode) {
    case 0: return shifted(kind, lane, a, right);
    case 2: return lanes("add", lane, [d, shifted(kind, lane, a, right)]);
    case 4: return rounded(kind, lane, a, right);
    case 6: return lanes("add", lane, [d, rounded(kind, lane, a, right)]);
    case 8: return u ? inserted(d, shifted("shr", lane, a, right), everywhere(right >= lane ? 0n : mask(lane - right), lane)) : undefined;
    case 10: return u ? inserted(d, shifted("shl", lane, a, left), everywhere((mask(lane) << BigInt(left)) & mask(lane), lane)) : shifted("shl", lane, a, left);
    case 28: return lane < 32 ? undefined : lanes("mulf", lane, [lanes(u ? "uitof" : "sitof", lane, [a]), splat(powerOfTwo(-right, lane), lane)]);
    case 31: return lane < 32 ? undefined : lanes(u ? "ftousat" : "ftosat", lane, [lanes("mulf", lane, [a, splat(powerOfTwo(right, lane), lane)])]);
    default: return undefined;
  }
}

function splat(value: Expr, lane: number): Expr {
  return value.kind === "const" ? everywhere(value.value, lane) : value;
}

function inserted(before: Expr, value: Expr, where: Expr): Expr {
  const kept = whole("and", before, where.kind === "const" ? constant(128, ~where.value) : where);
  return whole("or", kept, whole("and", value, where));
}

/** `shrn`, `rshrn`, and their saturating forms; `lane` is the narrow width. */
function narrows(m: A64Machine, v: VectorWord, { opcode, by }: { readonly opcode: number; readonly by: number }): boolean {
  const { lane, u } = v;
  const wide = lane * 2;
  if (lane === 64) return false;
  const source = v.isScalar ? lanes("even", 64, [m.vector(v.first), constant(128, 0)]) : m.vector(v.first);
  const rounds = (opcode & 1) === 1;
  const saturates = opcode >= 18;
  if (v.isScalar && !saturates && !u) return false;
  // From signed to unsigned in the lower pair of opcodes, of one sign in the upper.
  const isUnsigned = saturates && u;
  const kind = isUnsigned || (!saturates && !u) ? "shr" : "sar";
  const value = rounds ? rounded(kind, wide, source, by) : shifted(kind, wide, source, by);
  const narrowing = saturates ? (u ? "pack_uu" : "pack_s") : u ? "pack_u" : "even";
  const result = lanes(narrowing, lane, [value, constant(128, 0)]);
  return v.isScalar ? setResult(m, v, result) : setNarrowed(m, v, result);
}

function lengthens(m: A64Machine, v: VectorWord, by: number): boolean {
  if (v.isScalar || v.lane === 64) return false;
  const wide = widened(m, v.first, { lane: v.lane * 2, isSigned: !v.u, upper: isSet(v.word, 30) });
  m.setVector(v.target, m.let(shifted("shl", v.lane * 2, wide, by)));
  return true;
}
