import { type Expr } from "../../../ir/expression.js";
import { field, type A64Machine } from "./a64-machine.js";
import { chosen, everywhere, inverted, lanes, setResult, vectorWord, whole, type VectorWord } from "./vector-words.js";

/** Three registers of equal lanes. */
export function liftThreeSame(m: A64Machine, word: number): boolean {
  const v = vectorWord(word);
  const opcode = field(word, 11, 5);
  if (opcode === 3) return v.isScalar ? false : logic(m, v);
  if (opcode >= 24) return floats(m, v, opcode);
  if (v.isScalar && v.lane !== 64) return false;
  const value = integers(m, v, opcode);
  return value === undefined ? false : setResult(m, v, value);
}

function logic(m: A64Machine, v: VectorWord): boolean {
  const [a, b, d] = [m.vector(v.first), m.vector(v.second), m.vector(v.target)];
  const kind = field(v.word, 22, 2);
  if (v.u) return setResult(m, v, [() => whole("xor", a, b), () => chosen(d, a, b), () => chosen(b, a, d), () => chosen(b, d, a)][kind]?.() ?? a);
  return setResult(m, v, [() => whole("and", a, b), () => whole("and", a, inverted(b)), () => whole("or", a, b), () => whole("or", a, inverted(b))][kind]?.() ?? a);
}

/** Neighbours of both sources side by side: the even ones, and the odd ones. */
function pairs(m: A64Machine, v: VectorWord, lane: number): readonly [Expr, Expr] {
  const [a, b] = v.bits === 64
    ? [m.let(joinedHalves(m, v)), m.let(joinedHalves(m, v))]
    : [m.vector(v.first), m.vector(v.second)];
  return [m.let(lanes("even", lane, [a, b])), m.let(lanes("odd", lane, [a, b]))];
}

function joinedHalves(m: A64Machine, v: VectorWord): Expr {
  return lanes("even", 64, [m.vector(v.first), m.vector(v.second)]);
}

/** What a rule may take: its operands, and joins of their lanes. */
interface Sources {
  readonly lane: number;
  readonly u: boolean;
  readonly sign: "u" | "s";
  /** The bit that tells the second of two float forms. */
  readonly other: boolean;
  readonly a: Expr;
  readonly b: Expr;
  readonly d: Expr;
  plain(kind: string): Expr;
  turned(kind: string): Expr;
  paired(kind: string): Expr;
}

type Rule = (given: Sources) => Expr | undefined;

function sourcesOf(m: A64Machine, v: VectorWord): Sources {
  const { lane, u } = v;
  const [a, b, d] = [m.vector(v.first), m.vector(v.second), m.vector(v.target)];
  return {
    lane,
    u,
    sign: u ? "u" : "s",
    other: field(v.word, 23, 1) === 1,
    a,
    b,
    d,
    plain: (kind) => lanes(kind, lane, [a, b]),
    turned: (kind) => lanes(kind, lane, [b, a]),
    paired: (kind) => lanes(kind, lane, pairs(m, v, lane)),
  };
}

const withSign = (kind: string): Rule => ({ plain, sign }) => plain(`${kind}_${sign}`);
const pairedWithSign = (kind: string): Rule => ({ paired, sign, lane }) => (lane === 64 ? undefined : paired(`${kind}_${sign}`));

const integerRules: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [0, withSign("hadd")],
  [1, withSign("adds")],
  [2, withSign("avg")],
  [4, withSign("hsub")],
  [5, withSign("subs")],
  [6, ({ plain, u }) => plain(u ? "gt_u" : "gt")],
  [7, ({ turned, u }) => inverted(turned(u ? "gt_u" : "gt"))],
  [8, withSign("shift")],
  [12, withSign("max")],
  [13, withSign("min")],
  [14, withSign("absdiff")],
  [15, ({ lane, d, plain, sign }) => lanes("add", lane, [d, plain(`absdiff_${sign}`)])],
  [16, ({ plain, u }) => plain(u ? "sub" : "add")],
  [17, ({ lane, a, b, plain, u }) => (u ? plain("eq") : inverted(lanes("eq", lane, [whole("and", a, b), everywhere(0n, lane)])))],
  [18, ({ lane, d, plain, u }) => (lane === 64 ? undefined : lanes(u ? "sub" : "add", lane, [d, plain("mul")]))],
  [19, ({ lane, plain, u }) => (u || lane === 64 ? undefined : plain("mul"))],
  [20, pairedWithSign("max")],
  [21, pairedWithSign("min")],
  [23, ({ paired, u }) => (u ? undefined : paired("add"))],
]);

/** Those that exist for one lane of 64 bits. */
const scalarIntegers = new Set([1, 5, 6, 7, 8, 16, 17]);

function integers(m: A64Machine, v: VectorWord, opcode: number): Expr | undefined {
  if (v.isScalar && !scalarIntegers.has(opcode)) return undefined;
  return integerRules.get(opcode)?.(sourcesOf(m, v));
}

const absolute = ({ lane }: Sources, value: Expr): Expr => lanes("absf", lane, [value]);

const floatRules: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [24, ({ u, other, plain, paired }) => (u ? paired : plain)(other ? "minnmf" : "maxnmf")],
  [25, ({ u, other, lane, a, b, d }) => (u ? undefined : lanes("fmaf", lane, [other ? lanes("negf", lane, [a]) : a, b, d]))],
  [26, (given) => (given.u ? (given.other ? absolute(given, given.plain("subf")) : given.paired("addf")) : given.plain(given.other ? "subf" : "addf"))],
  [27, ({ u, other, plain }) => (u && !other ? plain("mulf") : undefined)],
  [28, ({ u, other, plain, turned }) => (u ? turned(other ? "ltf" : "lef") : other ? undefined : plain("eqf"))],
  [29, (given) => (given.u ? lanes(given.other ? "ltf" : "lef", given.lane, [absolute(given, given.b), absolute(given, given.a)]) : undefined)],
  [30, ({ u, other, plain, paired }) => (u ? paired : plain)(other ? "minnanf" : "maxnanf")],
  [31, ({ u, other, plain }) => (u && !other ? plain("divf") : undefined)],
]);

function floats(m: A64Machine, given: VectorWord, opcode: number): boolean {
  const lane = field(given.word, 22, 1) === 1 ? 64 : 32;
  const v = given.isScalar ? { ...given, lane, bits: lane } : { ...given, lane };
  const value = floatRules.get(opcode)?.(sourcesOf(m, v));
  return value === undefined ? false : setResult(m, v, value);
}
