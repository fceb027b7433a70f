/**
 * Orders text by Unicode code point: the same on every host and locale, and equal to the order of the UTF-8 bytes.
 * Sets that are written as arrays use it. It differs from `<`, which puts U+1F600 before U+FB01.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** The distinct texts in code point order. */
export function sortedSet(values: Iterable<string>): string[] {
  return [...new Set(values)].sort(compareCodePoints);
}

/** Moves surrogates above U+E000..U+FFFF, where the code points they stand for belong. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
