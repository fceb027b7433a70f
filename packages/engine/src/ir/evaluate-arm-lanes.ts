import { mask, signed } from "./expression.js";
import { turned } from "./evaluate-intrinsic.js";
import type { LaneValues } from "./lane-values.js";

/** Lane operations that only A64 has, by kind. */
export const specialsOfArm: Readonly<Record<string, ((given: LaneValues) => bigint) | undefined>> = {
  gt_u: ({ lane, x, y }) => (x > y ? mask(lane) : 0n),
  hadd_s: ({ sx, sy }) => (sx + sy) >> 1n,
  hadd_u: ({ x, y }) => (x + y) >> 1n,
  hsub_s: ({ sx, sy }) => (sx - sy) >> 1n,
  hsub_u: ({ x, y }) => (x - y) >> 1n,
  avg_s: ({ sx, sy }) => (sx + sy + 1n) >> 1n,
  absdiff_s: ({ sx, sy }) => (sx > sy ? sx - sy : sy - sx),
  absdiff_u: ({ x, y }) => (x > y ? x - y : y - x),
  shift_s: ({ lane, sx, y }) => byCount(sx, signed(y & 255n, 8), lane),
  shift_u: ({ lane, x, y }) => byCount(x, signed(y & 255n, 8), lane),
  even: ({ index, a, b, at, half }) => at(index < half ? a : b, (index % half) * 2),
  odd: ({ index, a, b, at, half }) => at(index < half ? a : b, (index % half) * 2 + 1),
  trn_even: ({ index, a, b, at }) => (index % 2 === 0 ? at(a, index) : at(b, index - 1)),
  trn_odd: ({ index, a, b, at }) => (index % 2 === 0 ? at(a, index + 1) : at(b, index)),
  addpair_u: ({ lane, x }) => (x & mask(lane / 2)) + (x >> BigInt(lane / 2)),
  addpair_s: ({ lane, x }) => signed(x & mask(lane / 2), lane / 2) + signed(x >> BigInt(lane / 2), lane / 2),
  cls: ({ lane, x, sx }) => BigInt(lane - 1 - (sx < 0n ? ~x & mask(lane) : x).toString(2).replace(/^0$/, "").length),
  rbit: ({ lane, x }) => turned(x, lane),
  rev_b: ({ lane, x }) => reversed(x, lane, 8),
  rev_h: ({ lane, x }) => reversed(x, lane, 16),
  rev_w: ({ lane, x }) => reversed(x, lane, 32),
  pack_uu: ({ lane, index, a, b, half }) => least((((index < half ? a : b) >> BigInt((index % half) * lane * 2)) & mask(lane * 2)), mask(lane)),
  widen_s: ({ lane, index, a }) => signed((a >> BigInt((index * lane) / 2)) & mask(lane / 2), lane / 2),
  widen_u: ({ lane, index, a }) => (a >> BigInt((index * lane) / 2)) & mask(lane / 2),
  dup: ({ imm, a, at }) => at(a, imm),
  sumv: ({ lanes, index, a, at }) => first(index, lanes, (one) => at(a, one), (sum, value) => sum + value),
  max_sv: ({ lane, lanes, index, a, at }) => first(index, lanes, (one) => signed(at(a, one), lane), (x, y) => (x > y ? x : y)),
  min_sv: ({ lane, lanes, index, a, at }) => first(index, lanes, (one) => signed(at(a, one), lane), (x, y) => (x < y ? x : y)),
  max_uv: ({ lanes, index, a, at }) => first(index, lanes, (one) => at(a, one), (x, y) => (x > y ? x : y)),
  min_uv: ({ lanes, index, a, at }) => first(index, lanes, (one) => at(a, one), (x, y) => (x < y ? x : y)),
  tbl: ({ lanes, a, y, at }) => (y < BigInt(lanes) ? at(a, Number(y)) : 0n),
  third: ({ lanes, index, imm, a, b, c, at }) => {
    const place = 3 * index + imm;
    return at(place < lanes ? a : place < 2 * lanes ? b : c, place % lanes);
  },
  weave: ({ lanes, index, imm, a, b, c, at }) => {
    const place = imm * lanes + index;
    return at([a, b, c][place % 3] ?? a, Math.floor(place / 3));
  },
};

function byCount(value: bigint, count: bigint, lane: number): bigint {
  if (count >= 0n) return count >= BigInt(lane) ? 0n : value << count;
  return value >> -count;
}

function reversed(value: bigint, lane: number, part: number): bigint {
  let result = 0n;
  for (let at = 0; at < lane; at += part) result = (result << BigInt(part)) | ((value >> BigInt(at)) & mask(part));
  return result;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** What all lanes come to, in the first lane; the others are zero. */
function first(index: number, lanes: number, at: (lane: number) => bigint, join: (a: bigint, b: bigint) => bigint): bigint {
  if (index > 0) return 0n;
  let sum = at(0);
  for (let lane = 1; lane < lanes; lane += 1) sum = join(sum, at(lane));
  return sum;
}
