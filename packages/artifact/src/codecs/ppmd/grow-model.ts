import { onlyState, stateBytes } from "./context-memory.js";
import type { ModelState } from "./model-state.js";

const maxFrequency = 124;

/** Learns the symbol found last; false when memory is used up and the model must start anew. */
export function growModel(model: ModelState): boolean {
  const { memory } = model;
  const { heap } = memory;
  countInSuffix(model);
  if (model.orderFall === 0) return lengthen(model);
  memory.setByte(heap.text, memory.symbol(model.found));
  heap.text += 1;
  if (heap.text >= heap.unitsStart) return false;
  let successor = heap.text;
  let target = memory.successor(model.found);
  if (target === 0) {
    memory.setSuccessor(model.found, successor);
    target = model.shortest;
  } else {
    if (target <= successor) target = createContexts(model, false);
    if (target === 0) return false;
    model.orderFall -= 1;
    if (model.orderFall === 0) {
      successor = target;
      if (model.longest !== model.shortest) heap.text -= 1;
    }
  }
  if (!addToLonger(model, successor)) return false;
  model.shortest = model.longest = target;
  return true;
}

/** At the greatest order: the context that follows is made at once. */
function lengthen(model: ModelState): boolean {
  const context = createContexts(model, true);
  model.shortest = model.longest = context;
  if (context !== 0) model.memory.setSuccessor(model.found, context);
  return context !== 0;
}

/** The symbol also counts in the next shorter context, as long as it is rare. */
function countInSuffix({ memory, found, shortest }: ModelState): void {
  const suffix = memory.suffix(shortest);
  if (memory.frequency(found) >= maxFrequency / 4 || suffix === 0) return;
  const state = memory.find(suffix, memory.symbol(found));
  if (memory.symbols(suffix) === 1) {
    if (memory.frequency(state) < 32) memory.setFrequency(state, memory.frequency(state) + 1);
    return;
  }
  const promoted = memory.promote(state, memory.states(suffix));
  if (memory.frequency(promoted) >= maxFrequency - 9) return;
  memory.setFrequency(promoted, memory.frequency(promoted) + 2);
  memory.setSum(suffix, memory.sum(suffix) + 2);
}

/** Adds the symbol to every context that is longer than the one that knew it. */
function addToLonger(model: ModelState, successor: number): boolean {
  const { memory, found, shortest } = model;
  const known = memory.symbols(shortest);
  const frequency = memory.frequency(found);
  const others = (memory.sum(shortest) - known - (frequency - 1)) >>> 0;
  for (let context = model.longest; context !== shortest; context = memory.suffix(context)) {
    const count = memory.symbols(context);
    if (!(count === 1 ? splitOnly(model, context, known) : makeRoom(model, context, known))) return false;
    const state = memory.states(context) + count * stateBytes;
    memory.setSuccessor(state, successor);
    memory.setSymbol(state, memory.symbol(found));
    memory.setFrequency(state, firstFrequency(model, context, { frequency, others }));
    memory.setSymbols(context, count + 1);
  }
  return true;
}

/** Room for one more state in a context of several. */
function makeRoom({ memory }: ModelState, context: number, known: number): boolean {
  const count = memory.symbols(context);
  if ((count & 1) === 0) {
    const grown = memory.heap.grow(memory.states(context), count >> 1);
    if (grown === 0) return false;
    memory.setStates(context, grown);
  }
  const sum = memory.sum(context);
  const small = 2 * count < known ? 1 : 0;
  const tiny = 4 * count <= known && sum <= 8 * count ? 2 : 0;
  memory.setSum(context, sum + small + tiny);
  return true;
}

/** A context of one symbol becomes one of several. */
function splitOnly({ memory, firstEscape }: ModelState, context: number, known: number): boolean {
  const state = memory.heap.run(1);
  if (state === 0) return false;
  memory.copyState(onlyState(context), state);
  memory.setStates(context, state);
  const frequency = memory.frequency(state);
  const doubled = frequency < maxFrequency / 4 - 1 ? frequency * 2 : maxFrequency - 4;
  memory.setFrequency(state, doubled);
  memory.setSum(context, doubled + firstEscape + (known > 3 ? 1 : 0));
  return true;
}

/** The frequency a symbol starts with in a longer context, by what it has in the shorter one. */
function firstFrequency({ memory }: ModelState, context: number, { frequency, others }: { readonly frequency: number; readonly others: number }): number {
  const sum = memory.sum(context);
  const own = 2 * frequency * (sum + 6);
  const all = (others + sum) >>> 0;
  if (own < 6 * all) {
    memory.setSum(context, sum + 3);
    return 1 + (own > all ? 1 : 0) + (own >= 4 * all ? 1 : 0);
  }
  const first = 4 + (own >= 9 * all ? 1 : 0) + (own >= 12 * all ? 1 : 0) + (own >= 15 * all ? 1 : 0);
  memory.setSum(context, sum + first);
  return first;
}

/** Makes the contexts that follow the found symbol, from the longest that exists up; 0 when memory is used up. */
function createContexts(model: ModelState, atGreatestOrder: boolean): number {
  const { memory, found } = model;
  const symbol = memory.symbol(found);
  const branch = memory.successor(found);
  const waiting: number[] = atGreatestOrder ? [] : [found];
  let context = model.shortest;
  for (let suffix = memory.suffix(context); suffix !== 0; suffix = memory.suffix(context)) {
    context = suffix;
    const state = memory.find(context, symbol);
    const successor = memory.successor(state);
    if (successor !== branch) {
      context = successor;
      break;
    }
    waiting.push(state);
  }
  if (waiting.length === 0) return context;
  const next = memory.byte(branch);
  const frequency = inheritedFrequency(model, context, next);
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    const made = memory.heap.context();
    if (made === 0) return 0;
    memory.setSymbols(made, 1);
    const only = onlyState(made);
    memory.setSymbol(only, next);
    memory.setFrequency(only, frequency);
    memory.setSuccessor(only, branch + 1);
    memory.setSuffix(made, context);
    memory.setSuccessor(state, made);
    context = made;
  }
  return context;
}

/** The frequency of a symbol in a new context, by its share in the next shorter one. */
function inheritedFrequency({ memory }: ModelState, context: number, symbol: number): number {
  const state = memory.find(context, symbol);
  if (memory.symbols(context) === 1) return memory.frequency(state);
  const own = memory.frequency(state) - 1;
  const others = memory.sum(context) - memory.symbols(context) - own;
  if (2 * own <= others) return 5 * own > others ? 2 : 1;
  return 1 + Math.floor((2 * own + 3 * others - 1) / (2 * others));
}
