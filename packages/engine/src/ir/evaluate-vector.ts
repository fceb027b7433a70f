import { mask, op, signed, constant, type Op, type OpName } from "./expression.js";
import { laneOperation } from "./vector-operations.js";

type Evaluate = (expr: Op, values: readonly bigint[]) => bigint | undefined;

/** The value of a lane operation; undefined for a name that is not known. */
export function evaluateVector(expr: Op, values: readonly bigint[], evaluate: Evaluate): bigint | undefined {
  const { name, bits, imm } = expr;
  const [a = 0n, b = 0n] = values;
  const found = laneOperation(name);
  if (found === undefined) return undefined;
  const { kind, lane } = found;
  const lanes = bits / lane;
  const at = (value: bigint, index: number): bigint => (value >> BigInt(index * lane)) & mask(lane);
  const build = (make: (index: number) => bigint | undefined): bigint | undefined => {
    let result = 0n;
    for (let index = 0; index < lanes; index += 1) {
      const part = make(index);
      if (part === undefined) return undefined;
      result |= BigInt.asUintN(lane, part) << BigInt(index * lane);
    }
    return result;
  };
  const scalar = scalars.get(kind);
  if (scalar !== undefined) {
    return build((index) => {
      const parts = [at(a, index), at(b, index)];
      return evaluate(op(scalar, lane, parts.map((part) => constant(lane, part)), { imm }), parts);
    });
  }
  const comparison = comparisons.get(kind);
  if (comparison !== undefined) {
    return build((index) => {
      const parts = [at(a, index), at(b, index)];
      const isTrue = evaluate(op(comparison.op, 1, parts.map((part) => constant(lane, part))), parts) === 1n;
      return isTrue !== comparison.negated ? mask(lane) : 0n;
    });
  }
  return build((index) => special(kind, { lane, lanes, index, imm, a, b, at }));
}

const scalars = new Map<string, OpName>([
  ["add", "add"], ["sub", "sub"], ["mul", "mul"],
  ["addf", "fadd"], ["subf", "fsub"], ["mulf", "fmul"], ["divf", "fdiv"], ["minf", "fmin"], ["maxf", "fmax"], ["sqrtf", "fsqrt"],
]);

const comparisons = new Map<string, { readonly op: OpName; readonly negated: boolean }>([
  ["eq", { op: "eq", negated: false }],
  ["eqf", { op: "feq", negated: false }],
  ["ltf", { op: "flt", negated: false }],
  ["lef", { op: "fle", negated: false }],
  ["unordf", { op: "funord", negated: false }],
  ["neqf", { op: "feq", negated: true }],
  ["nltf", { op: "flt", negated: true }],
  ["nlef", { op: "fle", negated: true }],
  ["ordf", { op: "funord", negated: true }],
]);

interface Lane {
  readonly lane: number;
  readonly lanes: number;
  readonly index: number;
  readonly imm: number;
  readonly a: bigint;
  readonly b: bigint;
  readonly at: (value: bigint, index: number) => bigint;
}

function special(kind: string, { lane, lanes, index, imm, a, b, at }: Lane): bigint | undefined {
  const [x, y] = [at(a, index), at(b, index)];
  const [sx, sy] = [signed(x, lane), signed(y, lane)];
  const half = lanes / 2;
  switch (kind) {
    case "gt": return sx > sy ? mask(lane) : 0n;
    case "min_s": return sx < sy ? x : y;
    case "max_s": return sx > sy ? x : y;
    case "min_u": return x < y ? x : y;
    case "max_u": return x > y ? x : y;
    case "adds_s": return clamp(sx + sy, lane);
    case "subs_s": return clamp(sx - sy, lane);
    case "adds_u": return x + y > mask(lane) ? mask(lane) : x + y;
    case "subs_u": return x < y ? 0n : x - y;
    case "avg_u": return (x + y + 1n) >> 1n;
    case "mulhi_s": return (sx * sy) >> BigInt(lane);
    case "mulhi_u": return (x * y) >> BigInt(lane);
    case "abs": return sx < 0n ? -sx : x;
    // Counts stand in the low 64 bits of the second operand.
    case "shl": return count(b) >= lane ? 0n : x << BigInt(count(b));
    case "shr": return count(b) >= lane ? 0n : x >> BigInt(count(b));
    case "sar": return sx >> BigInt(Math.min(count(b), lane - 1));
    // Even lanes of the half width, multiplied to whole lanes.
    case "mulw_u": return low(x, lane) * low(y, lane);
    case "mulw_s": return signed(low(x, lane), lane / 2) * signed(low(y, lane), lane / 2);
    case "madd_s": return signed(low(x, lane), lane / 2) * signed(low(y, lane), lane / 2) + signed(x >> BigInt(lane / 2), lane / 2) * signed(y >> BigInt(lane / 2), lane / 2);
    case "unpack_low": return at(index % 2 === 0 ? a : b, index >> 1);
    case "unpack_high": return at(index % 2 === 0 ? a : b, half + (index >> 1));
    case "pack_s": return clampTo(signed(wide(index < half ? a : b, index % half, lane), lane * 2), lane);
    case "pack_u": return clampUnsigned(signed(wide(index < half ? a : b, index % half, lane), lane * 2), lane);
    // Two bits a lane (one where there are two lanes) choose; the upper half comes from the second operand.
    case "shuffle2_": return at(index < half ? a : b, choice(imm, index, lanes));
    case "shuffle": return at(a, choice(imm, index, lanes));
    case "shuffle_low": return index < 4 ? at(a, (imm >> (2 * index)) & 3) : x;
    case "shuffle_high": return index >= 4 ? at(a, 4 + ((imm >> (2 * (index - 4))) & 3)) : x;
    case "sad": return sad(x, y);
    default: return undefined;
  }
}

function choice(imm: number, index: number, lanes: number): number {
  return lanes === 2 ? (imm >> index) & 1 : (imm >> (2 * index)) & 3;
}

function count(value: bigint): number {
  const amount = value & mask(64);
  return amount > 255n ? 255 : Number(amount);
}

function low(value: bigint, lane: number): bigint {
  return value & mask(lane / 2);
}

function wide(value: bigint, index: number, lane: number): bigint {
  return (value >> BigInt(index * lane * 2)) & mask(lane * 2);
}

function clamp(value: bigint, lane: number): bigint {
  return clampTo(value, lane);
}

function clampTo(value: bigint, lane: number): bigint {
  const top = mask(lane - 1);
  return value > top ? top : value < -top - 1n ? -top - 1n : value;
}

function clampUnsigned(value: bigint, lane: number): bigint {
  return value < 0n ? 0n : value > mask(lane) ? mask(lane) : value;
}

function sad(x: bigint, y: bigint): bigint {
  let sum = 0n;
  for (let at = 0n; at < 64n; at += 8n) {
    const difference = ((x >> at) & 255n) - ((y >> at) & 255n);
    sum += difference < 0n ? -difference : difference;
  }
  return sum;
}
