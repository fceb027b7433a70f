import { constant, type Expr, type OpName } from "../../../ir/expression.js";
import { extract, make, zext } from "../../../ir/simplify.js";
import { deriveFlags, isNegative, isZero, restFlags } from "./flags.js";
import type { Machine } from "./machine.js";
import type { FlagName } from "./x86-places.js";

type Rule = (m: Machine) => void;

/** The count of a shift as the processor takes it. */
function countOf(m: Machine, bits: number, operand: number): Expr {
  const top = bits === 64 ? 63 : 31;
  if (operand >= m.operands) return constant(8, 1);
  if (!m.isRegister(operand)) return constant(8, m.imm8(operand) & top);
  return m.let(make("and", 8, [m.read(operand, 8), constant(8, top)]));
}

/** Sets a flag unless the count is zero. */
function flagUnlessZero(m: Machine, name: FlagName, count: Expr, value: Expr): void {
  if (count.kind === "const") {
    if (count.value !== 0n) m.setFlag(name, value);
    return;
  }
  m.setFlag(name, make("select", 1, [make("ne", 1, [count, constant(8, 0)]), value, m.flag(name)]));
}

function shift(name: "shl" | "shr" | "sar"): Rule {
  return (m) => {
    const bits = m.bits(0);
    const a = m.let(m.read(0));
    const count = countOf(m, bits, 1);
    const result = m.let(make(name, bits, [a, count]));
    m.write(0, result);
    shiftFlags(m, { name, a, count, result });
  };
}

interface Shift {
  readonly name: "shl" | "shr" | "sar";
  readonly a: Expr;
  readonly count: Expr;
  readonly result: Expr;
}

function shiftFlags(m: Machine, { name, a, count, result }: Shift): void {
  const bits = a.bits;
  const before = make("sub", 8, [count, constant(8, 1)]);
  const last = name === "shl" ? isNegative(make("shl", bits, [a, before])) : extract(make(name, bits, [a, before]), 0, 1);
  const overflow = name === "shl" ? make("xor", 1, [isNegative(result), last]) : name === "shr" ? isNegative(a) : constant(1, 0);
  setAfter(m, count, result, { cf: last, of: overflow });
}

function setAfter(m: Machine, count: Expr, result: Expr, given: { readonly cf: Expr; readonly of: Expr }): void {
  flagUnlessZero(m, "cf", count, given.cf);
  flagUnlessZero(m, "of", count, given.of);
  flagUnlessZero(m, "zf", count, isZero(result));
  flagUnlessZero(m, "sf", count, isNegative(result));
  flagUnlessZero(m, "pf", count, make("parity", 1, [extract(result, 0, 8)]));
  deriveFlags(m);
}

function rotate(name: "rol" | "ror"): Rule {
  return (m) => {
    const bits = m.bits(0);
    const count = countOf(m, bits, 1);
    const result = m.let(make(name, bits, [m.let(m.read(0)), count]));
    m.write(0, result);
    const low = extract(result, 0, 1);
    const high = isNegative(result);
    flagUnlessZero(m, "cf", count, name === "rol" ? low : high);
    flagUnlessZero(m, "of", count, name === "rol" ? make("xor", 1, [low, high]) : make("xor", 1, [high, extract(result, bits - 2, 1)]));
    deriveFlags(m);
  };
}

/** `shld` and `shrd`: bits of the second operand come in. */
function doubleShift(name: "shl" | "shr"): Rule {
  return (m) => {
    const bits = m.bits(0);
    const a = m.let(m.read(0));
    const b = m.let(m.read(1));
    const count = countOf(m, bits, 2);
    const whole = name === "shl" ? make("concat", bits * 2, [a, b]) : make("concat", bits * 2, [b, a]);
    const result = m.let(extract(make(name, bits * 2, [whole, count]), name === "shl" ? bits : 0, bits));
    m.write(0, result);
    const before = make("sub", 8, [count, constant(8, 1)]);
    const last = name === "shl" ? isNegative(make("shl", bits, [a, before])) : extract(make("shr", bits, [a, before]), 0, 1);
    setAfter(m, count, result, { cf: last, of: make("xor", 1, [isNegative(a), isNegative(result)]) });
  };
}

/** The tested bit; a register as index into memory reaches beyond the operand. */
function bitTest(change: OpName | undefined): Rule {
  return (m) => {
    const bits = m.bits(0);
    const index = m.let(m.read(1, m.isRegister(1) ? m.bits(1) : 8));
    const inside = m.let(make("and", bits, [bits >= index.bits ? zext(index, bits) : extract(index, 0, bits), constant(bits, bits - 1)]));
    if (m.isMemory(0) && m.isRegister(1)) {
      farBitTest(m, index, change);
      return;
    }
    const value = m.let(m.read(0));
    m.setFlag("cf", extract(make("shr", bits, [value, inside]), 0, 1));
    deriveFlags(m);
    if (change !== undefined) m.write(0, changed(value, inside, change));
  };
}

function changed(value: Expr, index: Expr, change: OpName): Expr {
  const bit = make("shl", value.bits, [constant(value.bits, 1), index]);
  return make(change, value.bits, [value, change === "and" ? make("not", value.bits, [bit]) : bit]);
}

function farBitTest(m: Machine, index: Expr, change: OpName | undefined): void {
  const wide = make("sext", 64, [index]);
  const address = m.let(make("add", 64, [m.address(), make("sar", 64, [wide, constant(8, 3)])]));
  const value = m.let({ kind: "load", bits: 8, address });
  const inside = m.let(make("and", 8, [extract(index, 0, 8), constant(8, 7)]));
  m.setFlag("cf", extract(make("shr", 8, [value, inside]), 0, 1));
  deriveFlags(m);
  if (change !== undefined) m.store(address, changed(value, inside, change));
}

/** `bsf` and `bsr` keep the target where the source is zero. */
function scan(name: "ctz" | "clz"): Rule {
  return (m) => {
    const bits = m.bits(0);
    const value = m.let(m.read(1));
    const isNone = isZero(value);
    const found = name === "ctz" ? make("ctz", bits, [value]) : make("sub", bits, [constant(bits, bits - 1), make("clz", bits, [value])]);
    m.write(0, make("select", bits, [isNone, m.read(0), found]));
    m.setFlag("zf", isNone);
    for (const flag of ["cf", "sf", "of", "pf"] as const) m.setFlag(flag, m.unknown(1));
    deriveFlags(m);
  };
}

function countBits(name: "ctz" | "clz" | "popcnt"): Rule {
  return (m) => {
    const bits = m.bits(0);
    const value = m.let(m.read(1));
    const result = m.let(make(name, bits, [value]));
    m.write(0, result);
    m.setFlag("cf", name === "popcnt" ? constant(1, 0) : isZero(value));
    m.setFlag("of", name === "popcnt" ? constant(1, 0) : m.unknown(1));
    restFlags(m, name === "popcnt" ? value : result);
    if (name === "popcnt") for (const flag of ["sf", "pf"] as const) m.setFlag(flag, constant(1, 0));
    deriveFlags(m);
  };
}

export const bitRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["shl", shift("shl")], ["sal", shift("shl")], ["shr", shift("shr")], ["sar", shift("sar")],
  ["rol", rotate("rol")], ["ror", rotate("ror")],
  ["shld", doubleShift("shl")], ["shrd", doubleShift("shr")],
  ["bt", bitTest(undefined)], ["bts", bitTest("or")], ["btr", bitTest("and")], ["btc", bitTest("xor")],
  ["bsf", scan("ctz")], ["bsr", scan("clz")],
  ["tzcnt", countBits("ctz")], ["lzcnt", countBits("clz")], ["popcnt", countBits("popcnt")],
]);
