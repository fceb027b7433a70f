/** Two-level bit set over offsets 0..size-1 that also finds the nearest member at or below an offset. */
export class AddressSet {
  readonly #words: Uint32Array;
  readonly #summary: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32));
    this.#summary = new Uint32Array(Math.ceil(this.#words.length / 32));
  }

  /** The members as bits, 32 offsets to a word: what `load` takes. */
  get words(): Uint32Array {
    return this.#words;
  }

  /** Replaces the members; `words` as long as this set's own. */
  load(words: Uint32Array): void {
    this.#words.set(words);
    this.#summary.fill(0);
    for (let word = 0; word < words.length; word += 1) {
      if (words[word] !== 0) this.#summary[word >>> 5] = (this.#summary[word >>> 5] ?? 0) | (1 << (word & 31));
    }
  }

  add(offset: number): void {
    const word = offset >>> 5;
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (offset & 31));
    this.#summary[word >>> 5] = (this.#summary[word >>> 5] ?? 0) | (1 << (word & 31));
  }

  delete(offset: number): void {
    const word = offset >>> 5;
    this.#words[word] = (this.#words[word] ?? 0) & ~(1 << (offset & 31));
    if (this.#words[word] !== 0) return;
    this.#summary[word >>> 5] = (this.#summary[word >>> 5] ?? 0) & ~(1 << (word & 31));
  }

  clear(): void {
    this.#words.fill(0);
    this.#summary.fill(0);
  }

  has(offset: number): boolean {
    return (((this.#words[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1;
  }

  /** Greatest member ≤ `offset`, -1 when there is none. */
  floor(offset: number): number {
    // A negative offset would look up a word far beyond the end, and from there every word below it.
    if (offset < 0) return -1;
    const word = offset >>> 5;
    const here = atMost(this.#words[word] ?? 0, offset & 31);
    if (here >= 0) return word * 32 + here;
    const lower = this.#wordBelow(word);
    return lower < 0 ? -1 : lower * 32 + atMost(this.#words[lower] ?? 0, 31);
  }

  /** Greatest index of a word below `word` that is not empty. */
  #wordBelow(word: number): number {
    let group = word >>> 5;
    let bit = atMost(this.#summary[group] ?? 0, (word & 31) - 1);
    while (bit < 0 && group > 0) {
      group -= 1;
      bit = atMost(this.#summary[group] ?? 0, 31);
    }
    return bit < 0 ? -1 : group * 32 + bit;
  }
}

/** Index of the highest bit of `bits` at or below `index`, -1 without one. */
function atMost(bits: number, index: number): number {
  if (index < 0) return -1;
  const kept = index === 31 ? bits : bits & ((2 << index) - 1);
  return kept === 0 ? -1 : 31 - Math.clz32(kept);
}
