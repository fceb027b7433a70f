import { specialsOfArm } from "./evaluate-arm-lanes.js";
import type { Lane, LaneValues } from "./lane-values.js";
import { mask, op, signed, constant, type Op, type OpName } from "./expression.js";
import { laneOperation, lanewise } from "./vector-operations.js";

type Evaluate = (expr: Op, values: readonly bigint[]) => bigint | undefined;

/** The value of a lane operation; undefined for a name that is not known. */
export function evaluateVector(expr: Op, values: readonly bigint[], evaluate: Evaluate): bigint | undefined {
  const { name, bits, imm } = expr;
  const [a = 0n, b = 0n, c = 0n] = values;
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
      const parts = values.map((value) => at(value, index));
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
  return build((index) => special(kind, { lane, lanes, index, imm, a, b, c, at }));
}

const scalars = new Map<string, OpName>([...Object.entries(lanewise), ["clz", "clz"], ["popcnt", "popcnt"]]);

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

function special(kind: string, { lane, lanes, index, imm, a, b, c, at }: Lane): bigint | undefined {
  const [x, y] = [at(a, index), at(b, index)];
  const [sx, sy] = [signed(x, lane), signed(y, lane)];
  const half = lanes / 2;
  const make = specials[kind] ?? specialsOfArm[kind];
  return make?.({ lane, lanes, index, imm, a, b, c, at, x, y, sx, sy, half });
}

const specials: Readonly<Record<string, ((given: LaneValues) => bigint) | undefined>> = {
  gt: ({ lane, sx, sy }) => sx > sy ? mask(lane) : 0n,
  min_s: ({ x, y, sx, sy }) => sx < sy ? x : y,
  max_s: ({ x, y, sx, sy }) => sx > sy ? x : y,
  min_u: ({ x, y }) => x < y ? x : y,
  max_u: ({ x, y }) => x > y ? x : y,
  adds_s: ({ lane, sx, sy }) => clamp(sx + sy, lane),
  subs_s: ({ lane, sx, sy }) => clamp(sx - sy, lane),
  adds_u: ({ lane, x, y }) => x + y > mask(lane) ? mask(lane) : x + y,
  subs_u: ({ x, y }) => x < y ? 0n : x - y,
  avg_u: ({ x, y }) => (x + y + 1n) >> 1n,
  mulhi_s: ({ lane, sx, sy }) => (sx * sy) >> BigInt(lane),
  mulhi_u: ({ lane, x, y }) => (x * y) >> BigInt(lane),
  abs: ({ x, sx }) => sx < 0n ? -sx : x,
  // Counts stand in the low 64 bits of the second operand.
  shl: ({ lane, b, x }) => count(b) >= lane ? 0n : x << BigInt(count(b)),
  shr: ({ lane, b, x }) => count(b) >= lane ? 0n : x >> BigInt(count(b)),
  sar: ({ lane, b, sx }) => sx >> BigInt(Math.min(count(b), lane - 1)),
  // Even lanes of the half width, multiplied to whole lanes.
  mulw_u: ({ lane, x, y }) => low(x, lane) * low(y, lane),
  mulw_s: ({ lane, x, y }) => signed(low(x, lane), lane / 2) * signed(low(y, lane), lane / 2),
  madd_s: ({ lane, x, y }) => signed(low(x, lane), lane / 2) * signed(low(y, lane), lane / 2) + signed(x >> BigInt(lane / 2), lane / 2) * signed(y >> BigInt(lane / 2), lane / 2),
  unpack_low: ({ index, a, b, at }) => at(index % 2 === 0 ? a : b, index >> 1),
  unpack_high: ({ index, a, b, at, half }) => at(index % 2 === 0 ? a : b, half + (index >> 1)),
  pack_s: ({ lane, index, a, b, half }) => clampTo(signed(wide(index < half ? a : b, index % half, lane), lane * 2), lane),
  pack_u: ({ lane, index, a, b, half }) => clampUnsigned(signed(wide(index < half ? a : b, index % half, lane), lane * 2), lane),
  // Two bits a lane (one where there are two lanes) choose; the upper half comes from the second operand.
  shuffle2_: ({ lanes, index, imm, a, b, at, half }) => at(index < half ? a : b, choice(imm, index, lanes)),
  shuffle: ({ lanes, index, imm, a, at }) => at(a, choice(imm, index, lanes)),
  shuffle_low: ({ index, imm, a, at, x }) => index < 4 ? at(a, (imm >> (2 * index)) & 3) : x,
  shuffle_high: ({ index, imm, a, at, x }) => index >= 4 ? at(a, 4 + ((imm >> (2 * (index - 4))) & 3)) : x,
  sad: ({ x, y }) => sad(x, y),
};

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
