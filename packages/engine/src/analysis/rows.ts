/** Records of a table, made when they are asked for. */
export interface Rows<T> {
  readonly length: number;
  /** The same object each time; undefined outside the table. */
  at(row: number): T | undefined;
  all(): readonly T[];
}

export function rowsOf<T>(items: readonly T[]): Rows<T> {
  return { length: items.length, at: (row) => items[row], all: () => items };
}

export class LazyRows<T> implements Rows<T> {
  readonly length: number;
  readonly #make: (row: number) => T;
  readonly #made: (T | undefined)[];
  #all: readonly T[] | undefined;

  constructor(length: number, make: (row: number) => T) {
    this.length = length;
    this.#make = make;
    this.#made = Array.from({ length });
  }

  at(row: number): T | undefined {
    return row >= 0 && row < this.length ? (this.#made[row] ??= this.#make(row)) : undefined;
  }

  all(): readonly T[] {
    return (this.#all ??= Array.from({ length: this.length }, (_, row) => (this.#made[row] ??= this.#make(row))));
  }
}
