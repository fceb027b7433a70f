import { stepsOf, type Step } from "./matches.js";

const bounds = { literals: 315, length: 2359, distance: 262_139, shortest: 4 };
const stepsOfBlock = 3000;

/** An LZFSE stream of the finite state coded kind, with packed or plain tables. */
export function buildLzfse(text: Uint8Array, magic: "bvx1" | "bvx2" = "bvx2"): Buffer {
  const steps = stepsOf(text, bounds);
  const blocks: Buffer[] = [];
  for (let at = 0; at < steps.length; at += stepsOfBlock) blocks.push(codedBlock(steps.slice(at, at + stepsOfBlock), magic));
  return Buffer.concat([...blocks, Buffer.from("bvx$")]);
}

export function plainLzfseBlock(text: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from("bvx-"), u32(text.byteLength), text]);
}

export function lzvnBlock(text: Uint8Array, codes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from("bvxn"), u32(text.byteLength), u32(codes.byteLength), codes]);
}

export const lzfseEnd = Buffer.from("bvx$");

interface Alphabet {
  readonly states: number;
  readonly base: readonly number[];
  readonly extra: readonly number[];
}

function alphabet(states: number, extra: readonly number[]): Alphabet {
  let next = 0;
  const base = extra.map((bits) => {
    const value = next;
    next += 2 ** bits;
    return value;
  });
  return { states, base, extra };
}

const none = Array.from({ length: 16 }, () => 0);
const literalAlphabet = alphabet(1024, Array.from({ length: 256 }, () => 0));
const runs = alphabet(64, [...none, 2, 3, 5, 8]);
const lengths = alphabet(64, [...none, 3, 5, 8, 11]);
const distances = alphabet(256, Array.from({ length: 64 }, (_, symbol) => Math.floor(symbol / 4)));

/** A symbol with its extra bits. */
function symbolOf({ base, extra }: Alphabet, value: number): { readonly symbol: number; readonly bits: number; readonly count: number } {
  let symbol = base.length - 1;
  while ((base[symbol] ?? 0) > value) symbol -= 1;
  return { symbol, bits: value - (base[symbol] ?? 0), count: extra[symbol] ?? 0 };
}

/** Frequencies that add up to the states, each symbol that occurs having one at least. */
function normalised(counts: readonly number[], states: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const scaled = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.floor((count * states) / total))));
  let surplus = scaled.reduce((sum, count) => sum + count, 0) - states;
  while (surplus !== 0 && total > 0) {
    const largest = scaled.indexOf(Math.max(...scaled));
    const change = surplus > 0 ? Math.min(surplus, Math.max(1, (scaled[largest] ?? 0) >> 1)) : surplus;
    scaled[largest] = (scaled[largest] ?? 0) - change;
    surplus -= change;
  }
  return scaled;
}

interface Transition {
  readonly state: number;
  readonly bits: number;
  readonly count: number;
}

/** For each symbol and state behind it: the state in front, and the bits between. */
function transitions(frequencies: readonly number[], states: number): (symbol: number, next: number) => Transition {
  const table = new Map<number, Transition>();
  let state = 0;
  frequencies.forEach((frequency, symbol) => {
    for (let index = 0; index < frequency; index += 1, state += 1) {
      const most = Math.floor(Math.log2(states)) - Math.floor(Math.log2(frequency));
      const wide = Math.floor((2 * states) / 2 ** most) - frequency;
      const count = index < wide ? most : most - 1;
      const delta = index < wide ? (frequency + index) * 2 ** count - states : (index - wide) * 2 ** count;
      for (let bits = 0; bits < 2 ** count; bits += 1) table.set(symbol * states + delta + bits, { state, bits, count });
    }
  });
  return (symbol, next) => {
    const found = table.get(symbol * states + next);
    if (found === undefined) throw new Error(`no way to state ${String(next)} by symbol ${String(symbol)}`);
    return found;
  };
}

/** Written from the first bit on; read from the last one back. */
class BitWriter {
  readonly #bits: number[] = [];

  push(value: number, count: number): void {
    for (let bit = 0; bit < count; bit += 1) this.#bits.push((value >> bit) & 1);
  }

  finish(): { readonly bytes: Buffer; readonly spare: number } {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, at) => (bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7))));
    return { bytes, spare: this.#bits.length - bytes.byteLength * 8 };
  }
}

function codedBlock(steps: readonly Step[], magic: "bvx1" | "bvx2"): Buffer {
  const gathered = Buffer.concat(steps.map(({ literals }) => literals));
  const literals = Buffer.concat([gathered, Buffer.alloc((4 - (gathered.byteLength % 4)) % 4)]);
  const values = steps.map((step, index) => ({ ...step, distance: index > 0 && step.distance === steps[index - 1]?.distance ? 0 : step.distance }));
  const tables = {
    literals: tableOf(literalAlphabet, [...literals]),
    l: tableOf(runs, values.map((step) => step.literals.byteLength)),
    m: tableOf(lengths, values.map((step) => step.length)),
    d: tableOf(distances, values.map((step) => step.distance)),
  };
  const literalStream = new BitWriter();
  const literalStates = [0, 0, 0, 0];
  for (let index = literals.byteLength - 1; index >= 0; index -= 1) {
    const way = tables.literals.way(literals[index] ?? 0, literalStates[index % 4] ?? 0);
    literalStream.push(way.bits, way.count);
    literalStates[index % 4] = way.state;
  }
  const matchStream = new BitWriter();
  // Apple's encoder leaves eight bytes in front of the matches, which readers may look for.
  for (let word = 0; word < 2; word += 1) matchStream.push(0, 32);
  const states = { l: 0, m: 0, d: 0 };
  for (const step of values.reverse()) {
    for (const [key, value] of [["d", step.distance], ["m", step.length], ["l", step.literals.byteLength]] as const) {
      const { symbol, bits, count } = symbolOf({ l: runs, m: lengths, d: distances }[key], value);
      const way = tables[key].way(symbol, states[key]);
      matchStream.push(bits, count);
      matchStream.push(way.bits, way.count);
      states[key] = way.state;
    }
  }
  const plainBytes = steps.reduce((sum, step) => sum + step.literals.byteLength + step.length, 0);
  const [first, second] = [literalStream.finish(), matchStream.finish()];
  const frequencies = [tables.l, tables.m, tables.d, tables.literals].flatMap((table) => table.frequencies);
  const facts = { plainBytes, literals: literals.byteLength, matches: steps.length, first, second, literalStates, states };
  return Buffer.concat([magic === "bvx1" ? plainHeader(facts, frequencies) : packedHeader(facts, frequencies), first.bytes, second.bytes]);
}

function tableOf(of: Alphabet, values: readonly number[]): { readonly frequencies: readonly number[]; readonly way: ReturnType<typeof transitions> } {
  const counts = of.base.map(() => 0);
  for (const value of values) {
    const { symbol } = symbolOf(of, value);
    counts[symbol] = (counts[symbol] ?? 0) + 1;
  }
  const frequencies = normalised(counts, of.states);
  return { frequencies, way: transitions(frequencies, of.states) };
}

interface Facts {
  readonly plainBytes: number;
  readonly literals: number;
  readonly matches: number;
  readonly first: { readonly bytes: Buffer; readonly spare: number };
  readonly second: { readonly bytes: Buffer; readonly spare: number };
  readonly literalStates: readonly number[];
  readonly states: { readonly l: number; readonly m: number; readonly d: number };
}

function plainHeader({ plainBytes, literals, matches, first, second, literalStates, states }: Facts, frequencies: readonly number[]): Buffer {
  const header = Buffer.alloc(772);
  header.write("bvx1");
  [plainBytes, first.bytes.byteLength + second.bytes.byteLength, literals, matches, first.bytes.byteLength, second.bytes.byteLength].forEach((value, index) => header.writeUInt32LE(value, 4 + index * 4));
  header.writeInt32LE(first.spare, 28);
  literalStates.forEach((state, index) => header.writeUInt16LE(state, 32 + index * 2));
  header.writeInt32LE(second.spare, 40);
  [states.l, states.m, states.d, ...frequencies].forEach((value, index) => header.writeUInt16LE(value, 44 + index * 2));
  return header;
}

function packedHeader({ plainBytes, literals, matches, first, second, literalStates, states }: Facts, frequencies: readonly number[]): Buffer {
  const packed = packedFrequencies(frequencies);
  const header = Buffer.alloc(32);
  header.write("bvx2");
  header.writeUInt32LE(plainBytes, 4);
  const word = (...fields: readonly (readonly [value: number, at: number])[]): bigint => fields.reduce((sum, [value, at]) => sum | (BigInt(value) << BigInt(at)), 0n);
  header.writeBigUInt64LE(word([literals, 0], [first.bytes.byteLength, 20], [matches, 40], [first.spare + 7, 60]), 8);
  header.writeBigUInt64LE(word(...literalStates.map((state, index) => [state, index * 10] as const), [second.bytes.byteLength, 40], [second.spare + 7, 60]), 16);
  header.writeBigUInt64LE(word([32 + packed.byteLength, 0], [states.l, 32], [states.m, 42], [states.d, 52]), 24);
  return Buffer.concat([header, packed]);
}

function packedFrequencies(frequencies: readonly number[]): Buffer {
  const bits = new BitWriter();
  for (const value of frequencies) {
    if (value < 2) bits.push(value << 1, 2);
    else if (value < 4) bits.push(1 | ((value - 2) << 2), 3);
    else if (value < 8) bits.push(3 | ((value - 4) << 3), 5);
    else if (value < 24) bits.push(7 | ((value - 8) << 4), 8);
    else bits.push(15 | ((value - 24) << 4), 14);
  }
  return bits.finish().bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
