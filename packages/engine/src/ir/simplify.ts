import { addressConstant, constant, mask, op, same, type Const, type Expr, type Op, type OpName } from "./expression.js";
import { holdsAddress, isAddressSum, keepsAddress } from "./address-rules.js";
import { evaluate } from "./evaluate.js";
import { splitOffset } from "./offset.js";
import { partRules } from "./simplify-parts.js";
import { compareRules } from "./simplify-compare.js";

const { simplifyExtract, simplifyInsert } = partRules({ make, extract, zext, sext, not1 });
const { simplifyCompare } = compareRules({ make, extract, zext, sext, not1 });

interface Parts {
  readonly imm?: number;
  readonly name?: string;
}

/** An operation, reduced where that is plainly the same value. Arguments are taken as reduced. */
export function make(name: OpName, bits: number, args: readonly Expr[], { imm = 0, name: which = "" }: Parts = {}): Expr {
  const [a, b] = args;
  if (a === undefined || name === "unknown" || name === "intrinsic") return op(name, bits, args, { imm, name: which });
  const values = keepsAddress(name, args) ? undefined : constants(args);
  const whole = op(name, bits, args, { imm, name: which });
  const value = values === undefined ? undefined : evaluate(whole, values);
  if (value !== undefined) return isAddressSum(name, args) ? addressConstant(bits, value) : constant(bits, value);
  return reduce(whole, a, b) ?? whole;
}

function constants(args: readonly Expr[]): bigint[] | undefined {
  const values: bigint[] = [];
  for (const arg of args) {
    if (arg.kind !== "const") return undefined;
    values.push(arg.value);
  }
  return values;
}

/** The same operation over other arguments. */
export function remake(expr: Op, args: readonly Expr[]): Expr {
  return make(expr.op, expr.bits, args, { imm: expr.imm, name: expr.name });
}

export function extract(expr: Expr, from: number, bits: number): Expr {
  return from === 0 && bits === expr.bits ? expr : make("extract", bits, [expr], { imm: from });
}

export function zext(expr: Expr, bits: number): Expr {
  return bits === expr.bits ? expr : make("zext", bits, [expr]);
}

export function sext(expr: Expr, bits: number): Expr {
  return bits === expr.bits ? expr : make("sext", bits, [expr]);
}

/** The negation of a 1-bit value. */
export function not1(expr: Expr): Expr {
  return make("xor", 1, [expr, constant(1, 1)]);
}

const binaries = new Set<OpName>(["add", "sub", "mul", "and", "or", "xor"]);
const shifts = new Set<OpName>(["shl", "shr", "sar", "rol", "ror"]);
const comparisons = new Set<OpName>(["eq", "ne", "ult", "ule", "slt", "sle"]);

function reduce(expr: Op, a: Expr, b: Expr | undefined): Expr | undefined {
  return b === undefined ? reduceOne(expr, a) : reduceTwo(expr, a, b);
}

function reduceTwo(expr: Op, a: Expr, b: Expr): Expr | undefined {
  if (binaries.has(expr.op)) return reduceBinary(expr, a, b);
  if (shifts.has(expr.op)) return reduceShift(expr, a, b);
  if (comparisons.has(expr.op)) return simplifyCompare(expr, a, b);
  switch (expr.op) {
    case "insert":
      return simplifyInsert(expr, a, b);
    case "concat":
      return reduceConcat(expr, a, b);
    case "select":
      return reduceSelect(expr, a, b);
    case "vector":
      return same(a, b) ? ofEqualLanes(expr) : undefined;
    default:
      return undefined;
  }
}

function reduceOne(expr: Op, a: Expr): Expr | undefined {
  switch (expr.op) {
    case "zext":
      return a.bits === expr.bits ? a : a.kind === "op" && a.op === "zext" ? make("zext", expr.bits, a.args) : undefined;
    case "sext":
      return reduceSext(expr, a);
    case "extract":
      return simplifyExtract(expr, a);
    case "not":
    case "neg":
    case "fneg":
      // One bit is its own negative.
      return a.kind === "op" && a.op === expr.op ? a.args[0] : expr.op === "neg" && expr.bits === 1 ? a : undefined;
    default:
      return undefined;
  }
}

/** How processors make zeros and ones. */
function ofEqualLanes({ name, bits }: Op): Expr | undefined {
  if (/^eq\d/.test(name)) return constant(bits, mask(bits));
  return /^(sub|gt)\d/.test(name) ? constant(bits, 0) : undefined;
}

function reduceSext(expr: Op, a: Expr): Expr | undefined {
  if (a.bits === expr.bits) return a;
  if (a.kind !== "op") return undefined;
  if (a.op === "sext") return make("sext", expr.bits, a.args);
  const inner = a.args[0];
  if (a.op === "zext" && inner !== undefined && inner.bits < a.bits) return make("zext", expr.bits, a.args);
  return undefined;
}

function reduceConcat(expr: Op, high: Expr, low: Expr): Expr | undefined {
  if (high.kind === "const" && high.value === 0n) return make("zext", expr.bits, [low]);
  if (high.kind !== "op" || high.op !== "extract" || low.kind !== "op" || low.op !== "extract") return undefined;
  const [x, y] = [high.args[0], low.args[0]];
  return x !== undefined && y !== undefined && same(x, y) && high.imm === low.imm + low.bits ? extract(x, low.imm, expr.bits) : undefined;
}

function reduceSelect({ args }: Op, condition: Expr, yes: Expr | undefined): Expr | undefined {
  const no = args[2];
  if (condition.kind === "const") return condition.value === 0n ? no : yes;
  if (yes === undefined || no === undefined) return undefined;
  if (same(yes, no)) return yes;
  const negated = condition.kind === "op" && condition.op === "xor" && isOne(condition.args[1]) ? condition.args[0] : undefined;
  if (negated !== undefined && condition.bits === 1) return make("select", yes.bits, [negated, no, yes]);
  return undefined;
}

function isOne(expr: Expr | undefined): boolean {
  return expr?.kind === "const" && expr.value === 1n;
}

const commutative = new Set<OpName>(["add", "mul", "and", "or", "xor"]);

function reduceBinary(expr: Op, a: Expr, b: Expr): Expr | undefined {
  if (a.kind === "const" && commutative.has(expr.op)) return make(expr.op, expr.bits, [b, a]);
  if (b.kind === "const") return reduceWithConstant(expr, a, b);
  if (!same(a, b)) return reduceRemainder(expr, a, b) ?? reduceTruth(expr, a, b) ?? reduceUnordered(expr, a, b) ?? reduceUnordered(expr, b, a) ?? reduceSum(expr, a, b);
  if (expr.op === "sub" || expr.op === "xor") return constant(expr.bits, 0);
  return expr.op === "and" || expr.op === "or" ? a : undefined;
}

/** Equal floating numbers: the flags say "equal or unordered", and "not unordered" beside it. */
function reduceUnordered({ op: name, bits }: Op, a: Expr, b: Expr): Expr | undefined {
  if (bits !== 1 || (name !== "and" && name !== "or")) return undefined;
  const either = name === "and" ? a : negated(a);
  const unordered = name === "and" ? negated(b) : b;
  if (either?.kind !== "op" || either.op !== "or" || unordered?.kind !== "op" || unordered.op !== "funord") return undefined;
  const [x, y] = either.args;
  if (x?.kind !== "op" || x.op !== "feq" || y === undefined || !same(y, unordered)) return undefined;
  return name === "and" ? x : not1(x);
}

function negated(expr: Expr): Expr | undefined {
  return expr.kind === "op" && expr.op === "xor" && expr.bits === 1 && isOne(expr.args[1]) ? expr.args[0] : undefined;
}

/** `a - a / b * b` is the remainder. */
function reduceRemainder(expr: Op, a: Expr, b: Expr): Expr | undefined {
  if (expr.op !== "sub" || b.kind !== "op" || b.op !== "mul") return undefined;
  const [x, y] = b.args;
  for (const [quotient, divisor] of [[x, y], [y, x]] as const) {
    if (quotient?.kind !== "op" || divisor === undefined || (quotient.op !== "sdiv" && quotient.op !== "udiv")) continue;
    const [dividend, by] = quotient.args;
    if (dividend === undefined || by === undefined || !same(dividend, a) || !same(by, divisor)) continue;
    return make(quotient.op === "sdiv" ? "srem" : "urem", expr.bits, [a, divisor]);
  }
  return undefined;
}

/** Logic on widened truth values is logic on the truth values. */
function reduceTruth(expr: Op, a: Expr, b: Expr): Expr | undefined {
  if (expr.op !== "and" && expr.op !== "or" && expr.op !== "xor") return undefined;
  const [x, y] = [widenedTruth(a), widenedTruth(b)];
  return x === undefined || y === undefined ? undefined : zext(make(expr.op, 1, [x, y]), expr.bits);
}

function widenedTruth(expr: Expr): Expr | undefined {
  const inner = expr.kind === "op" && expr.op === "zext" ? expr.args[0] : undefined;
  return inner?.bits === 1 ? inner : undefined;
}

/** Constants wander outwards, so that addresses become a base and one offset. */
function reduceSum(expr: Op, a: Expr, b: Expr): Expr | undefined {
  if (expr.op !== "add" && expr.op !== "sub") return undefined;
  const [x, p] = splitOffset(a);
  const [y, q] = splitOffset(b);
  if (expr.op === "sub" && same(x, y)) return constant(expr.bits, p - q);
  if (expr.op === "add" && b.kind === "op" && b.op === "neg" && b.args[0] !== undefined) return make("sub", expr.bits, [a, b.args[0]]);
  if (p === 0n && q === 0n) return undefined;
  const rest = make(expr.op, expr.bits, [x, y]);
  const offset = constant(expr.bits, expr.op === "add" ? p + q : p - q);
  const isAddress = holdsAddress(a) || (expr.op === "add" && holdsAddress(b));
  return make("add", expr.bits, [rest, isAddress ? { ...offset, isAddress } : offset]);
}

function reduceWithConstant(expr: Op, a: Expr, { value, isAddress }: Const): Expr | undefined {
  const { bits } = expr;
  const all = mask(bits);
  switch (expr.op) {
    case "add":
      return value === 0n ? a : reduceOffset(expr, a, { value, isAddress });
    case "sub":
      return make("add", bits, [a, constant(bits, -value)]);
    case "mul":
      return value === 0n ? constant(bits, 0) : value === 1n ? a : undefined;
    case "or":
      return value === 0n ? a : value === all ? constant(bits, all) : undefined;
    case "xor":
      return reduceXor(expr, a, value);
    case "and":
      return reduceMask(expr, a, value);
    default:
      return undefined;
  }
}

function reduceOffset({ bits }: Op, a: Expr, { value, isAddress }: Pick<Const, "value" | "isAddress">): Expr | undefined {
  const [base, inner] = a.kind === "op" && a.op === "add" ? a.args : [];
  if (base === undefined || inner?.kind !== "const") return undefined;
  const offset = constant(bits, inner.value + value);
  return make("add", bits, [base, (isAddress ?? holdsAddress(a)) ? { ...offset, isAddress: true } : offset]);
}

function reduceXor({ bits }: Op, a: Expr, value: bigint): Expr | undefined {
  if (value === 0n) return a;
  const inner = a.kind === "op" ? a : undefined;
  const [base, second] = inner?.args ?? [];
  if (inner?.op === "xor" && base !== undefined && second?.kind === "const") return make("xor", bits, [base, constant(bits, second.value ^ value)]);
  if (bits === 1 && inner !== undefined) return negateCompare(inner);
  return value === mask(bits) && bits > 1 ? make("not", bits, [a]) : undefined;
}

function reduceMask({ bits }: Op, a: Expr, value: bigint): Expr | undefined {
  if (value === 0n) return constant(bits, 0);
  if (value === mask(bits)) return a;
  if (a.kind !== "op") return undefined;
  const [base, second] = a.args;
  if (a.op === "and" && base !== undefined && second?.kind === "const") return make("and", bits, [base, constant(bits, second.value & value)]);
  if (a.op === "zext" && base?.bits === 1 && value === 1n) return a;
  if (a.op === "zext" && base !== undefined && (value & mask(base.bits)) === mask(base.bits)) return a;
  for (const width of [8, 16, 32]) if (width < bits && value === mask(width)) return zext(extract(a, 0, width), bits);
  return undefined;
}

const opposite: { readonly [N in OpName]?: OpName } = { eq: "ne", ne: "eq" };

/** `!(a < b)` is `b <= a`; floats are left alone, as numbers that do not compare are on neither side. */
function negateCompare(inner: Op): Expr | undefined {
  const [a, b] = inner.args;
  if (a === undefined || b === undefined) return undefined;
  const flipped = opposite[inner.op];
  if (flipped !== undefined) return make(flipped, 1, [a, b]);
  if (inner.op === "ult") return make("ule", 1, [b, a]);
  if (inner.op === "ule") return make("ult", 1, [b, a]);
  if (inner.op === "slt") return make("sle", 1, [b, a]);
  if (inner.op === "sle") return make("slt", 1, [b, a]);
  return undefined;
}

function reduceShift(expr: Op, a: Expr, b: Expr): Expr | undefined {
  if (b.kind !== "const") return undefined;
  const { bits } = expr;
  if (b.value === 0n) return a;
  if (b.value >= BigInt(bits)) return expr.op === "sar" || expr.op === "rol" || expr.op === "ror" ? undefined : constant(bits, 0);
  const by = Number(b.value);
  return a.kind === "op" ? reduceShiftOf(expr, a, { by, countBits: b.bits }) : undefined;
}

function reduceShiftOf(expr: Op, a: Op, { by, countBits }: { readonly by: number; readonly countBits: number }): Expr | undefined {
  const { bits } = expr;
  const [inner, count] = a.args;
  if (inner === undefined) return undefined;
  const twice = reduceTwice(expr, a, { by, countBits });
  if (twice !== undefined) return twice;
  if (expr.op === "shr" && a.op === "zext" && by >= inner.bits) return constant(bits, 0);
  if (expr.op === "shr" && (a.op === "concat" || a.op === "zext")) return zext(extract(a, by, bits - by), bits);
  // `x << 56 >> 56` takes the low byte.
  if (a.op !== "shl" || count?.kind !== "const" || Number(count.value) !== by || ![8, 16, 32].includes(bits - by)) return undefined;
  const part = extract(inner, 0, bits - by);
  return expr.op === "shr" ? zext(part, bits) : expr.op === "sar" ? sext(part, bits) : undefined;
}

/** A shift of what is shifted the same way. */
function reduceTwice(expr: Op, a: Op, { by, countBits }: { readonly by: number; readonly countBits: number }): Expr | undefined {
  const { bits } = expr;
  const [inner, count] = a.args;
  if (inner === undefined) return undefined;
  if (a.op === expr.op && count?.kind === "const" && (expr.op === "shl" || expr.op === "shr" || expr.op === "sar")) {
    const sum = Number(count.value) + by;
    if (sum < bits) return make(expr.op, bits, [inner, constant(countBits, sum)]);
    return expr.op === "sar" ? make("sar", bits, [inner, constant(countBits, bits - 1)]) : constant(bits, 0);
  }
  return undefined;
}
