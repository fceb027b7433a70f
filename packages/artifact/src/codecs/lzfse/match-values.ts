/** Values that a symbol stands for: `base` and as many extra bits. */
export interface ValueCode {
  readonly base: Int32Array;
  readonly extra: Uint8Array;
}

function valueCode(extra: readonly number[]): ValueCode {
  const base = new Int32Array(extra.length);
  for (let symbol = 1; symbol < extra.length; symbol += 1) base[symbol] = (base[symbol - 1] ?? 0) + (1 << (extra[symbol - 1] ?? 0));
  return { base, extra: Uint8Array.from(extra) };
}

const plain = new Array<number>(16).fill(0);

/** Lengths of literal runs, up to 315. */
export const literalRuns = valueCode([...plain, 2, 3, 5, 8]);
/** Lengths of matches, up to 2,359. */
export const matchLengths = valueCode([...plain, 3, 5, 8, 11]);
/** Distances, up to 262,139; 0 repeats the last one. */
export const distances = valueCode(Array.from({ length: 64 }, (_, symbol) => symbol >> 2));
