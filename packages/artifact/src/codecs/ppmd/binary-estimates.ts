const scale = 1 << 14;
const periodBits = 7;
const slots = 64;
const initial = [0x3cdd, 0x1f3f, 0x59bf, 0x48f3, 0x64a1, 0x5abc, 0x6632, 0x6051];
const escapes = [25, 14, 9, 7, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2];

/** Slot offset for the number of symbols of the next shorter context. */
export function suffixSlot(symbols: number): number {
  if (symbols <= 1) return 0;
  if (symbols === 2) return 2;
  return symbols <= 11 ? 4 : 6;
}

/** How likely the one symbol of a context is, by its frequency and circumstances. */
export class BinaryEstimates {
  readonly #zeros = new Uint16Array(128 * slots);

  reset(): void {
    for (let frequency = 0; frequency < 128; frequency += 1) {
      for (let slot = 0; slot < slots; slot += 1) {
        this.#zeros[frequency * slots + slot] = scale - Math.floor((initial[slot & 7] ?? 0) / (frequency + 2));
      }
    }
  }

  place(frequency: number, slot: number): number {
    return (frequency - 1) * slots + slot;
  }

  /** Cases of 2¹⁴ in which the symbol is the one. */
  zeros(place: number): number {
    return this.#zeros[place] ?? 0;
  }

  confirm(place: number): void {
    const zeros = this.zeros(place);
    this.#zeros[place] = zeros + (1 << periodBits) - mean(zeros);
  }

  /** After an escape; answers the first frequency of an escape in the context that will grow from this one. */
  refute(place: number): number {
    const zeros = this.zeros(place);
    this.#zeros[place] = zeros - mean(zeros);
    return escapes[this.zeros(place) >> 10] ?? 2;
  }
}

function mean(zeros: number): number {
  return (zeros + (1 << (periodBits - 2))) >> periodBits;
}
