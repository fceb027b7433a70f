/** A sample of words: hashes below a bound, as node properties and source references carry it. */
export interface Words {
  readonly shift: number;
  readonly hashes: ReadonlySet<number>;
}

/** Undefined for what is no such sample. */
export function wordsFrom(text: unknown, shift: unknown): Words | undefined {
  if (typeof text !== "string" || typeof shift !== "number" || shift < 0 || shift > 32) return undefined;
  const bytes = Buffer.from(text, "base64");
  const hashes = new Set<number>();
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) hashes.add(bytes.readUInt32BE(at));
  return { shift, hashes };
}

export interface Overlap {
  readonly shared: number;
  /** Words of either side that could be shared: those below the smaller bound. */
  readonly left: number;
  readonly right: number;
}

/** How many words two samples share, counted where both are complete. */
export function overlap(left: Words, right: Words): Overlap {
  const bound = 2 ** (32 - Math.max(left.shift, right.shift));
  let [shared, mine, theirs] = [0, 0, 0];
  for (const hash of left.hashes) {
    if (hash >= bound) continue;
    mine += 1;
    if (right.hashes.has(hash)) shared += 1;
  }
  for (const hash of right.hashes) if (hash < bound) theirs += 1;
  return { shared, left: mine, right: theirs };
}
