import { constant, type Expr } from "../../../ir/expression.js";
import { extract, make, zext } from "../../../ir/simplify.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";
import { roundings } from "./float.js";
import { everywhere, inverted, lanes, setNarrowed, setResult, shifted, vectorWord, widened, type VectorWord } from "./vector-words.js";

/** One source register, and pairs of lanes of it. */
export function liftTwoRegisters(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const opcode = field(word, 12, 5);
  if (isFloatForm(v, opcode)) return floats(m, v, opcode);
  if (!v.isScalar && changesWidth(m, v, opcode)) return true;
  if (v.isScalar && narrowsOne(m, v, opcode)) return true;
  if (v.isScalar && (v.lane !== 64 || ![8, 9, 10, 11].includes(opcode))) return false;
  const value = integerRules.get(opcode)?.(sourceOf(m, v));
  return value === undefined ? false : setResult(m, v, value);
}

function isFloatForm({ word }: VectorWord, opcode: number): boolean {
  if (opcode >= 24) return true;
  return (opcode >= 12 && opcode <= 15 && isSet(word, 23)) || opcode === 22 || opcode === 23;
}

interface Source {
  readonly v: VectorWord;
  readonly lane: number;
  readonly u: boolean;
  readonly other: boolean;
  readonly a: Expr;
  readonly d: Expr;
  readonly none: Expr;
}

type Rule = (given: Source) => Expr | undefined;

function sourceOf(m: A64Machine, v: VectorWord): Source {
  return { v, lane: v.lane, u: v.u, other: isSet(v.word, 23), a: m.vector(v.first), d: m.vector(v.target), none: everywhere(0n, v.lane) };
}

/** Bits of bytes: counted, inverted, turned. */
const bytewise: Rule = ({ lane, u, a }) => {
  if (!u) return lane === 8 ? lanes("popcnt", 8, [a]) : undefined;
  return lane === 8 ? inverted(a) : lane === 16 ? lanes("rbit", 8, [a]) : undefined;
};

const integerRules: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [0, ({ lane, u, a }) => reversed(lane, u ? 32 : 64, a)],
  [1, ({ lane, u, a }) => (u ? undefined : reversed(lane, 16, a))],
  [2, ({ v, a }) => pairSum(v, a)],
  [4, ({ lane, u, a }) => (lane === 64 ? undefined : lanes(u ? "clz" : "cls", lane, [a]))],
  [5, bytewise],
  [6, ({ v, lane, a, d }) => (lane === 64 ? undefined : lanes("add", lane * 2, [d, pairSum(v, a)]))],
  [8, ({ lane, u, a, none }) => (u ? inverted(lanes("gt", lane, [none, a])) : lanes("gt", lane, [a, none]))],
  [9, ({ lane, u, a, none }) => (u ? inverted(lanes("gt", lane, [a, none])) : lanes("eq", lane, [a, none]))],
  [10, ({ lane, u, a, none }) => (u ? undefined : lanes("gt", lane, [none, a]))],
  [11, ({ lane, u, a, none }) => (u ? lanes("sub", lane, [none, a]) : lanes("abs", lane, [a]))],
]);

function pairSum({ lane, u }: VectorWord, a: Expr): Expr {
  return lanes(u ? "addpair_u" : "addpair_s", Math.min(64, lane * 2), [a]);
}

/** Lanes turned inside containers of that many bits. */
function reversed(lane: number, container: number, value: Expr): Expr | undefined {
  if (lane >= container) return undefined;
  return lanes(({ 8: "rev_b", 16: "rev_h" } as const)[lane] ?? "rev_w", container, [value]);
}

/** Narrowing and `shll`. */
function changesWidth(m: A64Machine, v: VectorWord, opcode: number): boolean {
  const { lane, u } = v;
  if (lane === 64) return false;
  if (opcode === 18 || opcode === 20) return setNarrowed(m, v, narrowed(v, opcode, m.vector(v.first)));
  if (opcode !== 19 || !u) return false;
  const wide = widened(m, v.first, { lane: lane * 2, isSigned: false, upper: isSet(v.word, 30) });
  m.setVector(v.target, m.let(shifted("shl", lane * 2, wide, lane)));
  return true;
}

/** Lanes of half the width, in the low half; `lane` is the narrow width. */
function narrowed({ lane, u }: VectorWord, opcode: number, value: Expr): Expr {
  const none = constant(128, 0);
  if (opcode === 18) return lanes(u ? "pack_u" : "even", lane, [value, none]);
  return lanes(u ? "pack_uu" : "pack_s", lane, [value, none]);
}

function narrowsOne(m: A64Machine, v: VectorWord, opcode: number): boolean {
  if ((opcode !== 18 || !v.u) && opcode !== 20) return false;
  if (v.lane === 64) return false;
  return setResult(m, v, narrowed(v, opcode, zext(m.vector(v.first, v.lane * 2), 128)));
}

function floats(m: A64Machine, given: VectorWord, opcode: number): boolean {
  const lane = isSet(given.word, 22) ? 64 : 32;
  const v = given.isScalar ? { ...given, lane, bits: lane } : { ...given, lane };
  if (opcode === 22 || opcode === 23) return v.isScalar ? false : changesPrecision(m, v, opcode);
  const value = floatRules.get(opcode)?.(sourceOf(m, v));
  return value === undefined ? false : setResult(m, v, value);
}

function roundedTo({ lane, a }: Source, how: number): Expr {
  return lanes("roundf", lane, [a], how);
}

function integersOf(given: Source, how: number): Expr {
  return lanes(given.u ? "ftousat" : "ftosat", given.lane, [how === roundings.zero ? given.a : roundedTo(given, how)]);
}

const { away, down, even, up, zero } = roundings;
const floatRules: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [12, ({ u, lane, a, none }) => lanes(u ? "lef" : "ltf", lane, [none, a])],
  [13, ({ u, lane, a, none }) => lanes(u ? "lef" : "eqf", lane, [a, none])],
  [14, ({ u, lane, a, none }) => (u ? undefined : lanes("ltf", lane, [a, none]))],
  [15, ({ u, lane, a }) => lanes(u ? "negf" : "absf", lane, [a])],
  [24, (given) => (given.u ? (given.other ? undefined : roundedTo(given, away)) : roundedTo(given, given.other ? up : even))],
  [25, (given) => roundedTo(given, given.u ? even : given.other ? zero : down)],
  [26, (given) => integersOf(given, given.other ? up : even)],
  [27, (given) => integersOf(given, given.other ? zero : down)],
  [28, (given) => (given.other ? undefined : integersOf(given, away))],
  [29, ({ u, other, lane, a }) => (other ? undefined : lanes(u ? "uitof" : "sitof", lane, [a]))],
  [31, ({ u, other, lane, a }) => (u && other ? lanes("sqrtf", lane, [a]) : undefined)],
]);

/** `fcvtn`, `fcvtl`: two lanes between single and double precision. */
function changesPrecision(m: A64Machine, v: VectorWord, opcode: number): boolean {
  if (v.lane !== 64 || v.u) return false;
  const upper = isSet(v.word, 30);
  if (opcode === 22) {
    const part = (from: number): Expr => m.let(make("ftof", 32, [extract(m.vector(v.first), from, 64)]));
    return setNarrowed(m, v, zext(make("concat", 64, [part(64), part(0)]), 128));
  }
  const part = (from: number): Expr => m.let(make("ftof", 64, [extract(m.vector(v.first), from + (upper ? 64 : 0), 32)]));
  m.setVector(v.target, m.let(make("concat", 128, [part(32), part(0)])));
  return true;
}

/** Sums and extremes over all lanes. */
export function liftAcrossLanes(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const opcode = field(word, 12, 5);
  const isWhole = isSet(word, 30);
  const all = isWhole ? m.vector(v.first) : zext(m.vector(v.first, 64), 128);
  // Of a half vector, both halves alike: extremes do not change.
  const doubled = isWhole ? all : make("concat", 128, [m.vector(v.first, 64), m.vector(v.first, 64)]);
  if (opcode === 12 || opcode === 15) return floatExtreme(m, v, opcode);
  if (v.lane === 64) return false;
  const sign = v.u ? "u" : "s";
  const put = (value: Expr, bits: number): true => setResult(m, { ...v, bits }, value);
  switch (opcode) {
    case 3: return put(lanes("sumv", v.lane * 2, [lanes(`addpair_${sign}`, v.lane * 2, [all])]), v.lane * 2);
    case 10: return put(lanes(`max_${sign}v`, v.lane, [doubled]), v.lane);
    case 26: return put(lanes(`min_${sign}v`, v.lane, [doubled]), v.lane);
    case 27: return v.u ? false : put(lanes("sumv", v.lane, [all]), v.lane);
    default: return false;
  }
}

function floatExtreme(m: A64Machine, v: VectorWord, opcode: number): boolean {
  if (!v.u || !isSet(v.word, 30) || isSet(v.word, 22)) return false;
  const which = isSet(v.word, 23) ? "min" : "max";
  const name = `f${which}${opcode === 12 ? "nm" : "nan"}` as const;
  const at = (index: number): Expr => extract(m.vector(v.first), index * 32, 32);
  const join = (a: Expr, b: Expr): Expr => m.let(make(name, 32, [a, b]));
  m.setVector(v.target, join(join(at(0), at(1)), join(at(2), at(3))));
  return true;
}

/** The two lanes of a register put together. */
export function liftScalarPairwise(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const opcode = field(word, 12, 5);
  if (!v.u) {
    if (opcode !== 27 || v.lane !== 64) return false;
    m.setVector(v.target, m.let(make("add", 64, [m.vector(v.first, 64), extract(m.vector(v.first), 64, 64)])));
    return true;
  }
  const lane = isSet(word, 22) ? 64 : 32;
  const which = isSet(word, 23) ? "min" : "max";
  const name = ({ 12: `f${which}nm`, 13: "fadd", 15: `f${which}nan` } as const)[opcode];
  if (name === undefined || (opcode === 13 && isSet(word, 23))) return false;
  m.setVector(v.target, m.let(make(name, lane, [m.vector(v.first, lane), extract(m.vector(v.first), lane, lane)])));
  return true;
}

