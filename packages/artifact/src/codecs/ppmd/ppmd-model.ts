import { BinaryEstimates, suffixSlot } from "./binary-estimates.js";
import { ContextMemory, nextState, onlyState, previousState, stateBytes } from "./context-memory.js";
import { EscapeEstimates } from "./escape-estimates.js";
import { growModel } from "./grow-model.js";
import type { ModelState } from "./model-state.js";
import { rescale } from "./rescale.js";
import type { SymbolRange } from "./symbol-range.js";

/** A state with a greater frequency makes its context halve all of them. */
const maxFrequency = 124;
const allSymbols = 256;
const endMark = -1;
const nonsense = -2;

/** The model of PPMd variant H (Dmitry Shkarin), as 7z uses it: contexts of up to `order` bytes, learnt while decoding. */
export class PpmdModel implements ModelState {
  readonly memory: ContextMemory;
  readonly order: number;
  readonly #binary = new BinaryEstimates();
  readonly #escapes = new EscapeEstimates();
  /** Symbols that longer contexts have excluded carry the number of the present round. */
  readonly #excluded = new Uint32Array(allSymbols);
  readonly #candidates = new Uint32Array(allSymbols);
  #round = 0;
  orderFall = 0;
  firstEscape = 0;
  shortest = 0;
  longest = 0;
  found = 0;
  #runLength = 0;
  #firstRun = 0;
  /** 1 when the last symbol was a likely one. */
  #success = 0;
  /** 8 when the last symbol is one of the upper 192. */
  #upper = 0;

  constructor(order: number, memoryBytes: number) {
    this.order = order;
    this.memory = new ContextMemory(memoryBytes);
    this.restart();
  }

  /** Forgets everything that was learnt. */
  restart(): void {
    const { memory } = this;
    memory.heap.reset();
    this.orderFall = this.order;
    this.#runLength = this.#firstRun = -Math.min(this.order, 12) - 1;
    this.#success = 0;
    const root = memory.heap.context();
    this.shortest = this.longest = root;
    memory.setSuffix(root, 0);
    memory.setSymbols(root, allSymbols);
    memory.setSum(root, allSymbols + 1);
    const states = memory.heap.run(allSymbols / 2);
    memory.setStates(root, states);
    this.found = states;
    for (let symbol = 0, state = states; symbol < allSymbols; symbol += 1, state = nextState(state)) {
      memory.setSymbol(state, symbol);
      memory.setFrequency(state, 1);
      memory.setSuccessor(state, 0);
    }
    this.#binary.reset();
    this.#escapes.reset();
  }

  /** The next byte; negative at an end mark (−1) and for data that is no PPMd (−2). */
  decode(range: SymbolRange): number {
    this.#round += 1;
    const symbol = this.memory.symbols(this.shortest) === 1 ? this.#decodeOnly(range) : this.#decodeAmong(range);
    return symbol ?? this.#decodeEscaped(range);
  }

  /** In a context of one symbol: that symbol, or an escape (undefined). */
  #decodeOnly(range: SymbolRange): number | undefined {
    const { memory } = this;
    const state = onlyState(this.shortest);
    this.#upper = upperFlag(memory.symbol(this.found));
    const slot =
      this.#success +
      suffixSlot(memory.symbols(memory.suffix(this.shortest))) +
      this.#upper +
      2 * upperFlag(memory.symbol(state)) +
      ((this.#runLength >> 26) & 0x20);
    const place = this.#binary.place(memory.frequency(state), slot);
    if (range.bit(this.#binary.zeros(place)) === 1) {
      this.firstEscape = this.#binary.refute(place);
      this.#excluded[memory.symbol(state)] = this.#round;
      this.#success = 0;
      return undefined;
    }
    this.#binary.confirm(place);
    this.found = state;
    const symbol = memory.symbol(state);
    const frequency = memory.frequency(state);
    if (frequency < 128) memory.setFrequency(state, frequency + 1);
    this.#success = 1;
    this.#runLength += 1;
    this.#advance();
    return symbol;
  }

  /** In a context of several symbols: one of them, or an escape (undefined). */
  #decodeAmong(range: SymbolRange): number | undefined {
    const { memory, shortest } = this;
    const sum = memory.sum(shortest);
    const share = range.share(sum);
    let state = memory.states(shortest);
    let above = memory.frequency(state);
    if (share < above) return this.#takeFirst(range, state);
    this.#success = 0;
    const end = state + memory.symbols(shortest) * stateBytes;
    for (state = nextState(state); state < end; state = nextState(state)) {
      const frequency = memory.frequency(state);
      above += frequency;
      if (above > share) {
        range.take(above - frequency, frequency);
        return this.#takeLater(state);
      }
    }
    if (share >= sum) return nonsense;
    this.#upper = upperFlag(memory.symbol(this.found));
    range.take(above, sum - above);
    for (let one = memory.states(shortest); one < end; one = nextState(one)) this.#excluded[memory.symbol(one)] = this.#round;
    return undefined;
  }

  #takeFirst(range: SymbolRange, state: number): number {
    const { memory, shortest } = this;
    const frequency = memory.frequency(state);
    range.take(0, frequency);
    this.found = state;
    const symbol = memory.symbol(state);
    const sum = memory.sum(shortest);
    this.#success = 2 * frequency > sum ? 1 : 0;
    this.#runLength += this.#success;
    memory.setSum(shortest, sum + 4);
    memory.setFrequency(state, frequency + 4);
    if (frequency + 4 > maxFrequency) rescale(this);
    this.#advance();
    return symbol;
  }

  #takeLater(state: number): number {
    const { memory, shortest } = this;
    const symbol = memory.symbol(state);
    memory.setFrequency(state, memory.frequency(state) + 4);
    memory.setSum(shortest, memory.sum(shortest) + 4);
    this.found = state;
    const before = previousState(state);
    if (memory.frequency(state) > memory.frequency(before)) {
      memory.swapStates(state, before);
      this.found = before;
      if (memory.frequency(before) > maxFrequency) rescale(this);
    }
    this.#advance();
    return symbol;
  }

  /** Goes to shorter contexts until one gives the symbol. */
  #decodeEscaped(range: SymbolRange): number {
    const { memory } = this;
    for (;;) {
      const masked = memory.symbols(this.shortest);
      if (!this.#shorten(masked)) return endMark;
      const candidates = memory.symbols(this.shortest) - masked;
      const total = this.#collect(candidates);
      const estimate = this.#estimatePlace(masked, candidates);
      const sum = total + (estimate < 0 ? 1 : this.#escapes.frequency(estimate));
      const share = range.share(sum);
      if (share < total) return this.#takeCandidate(range, share, estimate);
      if (share >= sum) return nonsense;
      range.take(total, sum - total);
      if (estimate >= 0) this.#escapes.add(estimate, sum);
      this.#exclude(candidates);
    }
  }

  /** The next shorter context with other symbols than those excluded; false when there is none. */
  #shorten(masked: number): boolean {
    do {
      this.orderFall += 1;
      const suffix = this.memory.suffix(this.shortest);
      if (suffix === 0) return false;
      this.shortest = suffix;
    } while (this.memory.symbols(this.shortest) === masked);
    return true;
  }

  /** Lists the states that are not excluded; answers the sum of their frequencies. */
  #collect(count: number): number {
    const { bytes } = this.memory.heap;
    const excluded = this.#excluded;
    const candidates = this.#candidates;
    const round = this.#round;
    let total = 0;
    let state = this.memory.states(this.shortest);
    for (let index = 0; index < count; state += stateBytes) {
      if (excluded[bytes[state] ?? 0] === round) continue;
      total += bytes[state + 1] ?? 0;
      candidates[index] = state;
      index += 1;
    }
    return total;
  }

  #exclude(count: number): void {
    const { bytes } = this.memory.heap;
    for (let index = 0; index < count; index += 1) this.#excluded[bytes[this.#candidates[index] ?? 0] ?? 0] = this.#round;
  }

  /** Where the escape of this context is estimated; −1 in the shortest of all, whose escapes have frequency 1. */
  #estimatePlace(masked: number, candidates: number): number {
    const { memory, shortest } = this;
    const symbols = memory.symbols(shortest);
    if (symbols === allSymbols) return -1;
    const growing = candidates < memory.symbols(memory.suffix(shortest)) - symbols ? 1 : 0;
    const flat = memory.sum(shortest) < 11 * symbols ? 2 : 0;
    const crowded = masked > candidates ? 4 : 0;
    return this.#escapes.place(candidates, growing + flat + crowded + this.#upper);
  }

  #takeCandidate(range: SymbolRange, share: number, estimate: number): number {
    const { memory, shortest } = this;
    let index = 0;
    let above = memory.frequency(this.#candidates[0] ?? 0);
    while (above <= share) {
      index += 1;
      above += memory.frequency(this.#candidates[index] ?? 0);
    }
    const state = this.#candidates[index] ?? 0;
    const frequency = memory.frequency(state);
    range.take(above - frequency, frequency);
    if (estimate >= 0) this.#escapes.confirm(estimate);
    this.found = state;
    const symbol = memory.symbol(state);
    memory.setSum(shortest, memory.sum(shortest) + 4);
    memory.setFrequency(state, frequency + 4);
    if (frequency + 4 > maxFrequency) rescale(this);
    this.#runLength = this.#firstRun;
    this.#grow();
    return symbol;
  }

  #advance(): void {
    const successor = this.memory.successor(this.found);
    if (this.orderFall === 0 && successor > this.memory.heap.text) this.shortest = this.longest = successor;
    else this.#grow();
  }

  #grow(): void {
    if (!growModel(this)) this.restart();
  }
}

function upperFlag(symbol: number): number {
  return symbol >= 0x40 ? 8 : 0;
}
