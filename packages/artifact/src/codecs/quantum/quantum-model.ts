import type { QuantumCoder } from "./quantum-coder.js";

const step = 8;
const largestSum = 3800;
/** Halvings before the symbols are sorted by frequency: few at first. */
const firstHalvings = 4;
const laterHalvings = 50;

/** An adaptive set of symbols, most frequent first, with the sums of frequencies from each symbol on. */
export class QuantumModel {
  readonly #symbols: Uint16Array;
  /** One more than symbols: the last is 0. */
  readonly #sums: Uint16Array;
  #untilSort = firstHalvings;

  constructor(first: number, count: number) {
    this.#symbols = Uint16Array.from({ length: count }, (_, index) => first + index);
    this.#sums = Uint16Array.from({ length: count + 1 }, (_, index) => count - index);
  }

  decode(coder: QuantumCoder): number {
    const sums = this.#sums;
    const share = coder.share(sums[0] ?? 1);
    let index = 1;
    while (index < this.#symbols.length && (sums[index] ?? 0) > share) index += 1;
    const symbol = this.#symbols[index - 1] ?? 0;
    coder.take({ from: sums[index] ?? 0, to: sums[index - 1] ?? 0, total: sums[0] ?? 1 });
    for (let above = 0; above < index; above += 1) sums[above] = (sums[above] ?? 0) + step;
    if ((sums[0] ?? 0) > largestSum) this.#rescale();
    return symbol;
  }

  #rescale(): void {
    this.#untilSort -= 1;
    if (this.#untilSort > 0) this.#halve();
    else this.#sort();
  }

  #halve(): void {
    const sums = this.#sums;
    for (let index = this.#symbols.length - 1; index >= 0; index -= 1) {
      sums[index] = Math.max((sums[index] ?? 0) >> 1, (sums[index + 1] ?? 0) + 1);
    }
  }

  /** Halves the frequencies themselves and puts the most frequent symbols first, by exchanging. */
  #sort(): void {
    this.#untilSort = laterHalvings;
    const sums = this.#sums;
    const symbols = this.#symbols;
    const count = symbols.length;
    for (let index = 0; index < count; index += 1) sums[index] = ((sums[index] ?? 0) - (sums[index + 1] ?? 0) + 1) >> 1;
    for (let one = 0; one < count - 1; one += 1) {
      for (let other = one + 1; other < count; other += 1) {
        if ((sums[one] ?? 0) >= (sums[other] ?? 0)) continue;
        exchange(sums, one, other);
        exchange(symbols, one, other);
      }
    }
    for (let index = count - 1; index >= 0; index -= 1) sums[index] = (sums[index] ?? 0) + (sums[index + 1] ?? 0);
  }
}

function exchange(values: Uint16Array, one: number, other: number): void {
  const kept = values[one] ?? 0;
  values[one] = values[other] ?? 0;
  values[other] = kept;
}
