import { constant, type Expr } from "../../../ir/expression.js";
import { extract, make, not1, sext, zext } from "../../../ir/simplify.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { sp } from "./places.js";
import { addFlags, addOverflow, chosenFlags, conditionOf, derived, fixedFlags, isNegative, logicFlags, setFlags, subtractFlags } from "./flags.js";

/** Data processing over registers. */
export function liftDataRegister(m: A64Machine, word: number): boolean {
  if (!isSet(word, 28)) {
    if (!isSet(word, 24)) return logic(m, word);
    return isSet(word, 21) ? extendedSum(m, word) : shiftedSum(m, word);
  }
  const group = field(word, 21, 4);
  if (group >= 8) return threeSources(m, word);
  switch (group) {
    case 0:
      return field(word, 10, 6) === 0 ? withCarry(m, word) : false;
    case 2:
      return conditionalCompare(m, word);
    case 4:
      return conditionalSelect(m, word);
    case 6:
      return isSet(word, 30) ? oneSource(m, word) : twoSources(m, word);
    default:
      return false;
  }
}

const shifts = ["shl", "shr", "sar", "ror"] as const;

/** The second operand, shifted by a fixed amount. */
function shifted(m: A64Machine, word: number, bits: number): Expr | undefined {
  const by = field(word, 10, 6);
  if (by >= bits) return undefined;
  const value = m.general(field(word, 16, 5), bits);
  return by === 0 ? value : make(shifts[field(word, 22, 2)] ?? "shl", bits, [value, constant(8, by)]);
}

function logic(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const second = shifted(m, word, bits);
  if (second === undefined) return false;
  const opcode = field(word, 29, 2);
  const b = isSet(word, 21) ? make("not", bits, [second]) : second;
  const result = m.let(make((["and", "or", "xor", "and"] as const)[opcode] ?? "and", bits, [m.general(field(word, 5, 5), bits), b]));
  if (opcode === 3) setFlags(m, logicFlags(result));
  m.setGeneral(field(word, 0, 5), result);
  return true;
}

/** A difference of 64-bit registers, plain or extended. */
export function isWideDifference(word: number): boolean {
  return (word & 0xff000000) >>> 0 === 0xcb000000;
}

/** Such a difference that a later instruction makes the stack pointer: that is done at once. */
export function liftStackTaken(m: A64Machine, word: number): void {
  const isExtended = isSet(word, 21);
  const b = isExtended ? m.extended(field(word, 16, 5), field(word, 13, 3), field(word, 10, 3), 64) : shifted(m, word, 64);
  const a = isExtended ? m.generalOrSp(field(word, 5, 5), 64) : m.general(field(word, 5, 5), 64);
  m.set(sp, make("sub", 64, [a, m.let(b ?? constant(64, 0))]));
  m.setGeneral(field(word, 0, 5), m.generalOrSp(sp, 64));
}

function shiftedSum(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const b = shifted(m, word, bits);
  if (b === undefined || field(word, 22, 2) === 3) return false;
  finishSum(m, word, { a: m.general(field(word, 5, 5), bits), b, toSp: false });
  return true;
}

function extendedSum(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const by = field(word, 10, 3);
  if (by > 4 || field(word, 22, 2) !== 0) return false;
  const b = m.extended(field(word, 16, 5), field(word, 13, 3), by, bits);
  finishSum(m, word, { a: m.generalOrSp(field(word, 5, 5), bits), b, toSp: true });
  return true;
}

function finishSum(m: A64Machine, word: number, given: { readonly a: Expr; readonly b: Expr; readonly toSp: boolean }): void {
  const [a, b] = [m.let(given.a), m.let(given.b)];
  const subtracts = isSet(word, 30);
  const target = field(word, 0, 5);
  if (given.toSp && target === sp && !isSet(word, 29)) {
    m.set(sp, make(subtracts ? "sub" : "add", a.bits, [a, b]));
    return;
  }
  const result = m.let(make(subtracts ? "sub" : "add", a.bits, [a, b]));
  if (isSet(word, 29)) {
    setFlags(m, subtracts ? subtractFlags(a, b, result) : addFlags(m, a, b, result));
    m.setGeneral(target, result);
  } else if (given.toSp) m.setGeneralOrSp(target, result);
  else m.setGeneral(target, result);
}

function withCarry(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const a = m.let(m.general(field(word, 5, 5), bits));
  const second = m.let(m.general(field(word, 16, 5), bits));
  const subtracts = isSet(word, 30);
  const carry = m.let(m.flag("c"));
  const borrow = zext(subtracts ? not1(carry) : carry, bits);
  const first = m.let(make(subtracts ? "sub" : "add", bits, [a, second]));
  const result = m.let(make(subtracts ? "sub" : "add", bits, [first, borrow]));
  if (isSet(word, 29)) {
    const c = subtracts
      ? not1(make("or", 1, [make("ult", 1, [a, second]), make("ult", 1, [first, borrow])]))
      : make("or", 1, [make("ult", 1, [first, a]), make("ult", 1, [result, first])]);
    const v = subtracts
      ? isNegative(make("and", bits, [make("xor", bits, [a, second]), make("xor", bits, [a, result])]))
      : addOverflow(a, second, result);
    setFlags(m, derived(m, { n: isNegative(result), z: make("eq", 1, [result, constant(bits, 0)]), c, v }));
  }
  m.setGeneral(field(word, 0, 5), result);
  return true;
}

function conditionalCompare(m: A64Machine, word: number): boolean {
  if (!isSet(word, 29) || isSet(word, 10) || isSet(word, 4)) return false;
  const bits = isSet(word, 31) ? 64 : 32;
  const a = m.let(m.general(field(word, 5, 5), bits));
  const number = field(word, 16, 5);
  const isImmediate = isSet(word, 11);
  const b = m.let(isImmediate ? constant(bits, number) : m.general(number, bits));
  const condition = m.let(conditionOf(m, field(word, 12, 4)));
  const subtracts = isSet(word, 30);
  const result = m.let(make(subtracts ? "sub" : "add", bits, [a, b]));
  const negatable = isImmediate && number > 0;
  const flags = subtracts ? subtractFlags(a, b, result) : negatable ? subtractFlags(a, constant(bits, -number), result) : addFlags(m, a, b, result);
  setFlags(m, chosenFlags(condition, flags, fixedFlags(field(word, 0, 4))));
  return true;
}

function conditionalSelect(m: A64Machine, word: number): boolean {
  if (isSet(word, 29) || isSet(word, 11)) return false;
  const bits = isSet(word, 31) ? 64 : 32;
  const condition = conditionOf(m, field(word, 12, 4));
  const [first, second] = [field(word, 5, 5), field(word, 16, 5)];
  const kind = (isSet(word, 30) ? 2 : 0) + field(word, 10, 1);
  // `cset` and `csetm`, and increments and negations where both are the same register.
  if (first === 31 && second === 31 && kind === 1) m.setGeneral(field(word, 0, 5), zext(not1(condition), bits));
  else if (first === 31 && second === 31 && kind === 2) m.setGeneral(field(word, 0, 5), sext(not1(condition), bits));
  else m.setGeneral(field(word, 0, 5), make("select", bits, [condition, m.general(first, bits), otherwise(m.general(second, bits), kind)]));
  return true;
}

function otherwise(value: Expr, kind: number): Expr {
  const { bits } = value;
  if (kind === 1) return make("add", bits, [value, constant(bits, 1)]);
  if (kind === 2) return make("not", bits, [value]);
  return kind === 3 ? make("neg", bits, [value]) : value;
}

function twoSources(m: A64Machine, word: number): boolean {
  if (isSet(word, 29)) return false;
  const bits = isSet(word, 31) ? 64 : 32;
  const a = m.let(m.general(field(word, 5, 5), bits));
  const b = m.let(m.general(field(word, 16, 5), bits));
  const opcode = field(word, 10, 6);
  const target = field(word, 0, 5);
  if (opcode === 2 || opcode === 3) {
    // The processor gives zero where the divisor is zero; what a compiler emits for `/` does not reach that.
    m.setGeneral(target, make(opcode === 2 ? "udiv" : "sdiv", bits, [a, b]));
    return true;
  }
  if (opcode >= 8 && opcode <= 11) {
    const count = m.let(make("and", bits, [b, constant(bits, bits - 1)]));
    m.setGeneral(target, make(shifts[opcode - 8] ?? "shl", bits, [a, count]));
    return true;
  }
  if (opcode >= 16 && opcode <= 23) {
    const size = 8 << (opcode & 3);
    const name = `crc32${opcode >= 20 ? "c" : ""}_${String(size)}`;
    m.setGeneral(target, make("intrinsic", 32, [extract(a, 0, 32), m.general(field(word, 16, 5), size)], { name }));
    return true;
  }
  return false;
}

function oneSource(m: A64Machine, word: number): boolean {
  if (isSet(word, 29)) return false;
  const bits = isSet(word, 31) ? 64 : 32;
  const target = field(word, 0, 5);
  // Signing and checking of pointers leave the address; the signature is left out.
  if (field(word, 16, 5) === 1) return true;
  if (field(word, 16, 5) !== 0) return false;
  const value = m.let(m.general(field(word, 5, 5), bits));
  switch (field(word, 10, 6)) {
    case 0:
      m.setGeneral(target, make("intrinsic", bits, [value], { name: `rbit${String(bits)}` }));
      return true;
    case 1:
      m.setGeneral(target, swapped(value, 16));
      return true;
    case 2:
      m.setGeneral(target, bits === 32 ? make("bswap", 32, [value]) : swapped(value, 32));
      return true;
    case 3:
      m.setGeneral(target, make("bswap", 64, [value]));
      return bits === 64;
    case 4:
      m.setGeneral(target, make("clz", bits, [value]));
      return true;
    case 5: {
      const sign = make("sar", bits, [value, constant(8, 1)]);
      m.setGeneral(target, make("sub", bits, [make("clz", bits, [make("xor", bits, [value, sign])]), constant(bits, 1)]));
      return true;
    }
    default:
      return false;
  }
}

/** Bytes turned inside parts of that many bits. */
function swapped(value: Expr, size: number): Expr {
  const turned = make("bswap", value.bits, [value]);
  if (size * 2 === value.bits) return make("ror", value.bits, [turned, constant(8, size)]);
  return make("intrinsic", value.bits, [value], { name: "rev16_64" });
}

function threeSources(m: A64Machine, word: number): boolean {
  if (field(word, 29, 2) !== 0) return false;
  const bits = isSet(word, 31) ? 64 : 32;
  const [n, k, a] = [field(word, 5, 5), field(word, 16, 5), field(word, 10, 5)];
  const subtracts = isSet(word, 15);
  const target = field(word, 0, 5);
  const kind = field(word, 21, 3);
  if (kind === 2 || kind === 6) {
    const wide = (register: number): Expr => (kind === 2 ? sext(m.general(register, 64), 128) : zext(m.general(register, 64), 128));
    m.setGeneral(target, extract(make("mul", 128, [wide(n), wide(k)]), 64, 64));
    return bits === 64 && !subtracts;
  }
  let product: Expr;
  if (kind === 0) product = make("mul", bits, [m.general(n, bits), m.general(k, bits)]);
  else if (kind === 1 || kind === 5) {
    const wide = (register: number): Expr => (kind === 1 ? sext(m.general(register, 32), 64) : zext(m.general(register, 32), 64));
    product = make("mul", 64, [wide(n), wide(k)]);
  } else return false;
  const sum = a === 31 ? (subtracts ? make("neg", product.bits, [product]) : product) : make(subtracts ? "sub" : "add", product.bits, [m.general(a, product.bits), product]);
  m.setGeneral(target, sum);
  return true;
}
