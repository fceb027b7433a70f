import { sliceWeight, type SliceVotes } from "./slice-votes.js";

export interface PairMachine {
  readonly registers: number;
  readonly wordBytes: number;
  /** Registers that take two words of one value: the address in the first, the length in the second. */
  readonly pairs: readonly (readonly [number, number])[];
}

interface Cell {
  readonly base: number;
  readonly at: number;
  readonly text: number;
  readonly count: number;
}

const keptCells = 16;

/**
 * What registers and recently stored words are known to hold in a straight run of code: addresses of text and small
 * numbers. A text address and a number that are passed, returned or stored side by side vote for a slice.
 */
export class RegisterPairs {
  readonly #machine: PairMachine;
  readonly #votes: SliceVotes;
  readonly #texts: Float64Array;
  readonly #counts: Float64Array;
  #cells: Cell[] = [];
  #known = false;

  constructor(machine: PairMachine, votes: SliceVotes) {
    this.#machine = machine;
    this.#votes = votes;
    this.#texts = new Float64Array(machine.registers).fill(-1);
    this.#counts = new Float64Array(machine.registers).fill(-1);
  }

  text(register: number): number {
    return this.#texts[register] ?? -1;
  }

  count(register: number): number {
    return this.#counts[register] ?? -1;
  }

  clear(register: number): void {
    this.#texts[register] = -1;
    this.#counts[register] = -1;
    if (this.#cells.length > 0) this.#cells = this.#cells.filter(({ base }) => base !== register);
  }

  setText(register: number, rva: number): void {
    this.clear(register);
    this.#texts[register] = rva;
    this.#known = true;
  }

  setCount(register: number, count: number): void {
    this.clear(register);
    this.#counts[register] = count;
  }

  copy(to: number, from: number): void {
    const text = this.text(from);
    const count = this.count(from);
    this.clear(to);
    this.#texts[to] = text;
    this.#counts[to] = count;
  }

  store(base: number, at: number, register: number): void {
    this.storeValue(base, at, { text: this.text(register), count: this.count(register) });
  }

  storeValue(base: number, at: number, { text, count }: { readonly text: number; readonly count: number }): void {
    if (this.#cells.length > 0) this.#cells = this.#cells.filter((cell) => cell.base !== base || cell.at !== at).slice(-keptCells);
    if (text < 0 && count < 0) return;
    const { wordBytes } = this.#machine;
    for (const cell of this.#cells) {
      if (cell.base !== base) continue;
      if (text >= 0 && cell.at === at + wordBytes && cell.count > 0) this.#votes.add(text, cell.count, sliceWeight.pair);
      if (count > 0 && cell.at === at - wordBytes && cell.text >= 0) this.#votes.add(cell.text, count, sliceWeight.pair);
    }
    this.#cells.push({ base, at, text, count });
  }

  /** Control leaves to where pairs of registers are read. */
  passed(): void {
    if (!this.#known) return;
    for (const [first, second] of this.#machine.pairs) {
      const text = this.text(first);
      const count = this.count(second);
      if (text >= 0 && count > 0) this.#votes.add(text, count, sliceWeight.pair);
    }
  }

  /** Nothing is known any more. */
  forget(): void {
    this.#cells = [];
    if (this.#known) this.#texts.fill(-1);
    this.#counts.fill(-1);
    this.#known = false;
  }
}
