import { hex32 } from "./hash64.js";

const lanes = 24;
/** Odd, so that each lane orders all hashes in another way. */
const factors = Uint32Array.from({ length: lanes }, (_, lane) => (Math.imul(lane + 1, 0x9e3779b1) | 1) >>> 0);

/**
 * Minima of hashes of runs of three operations (MinHash after Broder 1997): the share of equal minima of two sketches
 * estimates how many runs two functions have in common, of all that either has.
 */
export class OperationSketch {
  readonly #minima = new Uint32Array(lanes).fill(0xffffffff);
  #first = 0;
  #second = 0;
  #count = 0;

  add(operation: number): void {
    const [first, second] = [this.#first, this.#second];
    this.#first = second;
    this.#second = operation;
    this.#count += 1;
    if (this.#count < 3) return;
    this.#take((Math.imul(first, 0x85ebca6b) ^ Math.imul(second, 0xc2b2ae35) ^ Math.imul(operation, 0x27d4eb2f)) >>> 0);
  }

  digest(): string {
    // A function of one or two operations has one run.
    if (this.#count > 0 && this.#count < 3) this.#take((Math.imul(this.#first, 0x85ebca6b) ^ Math.imul(this.#second, 0xc2b2ae35)) >>> 0);
    return [...this.#minima].map(hex32).join("");
  }

  #take(run: number): void {
    const spread = Math.imul(run ^ (run >>> 15), 0x2c1b3c6d);
    const mixed = (spread ^ (spread >>> 12)) >>> 0;
    for (let lane = 0; lane < lanes; lane += 1) {
      const turned = Math.imul(mixed, factors[lane] ?? 1);
      const hash = (turned ^ (turned >>> 16)) >>> 0;
      if (hash < (this.#minima[lane] ?? 0)) this.#minima[lane] = hash;
    }
  }
}
