import { UnitHeap } from "./unit-heap.js";

/** Bytes of one symbol state. */
export const stateBytes = 6;

/**
 * Contexts and symbol states of a PPMd model in its memory. A context is one unit: number of symbols (2 bytes), sum of
 * frequencies (2), place of its states (4), place of the next shorter context (4). A state is 6 bytes: symbol,
 * frequency, successor. A context of one symbol holds its state in itself, from its third byte on, where the others
 * have sum and states.
 */
export class ContextMemory {
  readonly heap: UnitHeap;
  readonly #bytes: Uint8Array;
  readonly #halves: Uint16Array;
  readonly #words: Uint32Array;

  constructor(sizeBytes: number) {
    this.heap = new UnitHeap(sizeBytes);
    this.#bytes = this.heap.bytes;
    this.#halves = this.heap.halves;
    this.#words = this.heap.words;
  }

  byte(place: number): number {
    return this.#bytes[place] ?? 0;
  }

  setByte(place: number, value: number): void {
    this.#bytes[place] = value;
  }

  symbols(context: number): number {
    return this.#halves[context >> 1] ?? 0;
  }

  setSymbols(context: number, count: number): void {
    this.#halves[context >> 1] = count;
  }

  sum(context: number): number {
    return this.#halves[(context >> 1) + 1] ?? 0;
  }

  setSum(context: number, sum: number): void {
    this.#halves[(context >> 1) + 1] = sum;
  }

  states(context: number): number {
    return this.#words[(context >> 2) + 1] ?? 0;
  }

  setStates(context: number, place: number): void {
    this.#words[(context >> 2) + 1] = place;
  }

  suffix(context: number): number {
    return this.#words[(context >> 2) + 2] ?? 0;
  }

  setSuffix(context: number, suffix: number): void {
    this.#words[(context >> 2) + 2] = suffix;
  }

  symbol(state: number): number {
    return this.#bytes[state] ?? 0;
  }

  setSymbol(state: number, symbol: number): void {
    this.#bytes[state] = symbol;
  }

  frequency(state: number): number {
    return this.#bytes[state + 1] ?? 0;
  }

  setFrequency(state: number, frequency: number): void {
    this.#bytes[state + 1] = frequency;
  }

  successor(state: number): number {
    return ((this.#halves[(state + 2) >> 1] ?? 0) | ((this.#halves[(state + 4) >> 1] ?? 0) << 16)) >>> 0;
  }

  setSuccessor(state: number, place: number): void {
    this.#halves[(state + 2) >> 1] = place;
    this.#halves[(state + 4) >> 1] = place >>> 16;
  }

  copyState(from: number, to: number): void {
    this.#bytes.copyWithin(to, from, from + stateBytes);
  }

  swapStates(one: number, other: number): void {
    for (let half = 0; half < 3; half += 1) {
      const kept = this.#halves[(one >> 1) + half] ?? 0;
      this.#halves[(one >> 1) + half] = this.#halves[(other >> 1) + half] ?? 0;
      this.#halves[(other >> 1) + half] = kept;
    }
  }

  /** Moves a state to an earlier place; those in between move up by one. */
  moveForward(state: number, to: number): void {
    const kept = this.#bytes.slice(state, state + stateBytes);
    this.#bytes.copyWithin(to + stateBytes, to, state);
    this.#bytes.set(kept, to);
  }

  /** The state of a symbol that the context is known to have. */
  find(context: number, symbol: number): number {
    if (this.symbols(context) === 1) return onlyState(context);
    const bytes = this.#bytes;
    let state = this.states(context);
    const end = state + this.symbols(context) * stateBytes;
    while (bytes[state] !== symbol && state < end) state += stateBytes;
    return state;
  }

  /** Puts a found state before its neighbour when it has become at least as frequent; answers where it is then. */
  promote(state: number, first: number): number {
    if (state === first || this.frequency(state) < this.frequency(state - stateBytes)) return state;
    this.swapStates(state, state - stateBytes);
    return state - stateBytes;
  }
}

/** Where the state of a context of one symbol stands. */
export function onlyState(context: number): number {
  return context + 2;
}

export function nextState(state: number): number {
  return state + stateBytes;
}

export function previousState(state: number): number {
  return state - stateBytes;
}
