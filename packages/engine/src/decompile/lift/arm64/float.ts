import { constant, type Expr, type OpName } from "../../../ir/expression.js";
import { extract, make } from "../../../ir/simplify.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { chosenFlags, conditionOf, fixedFlags, floatFlags, setFlags } from "./flags.js";
import { expandedFloat } from "./vector-immediates.js";

/** Width by the type field; undefined for half precision, of which no arithmetic is modelled. */
function widthOf(word: number): number | undefined {
  return [32, 64, undefined, undefined][field(word, 22, 2)];
}

/** Scalar floating point. */
export function liftFloat(m: A64Machine, word: number): boolean {
  if (isSet(word, 29)) return false;
  if (isSet(word, 24)) return threeSources(m, word);
  if (!isSet(word, 21)) return betweenFixed(m, word);
  const bits = widthOf(word);
  switch (field(word, 10, 2)) {
    case 0:
      return withoutSecond(m, word);
    case 1:
      return bits === undefined ? false : conditionalCompare(m, word, bits);
    case 2:
      return bits === undefined ? false : twoSources(m, word, bits);
    default:
      return bits === undefined ? false : conditionalSelect(m, word, bits);
  }
}

/** Forms whose lowest fields are zero: a chain of ones tells which. */
function withoutSecond(m: A64Machine, word: number): boolean {
  if (field(word, 10, 6) === 0) return betweenIntegers(m, word);
  const bits = widthOf(word);
  if (isSet(word, 31)) return false;
  if (field(word, 10, 5) === 16) return oneSource(m, word);
  if (bits === undefined) return false;
  if (field(word, 10, 4) === 8) return compare(m, word, bits);
  if (field(word, 10, 3) === 4) {
    m.setVector(field(word, 0, 5), constant(bits, expandedFloat(field(word, 13, 8), bits)));
    return field(word, 5, 5) === 0;
  }
  return false;
}

function threeSources(m: A64Machine, word: number): boolean {
  const bits = widthOf(word);
  if (bits === undefined || isSet(word, 31)) return false;
  const [n, k, a] = [field(word, 5, 5), field(word, 16, 5), field(word, 10, 5)].map((register) => m.vector(register, bits));
  if (n === undefined || k === undefined || a === undefined) return false;
  const negates = isSet(word, 21);
  const subtracts = isSet(word, 15);
  const minus = (value: Expr): Expr => make("fneg", bits, [value]);
  // fmadd a + n*k, fmsub a - n*k, fnmadd -a - n*k, fnmsub -a + n*k
  const factor = negates !== subtracts ? minus(n) : n;
  m.setVector(field(word, 0, 5), m.let(make("fma", bits, [factor, k, negates ? minus(a) : a])));
  return true;
}

const binary: readonly (OpName | undefined)[] = ["fmul", "fdiv", "fadd", "fsub", "fmaxnan", "fminnan", "fmaxnm", "fminnm", "fmul"];

function twoSources(m: A64Machine, word: number, bits: number): boolean {
  const opcode = field(word, 12, 4);
  const name = binary[opcode];
  if (name === undefined || isSet(word, 31)) return false;
  const value = make(name, bits, [m.vector(field(word, 5, 5), bits), m.vector(field(word, 16, 5), bits)]);
  m.setVector(field(word, 0, 5), m.let(opcode === 8 ? make("fneg", bits, [value]) : value));
  return true;
}

/** How `frint` and the conversions round, as `fround` counts: to even, down, up, towards zero, away from zero on ties. */
export const roundings = { even: 0, down: 1, up: 2, zero: 3, away: 4 } as const;
const frint: readonly (number | undefined)[] = [roundings.even, roundings.up, roundings.down, roundings.zero, roundings.away, undefined, roundings.even, roundings.even];

function oneSource(m: A64Machine, word: number): boolean {
  const bits = widthOf(word);
  const opcode = field(word, 15, 6);
  if (bits === undefined) return false;
  const value = m.vector(field(word, 5, 5), bits);
  const target = field(word, 0, 5);
  if (opcode === 0) m.setVector(target, value);
  else if (opcode === 1) m.setVector(target, make("fabs", bits, [value]));
  else if (opcode === 2) m.setVector(target, make("fneg", bits, [value]));
  else if (opcode === 3) m.setVector(target, m.let(make("fsqrt", bits, [value])));
  else if (opcode === 4 || opcode === 5) m.setVector(target, m.let(make("ftof", opcode === 4 ? 32 : 64, [value])));
  else if (opcode >= 8 && opcode <= 15) {
    const how = frint[opcode - 8];
    if (how === undefined) return false;
    m.setVector(target, m.let(make("fround", bits, [value], { imm: how })));
  } else return false;
  return true;
}

function compare(m: A64Machine, word: number, bits: number): boolean {
  if (field(word, 14, 2) !== 0 || field(word, 0, 3) !== 0) return false;
  const a = m.let(m.vector(field(word, 5, 5), bits));
  const b = isSet(word, 3) ? constant(bits, 0) : m.let(m.vector(field(word, 16, 5), bits));
  setFlags(m, floatFlags(a, b));
  return true;
}

function conditionalCompare(m: A64Machine, word: number, bits: number): boolean {
  const condition = m.let(conditionOf(m, field(word, 12, 4)));
  const [a, b] = [m.let(m.vector(field(word, 5, 5), bits)), m.let(m.vector(field(word, 16, 5), bits))];
  setFlags(m, chosenFlags(condition, floatFlags(a, b), fixedFlags(field(word, 0, 4))));
  return true;
}

function conditionalSelect(m: A64Machine, word: number, bits: number): boolean {
  const condition = conditionOf(m, field(word, 12, 4));
  m.setVector(field(word, 0, 5), m.let(make("select", bits, [condition, m.vector(field(word, 5, 5), bits), m.vector(field(word, 16, 5), bits)])));
  return true;
}

/** Between a floating number and an integer in a general register. */
function betweenIntegers(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const [mode, opcode] = [field(word, 19, 2), field(word, 16, 3)];
  const type = field(word, 22, 2);
  const [source, target] = [field(word, 5, 5), field(word, 0, 5)];
  if (type === 2 && mode === 1 && bits === 64 && opcode >= 6) {
    if (opcode === 6) m.setGeneral(target, extract(m.vector(source), 64, 64));
    else m.set(32 + target, make("insert", 128, [m.vector(target), m.general(source, 64)], { imm: 64 }));
    return true;
  }
  const width = widthOf(word);
  if (width === undefined) return false;
  if (opcode >= 6) {
    if (mode !== 0 || width !== bits) return false;
    if (opcode === 6) m.setGeneral(target, m.vector(source, bits));
    else m.setVector(target, m.general(source, bits));
    return true;
  }
  if (opcode === 2 || opcode === 3) {
    if (mode !== 0) return false;
    m.setVector(target, m.let(make(opcode === 2 ? "sitof" : "uitof", width, [m.let(m.general(source, bits))])));
    return true;
  }
  if (opcode >= 4 && mode !== 0) return false;
  const how = opcode >= 4 ? roundings.away : ([roundings.even, roundings.up, roundings.down, roundings.zero] as const)[mode] ?? roundings.zero;
  m.setGeneral(target, m.let(toInteger(m.vector(source, width), { bits, how, isSigned: (opcode & 1) === 0 })));
  return true;
}

interface Conversion {
  readonly bits: number;
  readonly how: number;
  readonly isSigned: boolean;
}

/** A number rounded to an integer; what does not fit becomes the nearest that does. */
function toInteger(value: Expr, { bits, how, isSigned }: Conversion): Expr {
  const rounded = how === roundings.zero ? value : make("fround", value.bits, [value], { imm: how });
  return make(isSigned ? "ftosat" : "ftousat", bits, [rounded]);
}

/** Two to a power as a number of that width. */
export function powerOfTwo(power: number, bits: number): Expr {
  return bits === 32 ? constant(32, BigInt(power + 127) << 23n) : constant(64, BigInt(power + 1023) << 52n);
}

/** Between floating numbers and fixed-point ones. */
function betweenFixed(m: A64Machine, word: number): boolean {
  const bits = isSet(word, 31) ? 64 : 32;
  const width = widthOf(word);
  const [mode, opcode] = [field(word, 19, 2), field(word, 16, 3)];
  const places = 64 - field(word, 10, 6);
  if (width === undefined || places > bits) return false;
  const [source, target] = [field(word, 5, 5), field(word, 0, 5)];
  if (mode === 0 && (opcode === 2 || opcode === 3)) {
    const whole = make(opcode === 2 ? "sitof" : "uitof", width, [m.let(m.general(source, bits))]);
    m.setVector(target, m.let(make("fmul", width, [whole, powerOfTwo(-places, width)])));
    return true;
  }
  if (mode !== 3 || opcode > 1) return false;
  const scaled = make("fmul", width, [m.vector(source, width), powerOfTwo(places, width)]);
  m.setGeneral(target, m.let(toInteger(scaled, { bits, how: roundings.zero, isSigned: opcode === 0 })));
  return true;
}
