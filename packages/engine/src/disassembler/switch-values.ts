/**
 * The number that `lowest`, known only modulo a power of two, stands for, when `count` values from there on were compared
 * as numbers of `bits` bits. Undefined where all of them have the highest bit set: signed and unsigned values then differ,
 * and the comparison does not say which was meant. A run that crosses zero is signed, one that crosses the highest signed
 * number is unsigned.
 */
export function firstValue(lowest: number | undefined, count: number, bits: number): number | undefined {
  if (lowest === undefined || !Number.isSafeInteger(lowest)) return undefined;
  const low = BigInt.asUintN(bits, BigInt(lowest));
  const last = low + BigInt(count) - 1n;
  const half = 1n << BigInt(bits - 1);
  if (low < half) return safe(low);
  return last >= half * 2n ? safe(low - half * 2n) : undefined;
}

function safe(value: bigint): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}
