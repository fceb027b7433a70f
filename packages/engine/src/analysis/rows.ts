/** Named records of a table, made when they are asked for. */
export interface Rows<T> {
  readonly length: number;
  /** The same object each time; undefined outside the table. */
  at(row: number): T | undefined;
  all(): readonly T[];
  /** Rows of exactly this name, in order. */
  named(name: string): readonly number[];
}

export function rowsOf<T extends { readonly name: string }>(items: readonly T[]): Rows<T> {
  const named = (name: string) => {
    const found: number[] = [];
    for (let row = 0; row < items.length; row += 1) if (items[row]?.name === name) found.push(row);
    return found;
  };
  return { length: items.length, at: (row) => items[row], all: () => items, named };
}

/** What rows are made from. */
interface RowSource<T> {
  readonly length: number;
  readonly make: (row: number) => T;
  readonly named: (name: string) => readonly number[];
}

export class LazyRows<T> implements Rows<T> {
  readonly length: number;
  readonly #source: RowSource<T>;
  readonly #made: (T | undefined)[];
  #all: readonly T[] | undefined;

  constructor(source: RowSource<T>) {
    this.length = source.length;
    this.#source = source;
    this.#made = new Array<T | undefined>(source.length);
  }

  at(row: number): T | undefined {
    return row >= 0 && row < this.length ? (this.#made[row] ??= this.#source.make(row)) : undefined;
  }

  all(): readonly T[] {
    return (this.#all ??= Array.from({ length: this.length }, (_, row) => (this.#made[row] ??= this.#source.make(row))));
  }

  named(name: string): readonly number[] {
    return this.#source.named(name);
  }
}
