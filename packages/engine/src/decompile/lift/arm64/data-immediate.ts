import { addressConstant, constant, mask, type Expr } from "../../../ir/expression.js";
import { extract, make, sext, zext } from "../../../ir/simplify.js";
import { field, isSet, signedField, type A64Machine } from "./a64-machine.js";
import { addFlags, logicFlags, setFlags, subtractFlags } from "./flags.js";

const pageBits = 12n;

/** Data processing with an immediate: addresses, sums, masks, moves, fields. */
export function liftDataImmediate(m: A64Machine, word: number): boolean {
  switch (field(word, 23, 3)) {
    case 0:
    case 1:
      return address(m, word);
    case 2:
      return sum(m, word);
    case 4:
      return logic(m, word);
    case 5:
      return moveWide(m, word);
    case 6:
      return bitfield(m, word);
    case 7:
      return extractPair(m, word);
    default:
      return false;
  }
}

function address(m: A64Machine, word: number): boolean {
  const offset = BigInt(signedField(word, 5, 19)) * 4n + BigInt(field(word, 29, 2));
  const here = m.base + BigInt(m.at);
  const value = isSet(word, 31) ? ((here >> pageBits) << pageBits) + (offset << pageBits) : here + offset;
  m.setGeneral(field(word, 0, 5), addressConstant(64, value));
  return true;
}

function sum(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const by = field(word, 10, 12) * (isSet(word, 22) ? 4096 : 1);
  const a = m.let(m.generalOrSp(field(word, 5, 5), bits));
  const subtracts = isSet(word, 30);
  const b = constant(bits, by);
  const result = m.let(make(subtracts ? "sub" : "add", bits, [a, b]));
  const target = field(word, 0, 5);
  if (!isSet(word, 29)) {
    m.setGeneralOrSp(target, result);
    return true;
  }
  // A number is added to compare with its negative; the flags are those of the difference, except for zero.
  if (subtracts) setFlags(m, subtractFlags(a, b, result));
  else setFlags(m, by === 0 ? addFlags(m, a, b, result) : subtractFlags(a, constant(bits, -by), result));
  m.setGeneral(target, result);
  return true;
}

/** The mask that logical immediates encode; undefined for reserved encodings. */
function bitMask(word: number, bits: number): bigint | undefined {
  const [n, rotation, ones] = [field(word, 22, 1), field(word, 16, 6), field(word, 10, 6)];
  const selector = (n << 6) | (~ones & 63);
  const length = 31 - Math.clz32(selector);
  if (length < 1 || (bits === 32 && n === 1)) return undefined;
  const size = 1 << length;
  const [s, r] = [ones & (size - 1), rotation & (size - 1)];
  if (s === size - 1) return undefined;
  const run = mask(s + 1);
  const turned = r === 0 ? run : ((run >> BigInt(r)) | (run << BigInt(size - r))) & mask(size);
  let whole = 0n;
  for (let at = 0; at < bits; at += size) whole |= turned << BigInt(at);
  return whole;
}

function logic(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const value = bitMask(word, bits);
  if (value === undefined) return false;
  const opcode = field(word, 29, 2);
  const source = m.general(field(word, 5, 5), bits);
  const result = m.let(make((["and", "or", "xor", "and"] as const)[opcode] ?? "and", bits, [source, constant(bits, value)]));
  const target = field(word, 0, 5);
  if (opcode === 3) {
    setFlags(m, logicFlags(result));
    m.setGeneral(target, result);
  } else m.setGeneralOrSp(target, result);
  return true;
}

function moveWide(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const shift = field(word, 21, 2) * 16;
  if (shift >= bits) return false;
  const value = BigInt(field(word, 5, 16)) << BigInt(shift);
  const target = field(word, 0, 5);
  const opcode = field(word, 29, 2);
  if (opcode === 1) return false;
  if (opcode === 0) m.setGeneral(target, constant(bits, ~value));
  else if (opcode === 2) m.setGeneral(target, constant(bits, value));
  else m.setGeneral(target, make("insert", bits, [m.general(target, bits), constant(16, value >> BigInt(shift))], { imm: shift }));
  return true;
}

function isPlainWidth(width: number): boolean {
  return width === 8 || width === 16 || width === 32 || width === 64;
}

/** `width` bits of a value from `from` on, widened. */
function part(value: Expr, from: number, width: number, isSigned: boolean): Expr {
  const { bits } = value;
  if (isPlainWidth(width)) return isSigned ? sext(extract(value, from, width), bits) : zext(extract(value, from, width), bits);
  if (from + width === bits) return make(isSigned ? "sar" : "shr", bits, [value, constant(8, from)]);
  if (!isSigned) return make("and", bits, [make("shr", bits, [value, constant(8, from)]), constant(bits, mask(width))]);
  return make("sar", bits, [make("shl", bits, [value, constant(8, bits - from - width)]), constant(8, bits - width)]);
}

function bitfield(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const [r, s] = [field(word, 16, 6), field(word, 10, 6)];
  const opcode = field(word, 29, 2);
  if (opcode === 3 || isSet(word, 22) !== (bits === 64) || r >= bits || s >= bits) return false;
  const source = m.general(field(word, 5, 5), bits);
  const target = field(word, 0, 5);
  const takes = s >= r;
  const width = takes ? s - r + 1 : s + 1;
  const to = takes ? 0 : bits - r;
  if (opcode === 1) {
    const value = takes ? extract(make("shr", bits, [source, constant(8, r)]), 0, bits) : source;
    m.setGeneral(target, inserted(m.general(target, bits), value, { to, width }));
    return true;
  }
  const isSigned = opcode === 0;
  if (takes) m.setGeneral(target, part(source, r, width, isSigned));
  else if (to + width === bits) m.setGeneral(target, make("shl", bits, [source, constant(8, to)]));
  else m.setGeneral(target, make("shl", bits, [part(source, 0, width, isSigned), constant(8, to)]));
  return true;
}

/** The low bits of a value in place of as many others. */
function inserted(before: Expr, value: Expr, { to, width }: { readonly to: number; readonly width: number }): Expr {
  const { bits } = before;
  if (isPlainWidth(width) && to % 8 === 0) return make("insert", bits, [before, extract(value, 0, width)], { imm: to });
  const hole = mask(width) << BigInt(to);
  const placed = to === 0 ? value : make("shl", bits, [value, constant(8, to)]);
  return make("or", bits, [make("and", bits, [before, constant(bits, ~hole)]), make("and", bits, [placed, constant(bits, hole)])]);
}

function extractPair(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const from = field(word, 10, 6);
  if (field(word, 29, 2) !== 0 || isSet(word, 21) || from >= bits || isSet(word, 22) !== (bits === 64)) return false;
  const [high, low] = [field(word, 5, 5), field(word, 16, 5)];
  const target = field(word, 0, 5);
  if (high === low) m.setGeneral(target, make("ror", bits, [m.general(low, bits), constant(8, from)]));
  else if (from === 0) m.setGeneral(target, m.general(low, bits));
  else {
    const below = make("shr", bits, [m.general(low, bits), constant(8, from)]);
    m.setGeneral(target, make("or", bits, [below, make("shl", bits, [m.general(high, bits), constant(8, bits - from)])]));
  }
  return true;
}
