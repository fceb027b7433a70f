interface Kept<T> {
  readonly value: T;
  readonly weight: number;
}

/** Results by function entry, the latest ones up to a weight together; what is asked for again is not computed again. */
export class RecentResults<T> {
  readonly #kept = new Map<number, Kept<T>>();
  readonly #maximum: number;
  #weight = 0;

  constructor(maximumWeight: number) {
    this.#maximum = maximumWeight;
  }

  /** The result of `compute`, which depends on nothing but the entry; when it throws, nothing is kept. */
  get(entry: number, compute: () => T, weightOf: (value: T) => number): T {
    const known = this.#kept.get(entry);
    if (known !== undefined) {
      // Set anew, so that the map stays in order of use.
      this.#kept.delete(entry);
      this.#kept.set(entry, known);
      return known.value;
    }
    const value = compute();
    this.#keep(entry, { value, weight: weightOf(value) + 1 });
    return value;
  }

  #keep(entry: number, kept: Kept<T>): void {
    this.#kept.set(entry, kept);
    this.#weight += kept.weight;
    for (const [oldest, { weight }] of this.#kept) {
      if (this.#weight <= this.#maximum) return;
      this.#kept.delete(oldest);
      this.#weight -= weight;
    }
  }
}
