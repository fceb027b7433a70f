/** Bits of precision of estimates. */
const periodBits = 7;

/** Row for a number of symbols: finer for few. */
const rowOfSymbols = rows();

function rows(): Uint8Array {
  const table = new Uint8Array(256);
  let row = 3;
  let left = 1;
  for (let symbols = 0; symbols < 256; symbols += 1) {
    if (symbols < 3) {
      table[symbols] = symbols;
      continue;
    }
    table[symbols] = row;
    left -= 1;
    if (left === 0) {
      row += 1;
      left = row - 2;
    }
  }
  return table;
}

const rowCount = 25;
const columns = 16;

/** How likely an escape is, learnt for contexts that are alike ("secondary escape estimation" of PPMd). */
export class EscapeEstimates {
  readonly #sums = new Uint16Array(rowCount * columns);
  readonly #shifts = new Uint8Array(rowCount * columns);
  readonly #counts = new Uint8Array(rowCount * columns);

  reset(): void {
    for (let row = 0; row < rowCount; row += 1) {
      this.#sums.fill((5 * row + 10) << (periodBits - 4), row * columns, (row + 1) * columns);
    }
    this.#shifts.fill(periodBits - 4);
    this.#counts.fill(4);
  }

  /** The estimate for a number of symbols not yet excluded, and four bits of circumstances. */
  place(symbols: number, circumstances: number): number {
    return (rowOfSymbols[symbols - 1] ?? 0) * columns + circumstances;
  }

  /** The estimated frequency of an escape; it is taken out of the sum until `add` puts back what was seen. */
  frequency(place: number): number {
    const sum = this.#sums[place] ?? 0;
    const mean = sum >> (this.#shifts[place] ?? 0);
    this.#sums[place] = sum - mean;
    return mean === 0 ? 1 : mean;
  }

  add(place: number, frequency: number): void {
    this.#sums[place] = (this.#sums[place] ?? 0) + frequency;
  }

  /** After a symbol that was no escape: the estimate gets slower as it gets surer. */
  confirm(place: number): void {
    const shift = this.#shifts[place] ?? 0;
    if (shift >= periodBits) return;
    const count = ((this.#counts[place] ?? 0) - 1) & 0xff;
    this.#counts[place] = count;
    if (count !== 0) return;
    this.#sums[place] = (this.#sums[place] ?? 0) << 1;
    this.#counts[place] = 3 << shift;
    this.#shifts[place] = shift + 1;
  }
}
