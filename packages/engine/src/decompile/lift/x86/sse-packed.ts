import { constant, type Expr, type OpName } from "../../../ir/expression.js";
import { extract, make } from "../../../ir/simplify.js";
import type { Machine } from "./machine.js";
import { sources } from "./sse-scalar.js";

type Rule = (m: Machine) => void;

/** Whole vectors of the instruction's width, lane operations by 128-bit halves. */
function both(m: Machine): readonly [Expr, Expr] {
  const { first, last } = sources(m);
  const bits = m.bits(0);
  return [m.let(m.read(first, bits)), m.let(m.read(last, bits))];
}

function byHalves(bits: number, values: readonly Expr[], make128: (parts: readonly Expr[]) => Expr): Expr {
  if (bits <= 128) return make128(values);
  const half = (from: number): Expr => make128(values.map((value) => extract(value, from, 128)));
  return make("concat", 256, [half(128), half(0)]);
}

function lanes(name: string): Rule {
  return (m) => {
    const values = both(m);
    m.write(0, m.let(byHalves(m.bits(0), values, (parts) => make("vector", 128, parts, { name }))));
  };
}

function whole(name: OpName): Rule {
  return (m) => {
    const [a, b] = both(m);
    m.write(0, m.let(make(name, a.bits, [a, b])));
  };
}

const andNot: Rule = (m) => {
  const [a, b] = both(m);
  m.write(0, m.let(make("and", a.bits, [make("not", a.bits, [a]), b])));
};

const move: Rule = (m) => {
  m.write(0, m.read(1, m.bits(0)));
};

function oneSource(name: string): Rule {
  return (m) => {
    const value = m.let(m.read(1, m.bits(0)));
    m.write(0, m.let(byHalves(m.bits(0), [value], (parts) => make("vector", 128, parts, { name, imm: m.operands > 2 ? m.imm8(2) : 0 }))));
  };
}

function shuffleTwo(name: string): Rule {
  return (m) => {
    const values = both(m);
    const imm = m.imm8(m.operands - 1);
    m.write(0, m.let(byHalves(m.bits(0), values, (parts) => make("vector", 128, parts, { name, imm }))));
  };
}

/** Shifts of lanes by an immediate or by the low half of a vector. */
function shiftLanes(name: string): Rule {
  return (m) => {
    const operand = m.isVex ? 2 : 1;
    const value = m.let(m.read(m.isVex ? 1 : 0, m.bits(0)));
    const isImmediate = !m.isRegister(operand) && !m.isMemory(operand);
    const count = isImmediate ? constant(128, m.imm8(operand)) : m.let(m.read(operand, 128));
    m.write(0, m.let(byHalves(m.bits(0), [value], ([part]) => make("vector", 128, [part ?? value, count], { name }))));
  };
}

function shiftWhole(name: "shl" | "shr"): Rule {
  return (m) => {
    const operand = m.isVex ? 2 : 1;
    const value = m.let(m.read(m.isVex ? 1 : 0, m.bits(0)));
    const by = constant(8, Math.min(16, m.imm8(operand)) * 8);
    m.write(0, m.let(byHalves(m.bits(0), [value], ([part]) => make(name, 128, [part ?? value, by]))));
  };
}

const alignRight: Rule = (m) => {
  const [a, b] = both(m);
  const from = m.imm8(m.operands - 1) * 8;
  m.write(0, m.let(extract(make("shr", 256, [make("concat", 256, [a, b]), constant(16, Math.min(256, from))]), 0, 128)));
};

/** Lanes made one by one, the first lowest. */
function build(parts: readonly Expr[]): Expr {
  const [first, ...rest] = parts;
  if (first === undefined) return constant(128, 0);
  return rest.reduce<Expr>((sum, part) => make("concat", sum.bits + part.bits, [part, sum]), first);
}

interface Conversion {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly each: OpName;
}

function convertLanes({ from, to, count, each }: Conversion): Rule {
  return (m) => {
    const width = from * count;
    const value = m.let(m.read(1, width));
    const parts = Array.from({ length: count }, (_, index) => m.let(make(each, to, [extract(value, index * from, from)])));
    m.write(0, m.let(build(parts)));
  };
}

const unpackLow = (lane: number): Rule => lanes(`unpack_low${String(lane)}`);
const unpackHigh = (lane: number): Rule => lanes(`unpack_high${String(lane)}`);

/** Lanes of both operands added or subtracted in pairs. */
function horizontal(name: OpName, lane: number): Rule {
  return (m) => {
    const [a, b] = both(m);
    const half = (value: Expr): Expr[] =>
      Array.from({ length: 64 / lane }, (_, index) => make(name, lane, [extract(value, 2 * index * lane, lane), extract(value, (2 * index + 1) * lane, lane)]));
    m.write(0, m.let(build([...half(a), ...half(b)])));
  };
}

const comparisons = ["eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord"];

function compareLanes(lane: number): Rule {
  return (m) => {
    const name = `${comparisons[m.imm8(m.operands - 1) & 7] ?? "eq"}f${String(lane)}`;
    const values = both(m);
    m.write(0, m.let(byHalves(m.bits(0), values, (parts) => make("vector", 128, parts, { name }))));
  };
}

/** Halves of 64 bits side by side. */
function halves(from: number): Rule {
  return (m) => {
    const values = both(m);
    const joined = ([a, b]: readonly Expr[]): Expr => make("concat", 128, [extract(b ?? constant(128, 0), from, 64), extract(a ?? constant(128, 0), from, 64)]);
    m.write(0, m.let(byHalves(m.bits(0), values, joined)));
  };
}

const duplicateLow: Rule = (m) => {
  const value = m.let(m.read(1, 64));
  m.write(0, make("concat", 128, [value, value]));
};

const pairs: [string, Rule][] = [];
for (const [suffix, lane] of [["b", 8], ["w", 16], ["d", 32], ["q", 64]] as const) {
  const size = String(lane);
  pairs.push([`padd${suffix}`, lanes(`add${size}`)], [`psub${suffix}`, lanes(`sub${size}`)], [`pcmpeq${suffix}`, lanes(`eq${size}`)]);
  pairs.push([`pcmpgt${suffix}`, lanes(`gt${size}`)]);
  for (const sign of ["s", "u"]) {
    pairs.push([`pmin${sign}${suffix}`, lanes(`min_${sign}${size}`)], [`pmax${sign}${suffix}`, lanes(`max_${sign}${size}`)]);
    pairs.push([`padd${sign}${sign === "u" ? "s" : ""}${suffix}`, lanes(`adds_${sign}${size}`)]);
    pairs.push([`psub${sign}${sign === "u" ? "s" : ""}${suffix}`, lanes(`subs_${sign}${size}`)]);
  }
  if (lane > 8) pairs.push([`psll${suffix}`, shiftLanes(`shl${size}`)], [`psrl${suffix}`, shiftLanes(`shr${size}`)], [`psra${suffix}`, shiftLanes(`sar${size}`)]);
  if (lane < 64) pairs.push([`pabs${suffix}`, oneSource(`abs${size}`)]);
}
for (const [suffix, lane] of [["ps", 32], ["pd", 64]] as const) {
  const size = String(lane);
  for (const name of ["add", "sub", "mul", "div", "min", "max"]) pairs.push([name + suffix, lanes(`${name}f${size}`)]);
  pairs.push([`sqrt${suffix}`, oneSource(`sqrtf${size}`)], [`cmp${suffix}`, compareLanes(lane)], [`hadd${suffix}`, horizontal("fadd", lane)], [`hsub${suffix}`, horizontal("fsub", lane)]);
  pairs.push([`and${suffix}`, whole("and")], [`or${suffix}`, whole("or")], [`xor${suffix}`, whole("xor")], [`andn${suffix}`, andNot]);
  pairs.push([`mova${suffix}`, move], [`movu${suffix}`, move], [`movnt${suffix}`, move], [`unpckl${suffix}`, lane === 64 ? halves(0) : unpackLow(lane)], [`unpckh${suffix}`, lane === 64 ? halves(64) : unpackHigh(lane)], [`shuf${suffix}`, shuffleTwo(`shuffle2_${size}`)]);
}
for (const [name, from, to] of [["bw", 8, 16], ["bd", 8, 32], ["bq", 8, 64], ["wd", 16, 32], ["wq", 16, 64], ["dq", 32, 64]] as const) {
  pairs.push([`pmovsx${name}`, convertLanes({ from, to, count: 128 / to, each: "sext" })], [`pmovzx${name}`, convertLanes({ from, to, count: 128 / to, each: "zext" })]);
}

export const packedRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...pairs,
  ["movdqa", move], ["movdqu", move], ["lddqu", move], ["movntdq", move], ["movddup", duplicateLow],
  ["pand", whole("and")], ["por", whole("or")], ["pxor", whole("xor")], ["pandn", andNot],
  ["pavgb", lanes("avg_u8")], ["pavgw", lanes("avg_u16")],
  ["pmullw", lanes("mul16")], ["pmulld", lanes("mul32")], ["pmulhw", lanes("mulhi_s16")], ["pmulhuw", lanes("mulhi_u16")],
  ["pmuludq", lanes("mulw_u64")], ["pmuldq", lanes("mulw_s64")], ["pmaddwd", lanes("madd_s32")], ["psadbw", lanes("sad64")],
  ["punpcklbw", unpackLow(8)], ["punpcklwd", unpackLow(16)], ["punpckldq", unpackLow(32)], ["punpcklqdq", halves(0)],
  ["punpckhbw", unpackHigh(8)], ["punpckhwd", unpackHigh(16)], ["punpckhdq", unpackHigh(32)], ["punpckhqdq", halves(64)],
  ["packsswb", lanes("pack_s8")], ["packssdw", lanes("pack_s16")], ["packuswb", lanes("pack_u8")], ["packusdw", lanes("pack_u16")],
  ["pshufd", oneSource("shuffle32")], ["pshuflw", oneSource("shuffle_low16")], ["pshufhw", oneSource("shuffle_high16")],
  ["pslldq", shiftWhole("shl")], ["psrldq", shiftWhole("shr")], ["palignr", alignRight],
  ["cvtdq2ps", convertLanes({ from: 32, to: 32, count: 4, each: "sitof" })], ["cvtdq2pd", convertLanes({ from: 32, to: 64, count: 2, each: "sitof" })],
  ["cvtps2pd", convertLanes({ from: 32, to: 64, count: 2, each: "ftof" })], ["cvtpd2ps", convertLanes({ from: 64, to: 32, count: 2, each: "ftof" })],
  ["cvttps2dq", convertLanes({ from: 32, to: 32, count: 4, each: "ftosi" })], ["cvtps2dq", convertLanes({ from: 32, to: 32, count: 4, each: "ftosir" })],
  ["cvttpd2dq", convertLanes({ from: 64, to: 32, count: 2, each: "ftosi" })], ["cvtpd2dq", convertLanes({ from: 64, to: 32, count: 2, each: "ftosir" })],
]);
