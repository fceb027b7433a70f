import { nextState, onlyState, previousState } from "./context-memory.js";
import type { ModelState } from "./model-state.js";

/** Halves the frequencies of the shortest context, sorts them, and drops symbols that fall to zero. */
export function rescale(model: ModelState): void {
  const { memory, shortest } = model;
  const first = memory.states(shortest);
  if (model.found !== first) memory.moveForward(model.found, first);
  const count = memory.symbols(shortest);
  const round = model.orderFall === 0 ? 0 : 1;
  let escape = memory.sum(shortest) - memory.frequency(first);
  memory.setFrequency(first, (memory.frequency(first) + 4 + round) >> 1);
  let sum = memory.frequency(first);
  let state = first;
  for (let left = count - 1; left > 0; left -= 1) {
    state = nextState(state);
    escape -= memory.frequency(state);
    memory.setFrequency(state, (memory.frequency(state) + round) >> 1);
    sum += memory.frequency(state);
    sortIn(model, state, first);
  }
  const dropped = zerosAtEnd(model, state);
  escape += dropped;
  if (dropped > 0 && dropSymbols(model, { first, count, dropped, escape })) return;
  memory.setSum(shortest, sum + escape - (escape >> 1));
  model.found = memory.states(shortest);
}

function sortIn({ memory }: ModelState, state: number, first: number): void {
  const frequency = memory.frequency(state);
  let to = state;
  while (to !== first && frequency > memory.frequency(previousState(to))) to = previousState(to);
  if (to !== state) memory.moveForward(state, to);
}

function zerosAtEnd({ memory }: ModelState, last: number): number {
  let count = 0;
  for (let state = last; memory.frequency(state) === 0; state = previousState(state)) count += 1;
  return count;
}

interface Dropping {
  readonly first: number;
  readonly count: number;
  readonly dropped: number;
  readonly escape: number;
}

/** True when one symbol is left, whose state moves into the context. */
function dropSymbols(model: ModelState, { first, count, dropped, escape }: Dropping): boolean {
  const { memory, shortest } = model;
  const left = count - dropped;
  memory.setSymbols(shortest, left);
  const units = (count + 1) >> 1;
  if (left > 1) {
    memory.setStates(shortest, memory.heap.shrink(first, units, (left + 1) >> 1));
    return false;
  }
  let frequency = memory.frequency(first);
  let rest = escape;
  do {
    frequency -= frequency >> 1;
    rest >>>= 1;
  } while (rest > 1);
  memory.setFrequency(first, frequency);
  model.found = onlyState(shortest);
  memory.copyState(first, model.found);
  memory.heap.release(first, units);
  return true;
}
