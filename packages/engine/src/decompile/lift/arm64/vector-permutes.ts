import { constant, type Expr } from "../../../ir/expression.js";
import { extract, make, sext, zext } from "../../../ir/simplify.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { vectorBase } from "./places.js";
import { chosen, everywhere, lanes, setResult, vectorWord, whole } from "./vector-words.js";

/** `dup`, `ins`, `umov`, `smov`. */
export function liftCopy(m: A64Machine, word: number): boolean {
  const imm5 = field(word, 16, 5);
  const size = 31 - Math.clz32(imm5 & -imm5);
  if (imm5 === 0 || size > 3) return false;
  const lane = 8 << size;
  const index = imm5 >> (size + 1);
  const [source, target] = [field(word, 5, 5), field(word, 0, 5)];
  const isWhole = isSet(word, 30);
  const one = (): Expr => extract(m.vector(source), index * lane, lane);
  if (isSet(word, 28)) {
    m.setVector(target, m.let(one()));
    return !isSet(word, 29) && field(word, 11, 4) === 0;
  }
  if (isSet(word, 29)) {
    const from = (field(word, 11, 4) >> size) * lane;
    m.set(vectorBase + target, make("insert", 128, [m.vector(target), m.let(extract(m.vector(source), from, lane))], { imm: index * lane }));
    return isWhole;
  }
  const bits = isWhole ? 128 : 64;
  switch (field(word, 11, 4)) {
    case 0:
      m.setVector(target, m.let(extract(lanes("dup", lane, [m.vector(source)], index), 0, bits)));
      return true;
    case 1:
      m.setVector(target, m.let(extract(lanes("dup", lane, [zext(m.general(source, lane), 128)]), 0, bits)));
      return true;
    case 3:
      m.set(vectorBase + target, make("insert", 128, [m.vector(target), m.general(source, lane)], { imm: index * lane }));
      return isWhole;
    case 5:
      m.setGeneral(target, m.let(sext(one(), isWhole ? 64 : 32)));
      return true;
    case 7:
      m.setGeneral(target, m.let(zext(one(), isWhole ? 64 : 32)));
      return true;
    default:
      return false;
  }
}

/** `zip`, `uzp`, `trn`. */
export function liftPermute(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const [a, b] = [m.vector(v.first), m.vector(v.second)];
  const opcode = field(word, 12, 3);
  if (v.bits === 128) {
    const kind = [undefined, "even", "trn_even", "unpack_low", undefined, "odd", "trn_odd", "unpack_high"][opcode];
    return kind === undefined ? false : setResult(m, v, lanes(kind, v.lane, [a, b]));
  }
  if (v.lane === 64) return false;
  switch (opcode) {
    case 1:
    case 5: {
      const both = m.let(lanes("even", 64, [a, b]));
      return setResult(m, v, lanes(opcode === 1 ? "even" : "odd", v.lane, [both, constant(128, 0)]));
    }
    case 2:
    case 6:
      return setResult(m, v, lanes(opcode === 2 ? "trn_even" : "trn_odd", v.lane, [a, b]));
    case 3:
      return setResult(m, v, lanes("unpack_low", v.lane, [a, b]));
    case 7:
      return setResult(m, v, zext(extract(lanes("unpack_low", v.lane, [a, b]), 64, 64), 128));
    default:
      return false;
  }
}

/** Bytes from a place in one register on, then from the start of another. */
export function liftExtract(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const from = field(word, 11, 4) * 8;
  if (field(word, 22, 2) !== 0 || from >= v.bits) return false;
  const [low, high] = [m.vector(v.first, v.bits), m.vector(v.second, v.bits)];
  if (from === 0) return setResult(m, v, zext(low, 128));
  if (from === 64) {
    m.setVector(v.target, m.let(make("concat", 128, [extract(high, 0, 64), extract(low, 64, 64)])));
    return true;
  }
  const below = make("shr", v.bits, [low, constant(8, from)]);
  m.setVector(v.target, m.let(make("or", v.bits, [below, make("shl", v.bits, [high, constant(8, v.bits - from)])])));
  return true;
}

/** `tbl` and `tbx`: bytes picked from up to four registers. */
export function liftTable(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  if (field(word, 22, 2) !== 0) return false;
  const count = field(word, 13, 2) + 1;
  const index = m.let(m.vector(v.second));
  let sum: Expr = constant(128, 0);
  for (let at = 0; at < count; at += 1) {
    // An index beyond a register picks zero, and wraps far beyond for those before it.
    const relative = at === 0 ? index : lanes("sub", 8, [index, everywhere(BigInt(at * 16), 8)]);
    sum = whole("or", sum, m.let(lanes("tbl", 8, [m.vector((v.first + at) & 31), relative])));
  }
  if (!isSet(word, 12)) return setResult(m, v, sum);
  const inside = lanes("gt_u", 8, [everywhere(BigInt(count * 16), 8), index]);
  return setResult(m, v, chosen(m.let(inside), sum, m.vector(v.target)));
}
