import { constant, type Expr, type OpName } from "../../../ir/expression.js";
import { extract, make, not1, zext } from "../../../ir/simplify.js";
import { deriveFlags } from "./flags.js";
import type { Machine } from "./machine.js";
import { vectorBase } from "./x86-places.js";

type Rule = (m: Machine) => void;

/** Number of the last source operand, and of the first (the target itself in two-operand forms). */
export function sources(m: Machine): { readonly first: number; readonly last: number } {
  return m.isVex && m.operands > 2 ? { first: 1, last: 2 } : { first: 0, last: 1 };
}

/** Writes the low bits of a vector register; the others come from the first source. */
function writeLow(m: Machine, value: Expr): void {
  const { first } = sources(m);
  m.write(0, make("insert", 128, [m.read(first, 128), value]));
}

function lowOf(m: Machine, operand: number, bits: number): Expr {
  return m.read(operand, bits);
}

function arithmetic(name: OpName, bits: number): Rule {
  return (m) => {
    const { first, last } = sources(m);
    const a = m.let(lowOf(m, first, bits));
    const b = m.let(lowOf(m, last, bits));
    writeLow(m, m.let(make(name, bits, [a, b])));
  };
}

function squareRoot(bits: number): Rule {
  return (m) => {
    writeLow(m, m.let(make("fsqrt", bits, [lowOf(m, sources(m).last, bits)])));
  };
}

function toFloat(bits: number): Rule {
  return (m) => {
    writeLow(m, m.let(make("sitof", bits, [m.read(sources(m).last)])));
  };
}

function toInteger(name: "ftosi" | "ftosir", bits: number): Rule {
  return (m) => {
    m.write(0, m.let(make(name, m.bits(0), [lowOf(m, 1, bits)])));
  };
}

function convert(from: number, to: number): Rule {
  return (m) => {
    writeLow(m, m.let(make("ftof", to, [lowOf(m, sources(m).last, from)])));
  };
}

/** `ucomiss` and its like: unordered sets all three flags. */
function compare(bits: number): Rule {
  return (m) => {
    const a = m.let(lowOf(m, 0, bits));
    const b = m.let(lowOf(m, 1, bits));
    m.setFlag("zf", make("or", 1, [make("feq", 1, [a, b]), make("funord", 1, [a, b])]));
    m.setFlag("pf", make("funord", 1, [a, b]));
    m.setFlag("cf", not1(make("fle", 1, [b, a])));
    m.setFlag("be", not1(make("flt", 1, [b, a])));
    m.setFlag("sf", constant(1, 0));
    m.setFlag("of", constant(1, 0));
    m.setFlag("l", constant(1, 0));
    m.setFlag("le", m.flag("zf"));
  };
}

/** The eight tests of `cmpss`; VEX forms with more are left to the named operation. */
const tests: readonly (readonly [OpName, boolean])[] = [
  ["feq", false], ["flt", false], ["fle", false], ["funord", false],
  ["feq", true], ["flt", true], ["fle", true], ["funord", true],
];

function compareMask(bits: number): Rule {
  return (m) => {
    const { first, last } = sources(m);
    const [name, negated] = tests[m.imm8(m.operands - 1) & 7] ?? ["feq", false];
    const a = m.let(lowOf(m, first, bits));
    const b = m.let(lowOf(m, last, bits));
    const found = make(name, 1, [a, b]);
    writeLow(m, m.let(make("sext", bits, [negated ? not1(found) : found])));
  };
}

/** Between registers the rest of the target stays; from memory it becomes zero. */
function moveLow(bits: number): Rule {
  return (m) => {
    if (m.isMemory(0)) m.write(0, m.read(1, bits));
    else if (m.isMemory(1)) m.write(0, m.read(1, bits));
    else writeLow(m, m.read(sources(m).last, bits));
  };
}

/** `movd`, `movq`: the rest becomes zero. */
const moveZero: Rule = (m) => {
  const isVector = (operand: number): boolean => (m.part(operand)?.place ?? 0) >= vectorBase;
  const bits = [0, 1].map((operand) => (isVector(operand) ? 128 : m.bits(operand))).reduce((a, b) => Math.min(a, b));
  m.write(0, m.read(1, Math.min(bits, 64)));
};

function round(bits: number): Rule {
  return (m) => {
    const { last } = sources(m);
    const mode = m.imm8(m.operands - 1);
    const value = lowOf(m, last, bits);
    const result = (mode & 4) === 0 ? make("fround", bits, [value], { imm: mode & 3 }) : make("fround", bits, [value], { imm: 0 });
    writeLow(m, m.let(result));
  };
}

const moveHigh: Rule = (m) => {
  if (m.isMemory(0)) m.write(0, extract(m.read(1, 128), 64, 64));
  else m.write(0, make("concat", 128, [m.read(sources(m).last, 64), m.read(sources(m).first, 64)]));
};

const moveLowHalf: Rule = (m) => {
  if (m.isMemory(0)) m.write(0, m.read(1, 64));
  else writeLow(m, m.read(sources(m).last, 64));
};

const moveHighToLow: Rule = (m) => {
  writeLow(m, extract(m.read(sources(m).last, 128), 64, 64));
};

const moveLowToHigh: Rule = (m) => {
  m.write(0, make("concat", 128, [m.read(sources(m).last, 64), m.read(sources(m).first, 64)]));
};

function signMask(lane: number): Rule {
  return (m) => {
    const value = m.let(m.read(1, 128));
    let sum: Expr = constant(32, 0);
    if (lane === 8) sum = make("intrinsic", 32, [value], { name: "pmovmskb" });
    else {
      for (let index = 0; index < 128 / lane; index += 1) {
        const bit = zext(extract(value, index * lane + lane - 1, 1), 32);
        sum = make("or", 32, [sum, make("shl", 32, [bit, constant(8, index)])]);
      }
    }
    m.write(0, m.let(zext(sum, m.bits(0))));
  };
}

function insertLane(lane: number): Rule {
  return (m) => {
    const { first, last } = sources(m);
    const index = m.imm8(m.operands - 1) & (128 / lane - 1);
    const value = m.isMemory(last) ? m.read(last, lane) : extract(m.read(last), 0, lane);
    m.write(0, make("insert", 128, [m.read(first, 128), value], { imm: index * lane }));
  };
}

function takeLane(lane: number): Rule {
  return (m) => {
    const index = m.imm8(2) & (128 / lane - 1);
    const value = extract(m.read(1, 128), index * lane, lane);
    m.write(0, m.isMemory(0) ? value : zext(value, Math.max(32, m.bits(0))));
  };
}

const test128: Rule = (m) => {
  const [a, b] = [m.let(m.read(0, 128)), m.let(m.read(1, 128))];
  const none = constant(128, 0);
  m.setFlag("zf", make("eq", 1, [make("and", 128, [a, b]), none]));
  m.setFlag("cf", make("eq", 1, [make("and", 128, [make("not", 128, [a]), b]), none]));
  for (const name of ["sf", "of", "pf"] as const) m.setFlag(name, constant(1, 0));
  deriveFlags(m);
};

const pairs: [string, Rule][] = [];
for (const [suffix, bits] of [["ss", 32], ["sd", 64]] as const) {
  for (const [name, operation] of [["add", "fadd"], ["sub", "fsub"], ["mul", "fmul"], ["div", "fdiv"], ["min", "fmin"], ["max", "fmax"]] as const) {
    pairs.push([name + suffix, arithmetic(operation, bits)]);
  }
  pairs.push([`sqrt${suffix}`, squareRoot(bits)], [`cvtsi2${suffix}`, toFloat(bits)], [`cvtt${suffix}2si`, toInteger("ftosi", bits)]);
  pairs.push([`cvt${suffix}2si`, toInteger("ftosir", bits)], [`ucomi${suffix}`, compare(bits)], [`comi${suffix}`, compare(bits)]);
  pairs.push([`cmp${suffix}`, compareMask(bits)], [`mov${suffix}`, moveLow(bits)], [`round${suffix}`, round(bits)]);
}

export const scalarRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...pairs,
  ["cvtss2sd", convert(32, 64)], ["cvtsd2ss", convert(64, 32)],
  ["movd", moveZero], ["movq", moveZero],
  ["movhps", moveHigh], ["movhpd", moveHigh], ["movlps", moveLowHalf], ["movlpd", moveLowHalf],
  ["movhlps", moveHighToLow], ["movlhps", moveLowToHigh],
  ["pmovmskb", signMask(8)], ["movmskps", signMask(32)], ["movmskpd", signMask(64)],
  ["pinsrb", insertLane(8)], ["pinsrw", insertLane(16)], ["pinsrd", insertLane(32)], ["pinsrq", insertLane(64)],
  ["pextrb", takeLane(8)], ["pextrw", takeLane(16)], ["pextrd", takeLane(32)], ["pextrq", takeLane(64)], ["extractps", takeLane(32)],
  ["ptest", test128],
]);

