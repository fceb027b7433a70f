import { floatOf, patternOf } from "./float-bits.js";

interface Format {
  readonly fraction: number;
  readonly exponent: number;
}

const formats = { 32: { fraction: 23, exponent: 8 }, 64: { fraction: 52, exponent: 11 } } as const;

/** `a * b + c` rounded once to nearest, ties to even, on patterns of 32 or 64 bits. */
export function fusedMultiplyAdd(bits: number, [a, b, c]: readonly [bigint, bigint, bigint]): bigint {
  const [x, y, z] = [floatOf(bits, a), floatOf(bits, b), floatOf(bits, c)];
  // Where nothing is lost, or nothing finite comes out, two roundings are one.
  if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z) || x === 0 || y === 0) return patternOf(bits, x * y + z);
  const format = bits === 32 ? formats[32] : formats[64];
  const [p, q, r] = [parts(a, format), parts(b, format), parts(c, format)];
  const product = { value: p.value * q.value, power: p.power + q.power };
  const power = z === 0 ? product.power : Math.min(product.power, r.power);
  const sum = (product.value << BigInt(product.power - power)) + (z === 0 ? 0n : r.value << BigInt(r.power - power));
  if (sum === 0n) return patternOf(bits, x * y + z === 0 ? x * y + z : 0);
  return rounded(sum, power, format);
}

/** A finite number as an integer times a power of two. */
function parts(pattern: bigint, { fraction, exponent }: Format): { readonly value: bigint; readonly power: number } {
  const bias = 2 ** (exponent - 1) - 1;
  const low = pattern & ((1n << BigInt(fraction)) - 1n);
  const field = Number((pattern >> BigInt(fraction)) & ((1n << BigInt(exponent)) - 1n));
  const size = field === 0 ? low : low | (1n << BigInt(fraction));
  const isNegative = ((pattern >> BigInt(fraction + exponent)) & 1n) === 1n;
  return { value: isNegative ? -size : size, power: Math.max(1, field) - bias - fraction };
}

function rounded(value: bigint, power: number, { fraction, exponent }: Format): bigint {
  const bias = 2 ** (exponent - 1) - 1;
  const sign = value < 0n ? 1n << BigInt(fraction + exponent) : 0n;
  let size = value < 0n ? -value : value;
  const least = 1 - bias - fraction;
  const length = size.toString(2).length;
  // Places to drop: what is beyond the fraction, or below the smallest number.
  const drop = Math.max(length - fraction - 1, least - power);
  let at = power + drop;
  if (drop > 0) size = toEven(size, BigInt(drop));
  else size <<= BigInt(-drop);
  if (size >> BigInt(fraction + 1) !== 0n) {
    size >>= 1n;
    at += 1;
  }
  const isNormal = size >> BigInt(fraction) !== 0n;
  const field = isNormal ? at + bias + fraction : 0;
  if (field >= 2 ** exponent - 1) return sign | (((1n << BigInt(exponent)) - 1n) << BigInt(fraction));
  return sign | (BigInt(field) << BigInt(fraction)) | (size & ((1n << BigInt(fraction)) - 1n));
}

function toEven(size: bigint, drop: bigint): bigint {
  const low = size >> drop;
  const rest = size - (low << drop);
  const half = 1n << (drop - 1n);
  return rest > half || (rest === half && (low & 1n) === 1n) ? low + 1n : low;
}
