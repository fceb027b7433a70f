/** A pause comes after so many values, plus one. */
const between = 0x1_ffff;

/**
 * Indices 0..n-1 in ascending order of `values` (whole, 0 ≤ value < 2^53), equal values in their given order: a radix
 * sort with 16-bit digits, linear in the number of values. `pause` is called now and then.
 */
export function sortedOrder(values: Float64Array, pause: () => void = () => undefined): Uint32Array {
  let order = new Uint32Array(values.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  let spare = new Uint32Array(values.length);
  let highest = 0;
  for (let index = 0; index < values.length; index += 1) highest = Math.max(highest, values[index] ?? 0);
  for (let scale = 1; scale <= highest; scale *= 65536) {
    sortByDigit({ values, scale, pause }, order, spare);
    [order, spare] = [spare, order];
  }
  return order;
}

interface Digits {
  readonly values: Float64Array;
  readonly scale: number;
  readonly pause: () => void;
}

function sortByDigit({ values, scale, pause }: Digits, from: Uint32Array, to: Uint32Array): void {
  const places = new Uint32Array(65537);
  for (let index = 0; index < values.length; index += 1) {
    if ((index & between) === 0) pause();
    const slot = digit(values[index] ?? 0, scale) + 1;
    places[slot] = (places[slot] ?? 0) + 1;
  }
  for (let slot = 1; slot < places.length; slot += 1) places[slot] = (places[slot] ?? 0) + (places[slot - 1] ?? 0);
  for (let place = 0; place < from.length; place += 1) {
    if ((place & between) === 0) pause();
    const index = from[place] ?? 0;
    const slot = digit(values[index] ?? 0, scale);
    const next = places[slot] ?? 0;
    to[next] = index;
    places[slot] = next + 1;
  }
}

function digit(value: number, scale: number): number {
  return scale === 1 ? value & 0xffff : Math.floor(value / scale) & 0xffff;
}

/** Index of the first item of a sorted array that is ≥ `value`. */
export function firstAtLeast(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
