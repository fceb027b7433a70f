import { brokenData } from "../broken-data.js";
import { alphabets, states, type LzfseBlock } from "./block-header.js";
import { distances, literalRuns, matchLengths, type ValueCode } from "./match-values.js";
import type { SlidingOutput } from "./sliding-output.js";
import { BitsFromEnd, stateTable, type StateTable } from "./state-table.js";

const noState = 255;

/**
 * Decodes a block with its payload (literals, then matches) into `output`; yields whenever that is full. Throws where
 * the block is broken or gives another number of bytes than its header declares.
 */
export function* decodeBlock(block: LzfseBlock, payload: Uint8Array, output: SlidingOutput): Generator<Uint8Array, void, undefined> {
  const tables = tablesOf(block.frequencies);
  const literals = readLiterals(block, payload.subarray(0, block.literalBytes), tables.literals);
  const bits = new BitsFromEnd(payload.subarray(block.literalBytes), block.matchBits);
  const l = new Coder(tables.l, literalRuns, block.l);
  const m = new Coder(tables.m, matchLengths, block.m);
  const d = new Coder(tables.d, distances, block.d);
  let literal = 0;
  let distance = 0;
  let given = 0;
  for (let index = 0; index < block.matches; index += 1) {
    const run = l.next(bits);
    const length = m.next(bits);
    distance = d.next(bits) || distance;
    if (literal + run > literals.byteLength) throw brokenData("An LZFSE block uses more literals than it has.");
    output.write(literals, literal, run);
    if (length > 0) output.copy(distance, length);
    literal += run;
    given += run + length;
    if (output.isFull) yield output.take();
  }
  if (given !== block.plainBytes) throw brokenData(`An LZFSE block gives ${String(given)} bytes, its header declares ${String(block.plainBytes)}.`);
}

interface Tables {
  readonly l: StateTable;
  readonly m: StateTable;
  readonly d: StateTable;
  readonly literals: StateTable;
}

function tablesOf(frequencies: Uint16Array): Tables {
  const m = alphabets.l;
  const d = m + alphabets.m;
  const literals = d + alphabets.d;
  return {
    l: stateTable(frequencies.subarray(0, m), states.l),
    m: stateTable(frequencies.subarray(m, d), states.m),
    d: stateTable(frequencies.subarray(d, literals), states.d),
    literals: stateTable(frequencies.subarray(literals), states.literals),
  };
}

/** Four coders take turns, so that their work overlaps. */
function readLiterals(block: LzfseBlock, stream: Uint8Array, table: StateTable): Uint8Array {
  const literals = new Uint8Array(block.literals);
  const current = [...block.literalStates];
  const bits = new BitsFromEnd(stream, block.literalBits);
  for (let index = 0; index < literals.byteLength; index += 1) {
    const state = current[index & 3] ?? 0;
    const count = table.bits[state] ?? noState;
    if (count === noState) throw brokenData("An LZFSE block comes to a state that no symbol has.");
    literals[index] = table.symbols[state] ?? 0;
    current[index & 3] = (table.deltas[state] ?? 0) + bits.take(count);
  }
  return literals;
}

/** A coder whose symbols stand for ranges of values. */
class Coder {
  readonly #table: StateTable;
  readonly #values: ValueCode;
  #state: number;

  constructor(table: StateTable, values: ValueCode, state: number) {
    this.#table = table;
    this.#values = values;
    this.#state = state;
  }

  next(bits: BitsFromEnd): number {
    const count = this.#table.bits[this.#state] ?? noState;
    if (count === noState) throw brokenData("An LZFSE block comes to a state that no symbol has.");
    const symbol = this.#table.symbols[this.#state] ?? 0;
    const extra = this.#values.extra[symbol] ?? 0;
    const taken = bits.take(count + extra);
    this.#state = (this.#table.deltas[this.#state] ?? 0) + (taken >> extra);
    return (this.#values.base[symbol] ?? 0) + (taken & ((1 << extra) - 1));
  }
}
