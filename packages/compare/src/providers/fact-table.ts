/** One kind of fact, by place: what each side says there, undefined where it says nothing. */
export class FactTable<K, T> {
  readonly #rows = new Map<K, (T | undefined)[]>();
  readonly #sides: number;

  constructor(sides: number) {
    this.#sides = sides;
  }

  at(key: K): readonly (T | undefined)[] | undefined {
    return this.#rows.get(key);
  }

  set(key: K, side: number, value: T): void {
    const row = this.#rows.get(key) ?? Array.from({ length: this.#sides }, (): T | undefined => undefined);
    row[side] = value;
    this.#rows.set(key, row);
  }

  rows(): readonly (readonly [K, readonly (T | undefined)[]])[] {
    return [...this.#rows];
  }
}
